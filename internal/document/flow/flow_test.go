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
		{"more of an item", []Para{item(0, "a"), {Form: More, Spans: text("b")}}, "<ul><li><p>a</p><p>b</p></li></ul>"},
		{"more without an item", []Para{{Form: More, Spans: text("b")}}, "<p>b</p>"},
		{"lines of code are joined", []Para{{Form: Code, Spans: text("a")}, {Form: Code}, {Form: Code, Spans: text(" b")}},
			"<pre><code>a\n\n b</code></pre>"},
		{"quotations are joined", []Para{{Form: Quote, Spans: text("a")}, {Form: Quote, Spans: text("b")}, {Spans: text("c")}},
			"<blockquote><p>a</p><p>b</p></blockquote><p>c</p>"},
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
