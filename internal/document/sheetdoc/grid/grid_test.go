package grid

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// sheet makes a sheet from lines of cells; a dot is an empty cell.
func sheet(lines ...string) *Sheet {
	s := &Sheet{}
	for row, line := range lines {
		for col, text := range strings.Fields(line) {
			if text != "." {
				s.Add(row, col, text)
			}
		}
	}
	return s
}

// show writes tables as rows of cells, and paragraphs with a mark before them.
func show(blocks []*html.Node) string {
	var b strings.Builder
	for _, n := range blocks {
		if n.Data != "table" {
			b.WriteString("¶" + text(n) + "\n")
			continue
		}
		for tr := n.FirstChild.FirstChild; tr != nil; tr = tr.NextSibling {
			var cells []string
			for td := tr.FirstChild; td != nil; td = td.NextSibling {
				cells = append(cells, text(td))
			}
			b.WriteString(strings.Join(cells, "|") + "\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func text(n *html.Node) string {
	out := ""
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			out += d.Data
		}
	}
	return out
}

func TestSheetsAreCutWhereTablesEnd(t *testing.T) {
	for _, tc := range []struct {
		name string
		in   *Sheet
		want string
	}{
		{"one table", sheet("a b", "c d"), "a|b\nc|d\n\n"},
		{"a blank row between two", sheet("a b", ". .", "c d"), "a|b\n\nc|d\n\n"},
		{"a lone cell is a table", sheet("a"), "a\n\n"},
		{"lone cells apart from a table", sheet("a . .", ". . .", "b c d", "e f g"), "a\n\nb|c|d\ne|f|g\n\n"},
		{"a title above a table", sheet("title", "a b", "c d"), "¶title\na|b\nc|d\n\n"},
		{"a blank column inside a table", sheet("a . b", "c . d"), "a|b\nc|d\n\n"},
		{"two tables side by side", sheet("a b . . .", "c d . . .", "e f . g h", ". . . i j", ". . . k l"),
			"a|b\nc|d\ne|f\n\ng|h\ni|j\nk|l\n\n"},
		{"tables that touch at a corner", sheet("a b . .", "c d . .", ". . e f", ". . g h"), "a|b\nc|d\n\ne|f\ng|h\n\n"},
		{"a gap inside a row", sheet("a b c", "d . f"), "a|b|c\nd||f\n\n"},
		{"nothing", sheet("."), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := show(tc.in.Blocks()); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func TestMergedCellsBridgeBlankRows(t *testing.T) {
	s := sheet("a x", ". .", ". y")
	s.Merges = []Range{{0, 0, 2, 0}}
	if got, want := show(s.Blocks()), "a|x\ny\n\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestCellsInAnyOrder(t *testing.T) {
	s := &Sheet{}
	s.Add(1, 1, "d")
	s.Add(0, 1, "b")
	s.Add(1, 0, "c")
	s.Add(0, 0, "a")
	if got, want := show(s.Blocks()), "a|b\nc|d\n\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLargeSheetsCanBeText(t *testing.T) {
	s := sheet("a . c", ". . d", "x,y . .")
	s.Name = "S"
	blocks := s.Text()
	if len(blocks) != 2 || text(blocks[0]) != "S" {
		t.Fatalf("%d blocks, want the name and the text", len(blocks))
	}
	if got, want := text(blocks[1]), "a,c\n,d\n\"x,y\"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
