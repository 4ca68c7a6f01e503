package grid

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/internal/document/flow"
)

// maxPlaces is the size of a table, empty places included, above which they are
// not written: a few cells scattered over a whole sheet would fill memory with
// nothing.
const maxPlaces = 4 * MaxCells

// table writes rows as one table. Columns without text are left out, and so is
// what is empty at the end of a row.
func (g region) table() *html.Node {
	rows := g.rows
	columns := usedColumns(rows)
	place := make(map[int]int, len(columns))
	for i, c := range columns {
		place[c] = i
	}
	covered := g.coverage(columns)
	scattered := len(rows)*len(columns) > maxPlaces
	body := flow.Element("tbody")
	nodes := &slab{}
	for i, r := range rows {
		tr := nodes.element(atom.Tr)
		tag := atom.Td
		if i == 0 {
			tag = atom.Th
		}
		next := 0
		for _, c := range r.Cells {
			at := place[int(c.Col)]
			if at < next || covered.hidden(i, at) { // a second value for the same cell, or below a merged one
				continue
			}
			for ; next < at && !scattered; next++ {
				if !covered.hidden(i, next) {
					tr.AppendChild(nodes.element(tag))
				}
			}
			td := cellNode(nodes, tag, covered.spans[[2]int{i, at}])
			g.fill(td, nodes, r.Index, c)
			tr.AppendChild(td)
			next = at + 1
		}
		body.AppendChild(tr)
		rows[i].Cells = nil // in the tree now
	}
	table := flow.Element("table")
	table.AppendChild(body)
	return table
}

func cellNode(nodes *slab, tag atom.Atom, span size) *html.Node {
	td := nodes.element(tag)
	if span.columns > 1 {
		flow.SetAttr(td, "colspan", strconv.Itoa(span.columns))
	}
	if span.rows > 1 {
		flow.SetAttr(td, "rowspan", strconv.Itoa(span.rows))
	}
	return td
}

// fill puts the text of a cell into its element.
func (g region) fill(td *html.Node, nodes *slab, row int, c Cell) {
	href := ""
	if len(g.links) > 0 {
		href = g.links[Place{row, int(c.Col)}]
	}
	if href == "" && !strings.Contains(c.Text, "\n") {
		td.AppendChild(nodes.text(c.Text))
		return
	}
	td.AppendChild(content(c.Text, href))
}

type size struct{ rows, columns int }

// coverage says which places of a table lie below a merged cell.
type coverage struct {
	spans  map[[2]int]size     // by the place of the merged cell
	hiding map[int][]hiddenRun // by row: columns that a merged cell takes
}

type hiddenRun struct{ from, to int } // places, both included

const maxHidden = 1_000_000 // stretches of rows below merged cells

// coverage clips the merged cells to the rows and columns that are shown.
func (g region) coverage(columns []int) coverage {
	c := coverage{spans: map[[2]int]size{}, hiding: map[int][]hiddenRun{}}
	byIndex := func(r Row, index int) int { return r.Index - index }
	hidden := 0
	for _, m := range g.merges {
		r1, _ := slices.BinarySearchFunc(g.rows, m.Row1, byIndex)
		r2, _ := slices.BinarySearchFunc(g.rows, m.Row2+1, byIndex)
		c1, _ := slices.BinarySearch(columns, m.Col1)
		c2, _ := slices.BinarySearch(columns, m.Col2+1)
		if hidden += r2 - r1; hidden > maxHidden {
			break
		}
		c.spans[[2]int{r1, c1}] = size{r2 - r1, c2 - c1}
		for r := r1; r < r2; r++ {
			from := c1
			if r == r1 {
				from++
			}
			if from < c2 {
				c.hiding[r] = append(c.hiding[r], hiddenRun{from, c2 - 1})
			}
		}
	}
	return c
}

func (c coverage) hidden(row, column int) bool {
	for _, h := range c.hiding[row] {
		if column >= h.from && column <= h.to {
			return true
		}
	}
	return false
}

// slabNodes fills a block of 32 KiB to the last node.
const slabNodes = 315

// slab hands out nodes from blocks: a large sheet has millions of them.
type slab struct{ free []html.Node }

func (s *slab) next() *html.Node {
	if len(s.free) == 0 {
		s.free = make([]html.Node, slabNodes)
	}
	n := &s.free[0]
	s.free = s.free[1:]
	return n
}

func (s *slab) element(tag atom.Atom) *html.Node {
	n := s.next()
	n.Type, n.DataAtom, n.Data = html.ElementNode, tag, tag.String()
	return n
}

func (s *slab) text(text string) *html.Node {
	n := s.next()
	n.Type, n.Data = html.TextNode, text
	return n
}
