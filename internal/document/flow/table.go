package flow

import (
	"slices"
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Cell is a cell of a table.
type Cell struct {
	Nodes   []*html.Node
	ColSpan int  // columns it covers; below 2: one
	RowSpan int  // rows it covers; below 2: one
	Header  bool // it names what its column or row holds
}

// Table builds a table. It gives nil if no row has a cell. Where several rows
// have no header among them, the first one is taken for it, as people write
// tables that way.
func Table(rows [][]Cell) *html.Node {
	table, body := Element("table"), Element("tbody")
	found := false
	if len(rows) > 1 && !hasHeader(rows) {
		for i := range rows[0] {
			rows[0][i].Header = true
		}
	}
	if holdsTables(rows) {
		SetAttr(table, "role", "table")
	}
	for _, row := range rows {
		tr := Element("tr")
		for _, c := range row {
			tr.AppendChild(cellNode(c))
			found = true
		}
		body.AppendChild(tr)
	}
	if !found {
		return nil
	}
	table.AppendChild(body)
	return table
}

// Caption says what a table shows.
func Caption(table *html.Node, text string) {
	table.InsertBefore(Wrap("caption", []*html.Node{Text(text)}), table.FirstChild)
}

func hasHeader(rows [][]Cell) bool {
	for _, row := range rows {
		for _, c := range row {
			if c.Header {
				return true
			}
		}
	}
	return false
}

// holdsTables tells whether a table has further tables among its data. On pages
// such a table usually lays the page out, so this one says by its role that it
// does not. A frame around a single table says nothing, and neither does a table
// with headings, which is how people put text into columns.
func holdsTables(rows [][]Cell) bool {
	cells, tables, only := 0, 0, false
	for _, row := range rows {
		for _, c := range row {
			cells++
			for _, n := range c.Nodes {
				if holds(n, atom.H1, atom.H2, atom.H3) {
					return false
				}
				if holds(n, atom.Table) {
					tables++
					only = n.DataAtom == atom.Table && len(c.Nodes) == 1
				}
			}
		}
	}
	return tables > 0 && !(cells == 1 && only)
}

// holds tells whether a node is one of some elements or has one inside.
func holds(n *html.Node, tags ...atom.Atom) bool {
	if slices.Contains(tags, n.DataAtom) {
		return true
	}
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && slices.Contains(tags, d.DataAtom) {
			return true
		}
	}
	return false
}

func cellNode(c Cell) *html.Node {
	tag := "td"
	if c.Header {
		tag = "th"
	}
	td := Element(tag)
	if c.ColSpan > 1 {
		SetAttr(td, "colspan", strconv.Itoa(c.ColSpan))
	}
	if c.RowSpan > 1 {
		SetAttr(td, "rowspan", strconv.Itoa(c.RowSpan))
	}
	for _, n := range unwrapSingle(c.Nodes) {
		td.AppendChild(n)
	}
	return td
}

// unwrapSingle takes the text of an only paragraph out of it: a cell with one
// line of text needs no paragraph inside.
func unwrapSingle(nodes []*html.Node) []*html.Node {
	if len(nodes) != 1 || nodes[0].DataAtom != atom.P {
		return nodes
	}
	var inner []*html.Node
	for n := nodes[0].FirstChild; n != nil; n = nodes[0].FirstChild {
		nodes[0].RemoveChild(n)
		inner = append(inner, n)
	}
	return inner
}
