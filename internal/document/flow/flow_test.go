package flow

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func render(nodes []*html.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		if err := html.Render(&b, n); err != nil {
			return err.Error()
		}
	}
	return b.String()
}

func text(s string) []Span { return []Span{{Text: s}} }

func TestParagraphsBecomeBlocks(t *testing.T) {
	item := func(level int, s string) Para { return Para{Form: Item, Level: level, Spans: text(s)} }
	num := func(level, n int, s string) Para {
		return Para{Form: Item, Level: level, Ordered: true, Number: n, Spans: text(s)}
	}
	for _, tc := range []struct {
		name  string
		paras []Para
		want  string
	}{
		{"headings have six levels", []Para{{Form: Heading, Level: 9, Spans: text("a")}}, "<h6>a</h6>"},
		{"an empty paragraph is nothing", []Para{{Spans: text(" \n")}}, ""},
		{"lists nest", []Para{item(0, "a"), item(1, "b"), item(0, "c")}, "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"},
		{"a list may begin indented", []Para{item(2, "a"), item(0, "b")}, "<ul><li>a</li><li>b</li></ul>"},
		{"levels may be skipped", []Para{item(0, "a"), item(3, "b"), item(1, "c")}, "<ul><li>a<ul><li>b</li></ul><ul><li>c</li></ul></li></ul>"},
		{"a number out of order begins a new list", []Para{num(0, 1, "a"), num(0, 2, "b"), num(0, 1, "c")},
			"<ol><li>a</li><li>b</li></ol><ol><li>c</li></ol>"},
		{"a list may start anywhere", []Para{num(0, 4, "a"), num(0, 5, "b")}, `<ol start="4"><li>a</li><li>b</li></ol>`},
		{"numbers and bullets are different lists", []Para{num(0, 1, "a"), item(0, "b")}, "<ol><li>a</li></ol><ul><li>b</li></ul>"},
		{"a box before an item is a task", []Para{item(0, "☐ a"), item(0, "☒\u00a0b"), item(0, "☑c")},
			`<ul><li><input type="checkbox" disabled=""/> a</li><li><input type="checkbox" checked="" disabled=""/> b</li><li><input type="checkbox" checked="" disabled=""/> c</li></ul>`},
		{"a box alone, or not before an item, is none", []Para{item(0, "☐"), {Spans: text("☐ a")}}, "<ul><li>☐</li></ul><p>☐ a</p>"},
		{"more of an item", []Para{item(0, "a"), {Form: More, Spans: text("b")}}, "<ul><li><p>a</p><p>b</p></li></ul>"},
		{"more without an item", []Para{{Form: More, Spans: text("b")}}, "<p>b</p>"},
		{"lines of code are joined", []Para{{Form: Code, Spans: text("a")}, {Form: Code}, {Form: Code, Spans: text(" b")}},
			"<pre><code>a\n\n b</code></pre>"},
		{"quotations are joined", []Para{{Form: Quote, Spans: text("a")}, {Form: Quote, Spans: text("b")}, {Spans: text("c")}},
			"<blockquote><p>a</p><p>b</p></blockquote><p>c</p>"},
		{"code inside a quotation", []Para{{Form: Quote, Spans: text("a")}, {Form: Code, Spans: text("b")}, {Form: Quote, Spans: text("c")}},
			"<blockquote><p>a</p><pre><code>b</code></pre><p>c</p></blockquote>"},
		{"code after a quotation", []Para{{Form: Quote, Spans: text("a")}, {Form: Code, Spans: text("b")}, {Spans: text("c")}, {Form: Quote, Spans: text("d")}},
			"<blockquote><p>a</p></blockquote><pre><code>b</code></pre><p>c</p><blockquote><p>d</p></blockquote>"},
		{"code between a quotation and a list", []Para{{Form: Quote, Spans: text("a")}, {Form: Code, Spans: text("b")}, item(0, "c"), {Form: Quote, Spans: text("d")}},
			"<blockquote><p>a</p></blockquote><pre><code>b</code></pre><ul><li>c</li></ul><blockquote><p>d</p></blockquote>"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := New()
			for _, p := range tc.paras {
				w.Para(p)
			}
			if got := render(w.Nodes()); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestMarksNestWithoutBlanksAtTheirEdges(t *testing.T) {
	for _, tc := range []struct {
		name  string
		spans []Span
		want  string
	}{
		{"the longest mark is outside", []Span{{Text: "a", Marks: Italic}, {Text: "b", Marks: Italic | Bold}, {Text: "c", Marks: Italic}},
			"<em>a<strong>b</strong>c</em>"},
		{"blanks leave a mark", []Span{{Text: " a ", Marks: Bold}, {Text: "b"}}, "<strong>a</strong> b"},
		{"a blank between two marked words joins them", []Span{{Text: "a", Marks: Bold}, {Text: " "}, {Text: "b", Marks: Bold}},
			"<strong>a b</strong>"},
		{"a link is outside its marks", []Span{{Text: "a", Marks: Bold, Href: "x"}, {Text: "b", Href: "x"}}, `<a href="x"><strong>a</strong>b</a>`},
		{"newlines break lines", []Span{{Text: "a\nb"}}, "a<br/>b"},
		{"a picture is kept", []Span{{Node: Image("x.png", "y")}}, `<img src="x.png" alt="y"/>`},
		{"a marked blank alone is nothing", []Span{{Text: "  ", Marks: Bold}}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := render(Inline(tc.spans)); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestNotesAreNumberedAsTheyAreMet(t *testing.T) {
	var n Notes
	say := func(s string) func() []*html.Node { return func() []*html.Node { return []*html.Node{Text(s)} } }
	n.Ref("b", say("first"))
	n.Ref("a", say("second"))
	if again := n.Ref("b", say("never")); again.FirstChild.FirstChild.Data != "1" {
		t.Errorf("second reference to a note = %s, want 1", again.FirstChild.FirstChild.Data)
	}
	want := `<section class="footnotes" role="doc-endnotes"><ol><li id="fn1">first</li><li id="fn2">second</li></ol></section>`
	if got := render([]*html.Node{n.Section()}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestMergedCellsCanBeSpread(t *testing.T) {
	cell := func(s string, down, along int) Cell {
		return Cell{Nodes: []*html.Node{Text(s)}, RowSpan: down, ColSpan: along}
	}
	for _, tc := range []struct {
		name string
		rows [][]Cell
		want string
	}{
		{"along", [][]Cell{{cell("a", 1, 2)}, {cell("b", 0, 0), cell("c", 0, 0)}}, "a a/b c"},
		{"down, first and last column", [][]Cell{{cell("a", 2, 1), cell("b", 1, 1), cell("c", 2, 1)}, {cell("d", 1, 1)}}, "a b c/a d c"},
		{"both ways", [][]Cell{{cell("a", 2, 2), cell("b", 1, 1)}, {cell("c", 1, 1)}}, "a a b/a a c"},
		{"below the last row", [][]Cell{{cell("a", 9, 1), cell("b", 1, 1)}}, "a b"},
		{"too far to be true", [][]Cell{{cell("a", 1, 1_000_000)}}, "a"},
		{"too much to be copied", [][]Cell{{cell(strings.Repeat("x", 5), 1, 2), cell(strings.Repeat("y", 3_000_000), 1, 2)}},
			"xxxxx " + strings.Repeat("y", 3_000_000)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var rows []string
			for _, row := range Spread(tc.rows) {
				var cells []string
				for _, c := range row {
					cells = append(cells, c.Nodes[0].Data)
				}
				rows = append(rows, strings.Join(cells, " "))
			}
			if got := strings.Join(rows, "/"); got != tc.want {
				t.Errorf("got %.80s, want %.80s", got, tc.want)
			}
		})
	}
}

func TestTablesThatHoldTablesSaySo(t *testing.T) {
	inner := func() *html.Node { return Table([][]Cell{{{Nodes: []*html.Node{Text("x")}}, {}}}) }
	for _, tc := range []struct {
		name string
		rows [][]Cell
		want bool
	}{
		{"a table in one of two cells", [][]Cell{{{Nodes: []*html.Node{inner()}}, {}}}, true},
		{"a table and text in a single cell", [][]Cell{{{Nodes: []*html.Node{inner(), Wrap("p", nil)}}}}, true},
		{"a frame around a table", [][]Cell{{{Nodes: []*html.Node{inner()}}}}, false},
		{"columns of text with headings", [][]Cell{{{Nodes: []*html.Node{Wrap("h2", nil), inner()}}, {}}}, false},
		{"text only", [][]Cell{{{Nodes: []*html.Node{Text("a")}}, {}}}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := strings.HasPrefix(render([]*html.Node{Table(tc.rows)}), `<table role="table">`); got != tc.want {
				t.Errorf("says that it is a table: %v, want %v", got, tc.want)
			}
		})
	}
}
