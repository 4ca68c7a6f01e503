package flow

import "golang.org/x/net/html"

// maxSpread is how large a table may become when its merged cells are spread: a
// file may claim that a long text covers a million places. A cell counts for one,
// and for one more with every hundred bytes of text.
const maxSpread = 20_000

// Spread gives each place below a merged cell a cell of its own that says the
// same. Tables on slides are small and their rows are read one by one, so every
// row then tells which group it belongs to.
func Spread(rows [][]Cell) [][]Cell {
	if !hasMerged(rows) {
		return rows
	}
	s := spreading{above: map[int]merged{}}
	out := make([][]Cell, 0, len(rows))
	for _, row := range rows {
		s.row = nil
		for _, c := range row {
			s.goOn()
			for range max(c.ColSpan, 1) {
				s.above[len(s.row)] = merged{c, c.RowSpan - 1}
				s.put(c)
			}
		}
		s.goOn()
		out = append(out, s.row)
	}
	if s.size > maxSpread {
		return rows
	}
	return out
}

func hasMerged(rows [][]Cell) bool {
	for _, row := range rows {
		for _, c := range row {
			if c.ColSpan > 1 || c.RowSpan > 1 {
				return true
			}
		}
	}
	return false
}

// spreading is the state of spreading the cells of a table.
type spreading struct {
	row   []Cell         // that is being filled
	above map[int]merged // by column
	size  int            // of the table so far
}

// merged is a cell that covers so many further rows.
type merged struct {
	cell Cell
	rows int
}

// goOn fills the places that cells from above cover.
func (s *spreading) goOn() {
	for m := s.above[len(s.row)]; m.rows > 0 && s.size <= maxSpread; m = s.above[len(s.row)] {
		s.above[len(s.row)] = merged{m.cell, m.rows - 1}
		s.put(m.cell)
	}
}

// put adds a copy of a cell that covers one place.
func (s *spreading) put(c Cell) {
	if s.size += weight(c); s.size <= maxSpread {
		s.row = append(s.row, Cell{Nodes: cloneAll(c.Nodes), Header: c.Header})
	}
}

func weight(c Cell) int {
	bytes := 0
	for _, n := range c.Nodes {
		bytes += len(n.Data)
		for d := range n.Descendants() {
			bytes += len(d.Data)
		}
	}
	return 1 + bytes/100
}

func cloneAll(nodes []*html.Node) []*html.Node {
	copies := make([]*html.Node, 0, len(nodes))
	for _, n := range nodes {
		copies = append(copies, clone(n))
	}
	return copies
}

func clone(n *html.Node) *html.Node {
	c := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: append([]html.Attribute(nil), n.Attr...)}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		c.AppendChild(clone(k))
	}
	return c
}
