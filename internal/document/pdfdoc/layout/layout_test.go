package layout

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// sheet draws pages for tests. Every character is half as wide as it is high.
type sheet struct{ page.Page }

const (
	plain = iota
	bold
)

func newSheet() *sheet {
	return &sheet{page.Page{Number: 1, Width: 600, Height: 800, Fonts: []page.Font{{Name: "Plain"}, {Name: "Bold", Bold: true}}}}
}

func (s *sheet) write(x, y, size float64, font int, text string) *sheet {
	for _, r := range text {
		s.Glyphs = append(s.Glyphs, page.Glyph{Rune: r, Size: size, Font: font, Base: y,
			Box: page.Rect{X0: x, X1: x + size/2, Y0: y - 0.8*size, Y1: y + 0.2*size}})
		x += size / 2
	}
	return s
}

// leftwards writes a word whose next letter is to the left.
func (s *sheet) leftwards(x, y float64, text string) *sheet {
	for _, r := range text {
		s.write(x, y, 10, plain, string(r))
		x -= 5
	}
	return s
}

// text writes lines of body text below each other.
func (s *sheet) text(x, y float64, lines ...string) *sheet {
	for i, l := range lines {
		s.write(x, y+12*float64(i), 10, plain, l)
	}
	return s
}

func (s *sheet) rule(x0, y0, x1, y1 float64) *sheet {
	s.Rules = append(s.Rules, page.Rule{Rect: page.Rect{X0: x0, Y0: y0, X1: x1, Y1: y1}})
	return s
}

func (s *sheet) fill(x0, y0, x1, y1 float64) *sheet {
	s.Rules = append(s.Rules, page.Rule{Rect: page.Rect{X0: x0, Y0: y0, X1: x1, Y1: y1}, Filled: true})
	return s
}

// cells writes a row of table cells.
func (s *sheet) cells(y float64, xs []float64, texts ...string) *sheet {
	for i, t := range texts {
		s.text(xs[i], y, t)
	}
	return s
}

// outline writes what was found, a line per block or row of a table.
func outline(p *Page) string {
	var b strings.Builder
	for _, block := range p.Blocks {
		if block.Table == nil {
			fmt.Fprintf(&b, "%s: %s\n", block.Kind, block)
			continue
		}
		row := 0
		b.WriteString("table:")
		for _, c := range block.Table.Cells {
			for ; row < c.Row; row++ {
				b.WriteString(" /")
			}
			fmt.Fprintf(&b, " [%s", c)
			if c.ColSpan > 1 {
				fmt.Fprintf(&b, " cols=%d", c.ColSpan)
			}
			if c.RowSpan > 1 {
				fmt.Fprintf(&b, " rows=%d", c.RowSpan)
			}
			b.WriteString("]")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

var prose = []string{
	"Some words that fill a line of text in one column,",
	"and go on in the next line as if there was a lot to",
	"say about it, which there is not, but a paragraph has",
	"to have some lines to look like one to a program that",
	"counts them and measures the white between the words.",
}

func TestBlocks(t *testing.T) {
	for _, tc := range []struct {
		name string
		draw func(*sheet)
		want string
	}{
		{"lines of one paragraph are joined", func(s *sheet) {
			s.text(50, 200, "One line that is long enough", "and its end.")
		}, "text: One line that is long enough and its end.\n"},

		{"a word broken at the end of a line is mended", func(s *sheet) {
			s.text(50, 200, "A line with an exam-", "ple of that.")
		}, "text: A line with an example of that.\n"},

		{"a hyphen that belongs to the word stays", func(s *sheet) {
			s.text(50, 200, "groups called non-", "governmental and the Anglo-", "Saxon kind")
		}, "text: groups called non-governmental and the Anglo-Saxon kind\n"},

		{"ligatures and doubled quotes become letters and marks", func(s *sheet) {
			s.text(50, 200, "ﬁnd ‘‘oﬃce’’")
		}, "text: find “office”\n"},

		{"an accent drawn over a letter is put onto it", func(s *sheet) {
			s.text(50, 200, "Jan")
			s.Glyphs = append(s.Glyphs, page.Glyph{Rune: '´', Size: 10, Base: 200, Box: page.Rect{X0: 55, X1: 60, Y0: 190, Y1: 200}})
		}, "text: Ján\n"},

		{"larger and bold lines are headings", func(s *sheet) {
			s.write(50, 150, 18, plain, "Large").write(50, 180, 10, bold, "Bold").text(50, 200, prose...)
		}, "section_header: Large\nsection_header: Bold\ntext: " + strings.Join(prose, " ") + "\n"},

		{"a bold sentence is not a heading", func(s *sheet) {
			s.write(50, 150, 10, bold, "This line is bold and reads, from its beginning to its very end, like a sentence.").text(50, 200, prose...)
		}, "text: This line is bold and reads, from its beginning to its very end, like a sentence.\ntext: " + strings.Join(prose, " ") + "\n"},

		{"two columns are read one after the other", func(s *sheet) {
			s.write(50, 100, 18, plain, "A heading over both of the columns")
			for i := range prose {
				s.text(50, 200+12*float64(i), prose[i][:45]).text(320, 200+12*float64(i), prose[4-i][:45])
			}
		}, "section_header: A heading over both of the columns\n" +
			"text: " + columnText(0, 1, 2, 3, 4) + "\ntext: " + columnText(4, 3, 2, 1, 0) + "\n"},

		{"marks make list items", func(s *sheet) {
			s.text(50, 200, "• first thing", "• second thing").text(50, 230, "1. counted", "2. counted on")
		}, "list_item: • first thing\nlist_item: • second thing\nlist_item: 1. counted\nlist_item: 2. counted on\n"},

		{"a large first letter goes back to its word", func(s *sheet) {
			s.write(50, 224, 36, plain, "O").text(72, 205, "ver the hills and far away").text(72, 217, "she prays for the day").text(50, 229, prose...)
		}, "text: Over the hills and far away she prays for the day " + strings.Join(prose, " ") + "\n"},

		{"captions and notes are named", func(s *sheet) {
			s.text(50, 200, prose...).text(50, 300, "Figure 3: What was measured").write(50, 700, 7, plain, "1 A note in small print")
		}, "text: " + strings.Join(prose, " ") + "\ncaption: Figure 3: What was measured\nfootnote: 1 A note in small print\n"},

		{"headers, footers and page numbers are told apart", func(s *sheet) {
			s.text(50, 30, "Journal of Tests").text(50, 200, prose...).text(295, 780, "17")
		}, "page_header: Journal of Tests\ntext: " + strings.Join(prose, " ") + "\npage_number: 17\n"},

		{"on an almost empty page the edge is the text", func(s *sheet) {
			s.text(50, 30, "All there is").text(295, 780, "17")
		}, "text: All there is\ntext: 17\n"},

		{"words written from right to left keep their order", func(s *sheet) {
			s.leftwards(220, 200, "שלום").leftwards(195, 200, "עולם")
		}, "text: שלום עולם\n"},

		{"text along the margin is an aside", func(s *sheet) {
			s.text(50, 200, prose...)
			for i, r := range "side" {
				s.Glyphs = append(s.Glyphs, page.Glyph{Rune: r, Size: 10, Base: 30, Turn: page.Up,
					Box: page.Rect{X0: 22, X1: 32, Y0: 395 - 5*float64(i), Y1: 400 - 5*float64(i)}})
			}
		}, "text: " + strings.Join(prose, " ") + "\naside: side\n"},

		{"no glyphs are no blocks", func(*sheet) {}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newSheet()
			tc.draw(s)
			if got := outline(Analyze(&s.Page)); got != tc.want {
				t.Errorf("found\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func columnText(lines ...int) string {
	var out []string
	for _, i := range lines {
		out = append(out, prose[i][:45])
	}
	return strings.Join(strings.Fields(strings.Join(out, " ")), " ")
}

func TestTables(t *testing.T) {
	three := []float64{60, 200, 340}
	for _, tc := range []struct {
		name string
		draw func(*sheet)
		want string
	}{
		{"ruled cells", func(s *sheet) {
			ruled(s, []float64{50, 190, 330, 470}, []float64{100, 120, 140})
			s.cells(114, three, "Name", "Year", "Sum").cells(134, three, "Ada", "1843", "1")
		}, "table: [Name] [Year] [Sum] / [Ada] [1843] [1]\n"},

		{"cells that span columns and rows", func(s *sheet) {
			s.rule(50, 100, 470, 100).rule(190, 120, 470, 120).rule(50, 140, 470, 140)
			s.rule(50, 100, 50, 140).rule(190, 100, 190, 140).rule(330, 120, 330, 140).rule(470, 100, 470, 140)
			s.text(60, 125, "both").text(200, 114, "wide").text(200, 134, "left").text(340, 134, "right")
		}, "table: [both rows=2] [wide cols=2] / [left] [right]\n"},

		{"text in one ruled row stays one row", func(s *sheet) {
			ruled(s, []float64{50, 190, 470}, []float64{100, 120, 160})
			s.text(60, 114, "Key").text(200, 114, "Value").text(60, 134, "a").text(200, 134, "a longer text that", "takes two lines")
		}, "table: [Key] [Value] / [a] [a longer text that takes two lines]\n"},

		{"rows that were not ruled are found by their lines", func(s *sheet) {
			ruled(s, []float64{50, 190, 330, 470}, []float64{100, 160})
			for i := range 4 {
				s.cells(112+12*float64(i), three, fmt.Sprint("a", i), fmt.Sprint("b", i), fmt.Sprint("c", i))
			}
		}, "table: [a0] [b0] [c0] / [a1] [b1] [c1] / [a2] [b2] [c2] / [a3] [b3] [c3]\n"},

		{"no rules at all", func(s *sheet) {
			s.cells(100, three, "Town", "People", "Area").cells(112, three, "Ulm", "126", "118").
				cells(124, three, "Bonn", "331", "141").cells(136, three, "Trier", "112", "117")
		}, "table: [Town] [People] [Area] / [Ulm] [126] [118] / [Bonn] [331] [141] / [Trier] [112] [117]\n"},

		{"rules at head and foot only", func(s *sheet) {
			s.rule(50, 90, 470, 90).rule(50, 105, 470, 105).rule(50, 130, 470, 130)
			s.cells(100, three, "Town", "People", "Area").cells(116, three, "Ulm", "126", "118").cells(128, three, "Bonn", "331", "141")
		}, "table: [Town] [People] [Area] / [Ulm] [126] [118] / [Bonn] [331] [141]\n"},

		{"every second row coloured", func(s *sheet) {
			s.cells(100, three, "Town", "People", "Area")
			for i, row := range [][]string{{"Ulm", "126", "118"}, {"Bonn", "331", "141"}, {"Trier", "112", "117"}} {
				y := 116 + 16*float64(i)
				if i%2 == 0 {
					for c, x := range []float64{50, 190, 330} {
						s.fill(x, y-12, []float64{190, 330, 470}[c], y+4)
					}
				}
				s.cells(y, three, row...)
			}
		}, "table: [Town] [People] [Area] / [Ulm] [126] [118] / [Bonn] [331] [141] / [Trier] [112] [117]\n"},

		{"a wrapped cell goes on with its row", func(s *sheet) {
			s.cells(100, three, "Town", "Known for", "Area").cells(116, three, "Ulm", "a steeple", "118").
				text(200, 128, "of stone").cells(144, three, "Bonn", "music", "141").cells(160, three, "Trier", "a gate", "117")
		}, "table: [Town] [Known for] [Area] / [Ulm] [a steeple of stone] [118] / [Bonn] [music] [141] / [Trier] [a gate] [117]\n"},

		{"a frame around text is no table", func(s *sheet) {
			ruled(s, []float64{50, 400}, []float64{90, 170})
			s.text(60, 110, prose...)
		}, "text: " + strings.Join(prose, " ") + "\n"},

		{"the frame of a chart is no table", func(s *sheet) {
			ruled(s, []float64{50, 90, 470}, []float64{90, 170})
			s.text(60, 110, "60", "40", "20", "0").text(100, 160, "Jan")
		}, "text: 60 40 20 0\ntext: Jan\n"},

		{"a list of contents is no table", func(s *sheet) {
			for i, title := range []string{"Beginning", "Middle part", "Almost done", "The end"} {
				s.text(60, 100+12*float64(i), title).text(400, 100+12*float64(i), fmt.Sprint(3+8*i))
			}
		}, "text: Beginning Middle part Almost done The end\ntext: 3 11 19 27\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newSheet()
			tc.draw(s)
			if got := outline(Analyze(&s.Page)); got != tc.want {
				t.Errorf("found\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func TestPagesMadeToKeepUsBusyEndSoon(t *testing.T) {
	for _, tc := range []struct {
		name string
		draw func(*sheet, int)
		n    int
	}{
		{"one line of words", func(s *sheet, i int) { s.write(float64(i), 400, 10, plain, "a ") }, 100_000},
		{"words one below the other", func(s *sheet, i int) { s.write(100, float64(i)/40, 10, plain, "a ") }, 14_000},
		{"a grid of words", func(s *sheet, i int) { s.write(float64(i%150)*4, float64(i/150)*10, 4, plain, "a ") }, 7_000},
		{"a grid of rules", func(s *sheet, i int) {
			s.rule(float64(i)/10, 0, float64(i)/10, 800).rule(0, float64(i)/8, 600, float64(i)/8)
			s.write(float64(i)/10, float64(i)/8, 2, plain, "a ")
		}, 3000},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newSheet()
			for i := range tc.n {
				tc.draw(s, i)
			}
			began := time.Now()
			Analyze(&s.Page)
			if took := time.Since(began); took > time.Minute { // one second on an idle machine
				t.Errorf("took %v", took)
			}
		})
	}
}

// ruled draws a full grid.
func ruled(s *sheet, xs, ys []float64) {
	for _, y := range ys {
		s.rule(xs[0], y, xs[len(xs)-1], y)
	}
	for _, x := range xs {
		s.rule(x, ys[0], x, ys[len(ys)-1])
	}
}
