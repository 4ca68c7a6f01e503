package markdown

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// grid is a table with its spans laid out: every row has the same width.
type grid struct {
	rows   [][]string
	align  []string
	header bool // the first row names the columns
}

// table writes a table of data as a pipe table. Tables that only lay a page
// out are written as what they hold.
func (c *converter) table(n *html.Node) {
	if isCodeTable(n) {
		c.codeBlock(n)
		return
	}
	rows := tableRows(n)
	if isLayout(n, rows) {
		c.layout(n)
		return
	}
	if caption := child(n, atom.Caption); caption != nil {
		c.children(caption)
		c.flush()
	}
	g := c.grid(rows)
	if len(g.rows) > 0 {
		c.out.block(g.String())
	}
}

// layout writes the cells of a table one after the other.
func (c *converter) layout(n *html.Node) {
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		if !isElement(ch) || isSkipped(ch) {
			continue
		}
		switch ch.DataAtom {
		case atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr:
			c.layout(ch)
		default:
			c.children(ch)
			c.flush()
		}
	}
}

// tableRows lists the rows of this table, not those of tables inside it.
func tableRows(n *html.Node) []*html.Node {
	var rows []*html.Node
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		switch ch.DataAtom {
		case atom.Tr:
			rows = append(rows, ch)
		case atom.Thead, atom.Tbody, atom.Tfoot:
			rows = append(rows, tableRows(ch)...)
		}
	}
	return rows
}

// isLayout reports whether a table has no rows and columns to speak of: one
// column, one cell, or cells that hold whole sections.
func isLayout(n *html.Node, rows []*html.Node) bool {
	switch attr(n, "role") {
	case "presentation", "none":
		return true
	case "table": // it says so itself: tables of files that hold tables
		return false
	}
	widest, marked := 0, false
	for _, row := range rows {
		width := 0
		for ch := row.FirstChild; ch != nil; ch = ch.NextSibling {
			if !isCell(ch) {
				continue
			}
			width++
			marked = marked || ch.DataAtom == atom.Th
			if holdsSection(ch) {
				return true
			}
		}
		widest = max(widest, width)
	}
	return widest < 2 && !marked
}

// holdsSection reports whether a cell holds what no cell of data holds.
func holdsSection(cell *html.Node) bool {
	blocks := 0
	for d := range cell.Descendants() {
		switch d.DataAtom {
		case atom.Table, atom.H1, atom.H2, atom.H3, atom.Article, atom.Section, atom.Form, atom.Blockquote, atom.Hr:
			return true
		case atom.P, atom.Pre:
			blocks++
		}
	}
	return blocks > 6
}

func (c *converter) grid(rows []*html.Node) *grid {
	g := &grid{}
	var below []int // rows that a cell from above still covers, per column
	for i, row := range rows {
		var cells []string
		strongOnly, any := true, false
		for ch := row.FirstChild; ch != nil; ch = ch.NextSibling {
			if !isCell(ch) {
				continue
			}
			for len(cells) < len(below) && below[len(cells)] > 0 {
				below[len(cells)]--
				cells = append(cells, "")
			}
			text := c.cell(ch)
			any = any || text != ""
			strongOnly = strongOnly && (ch.DataAtom == atom.Th || text == "" || isAllStrong(text))
			down := span(ch, "rowspan") - 1
			for s := range span(ch, "colspan") {
				for len(below) <= len(cells) {
					below = append(below, 0)
				}
				below[len(cells)] = down
				if i == 0 {
					g.align = append(g.align, alignment(ch))
				}
				if s > 0 {
					text = ""
				}
				cells = append(cells, text)
			}
		}
		for len(cells) < len(below) && below[len(cells)] > 0 {
			below[len(cells)]--
			cells = append(cells, "")
		}
		if len(g.rows) == 0 {
			g.header = any && strongOnly || row.Parent.DataAtom == atom.Thead
		}
		if any {
			g.rows = append(g.rows, cells)
		}
	}
	return g
}

// cell writes what is in a cell as one line.
func (c *converter) cell(n *html.Node) string {
	saved, link := c.run, c.link
	c.run, c.link = inline{cell: true}, nil
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		switch {
		case ch.Type == html.TextNode:
			c.run.text(ch.Data)
		case isElement(ch) && !isSkipped(ch):
			c.cellPart(ch)
		}
	}
	text := c.run.finish()
	c.run, c.link = saved, link
	for strings.HasSuffix(text, "<br>") {
		text = strings.TrimSpace(strings.TrimSuffix(text, "<br>"))
	}
	return text
}

// cellPart writes a child of a cell; the items of a list get their mark.
func (c *converter) cellPart(n *html.Node) {
	if !isList(n) {
		c.inline(n)
		return
	}
	number := span(n, "start")
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		if !isElement(ch) {
			continue
		}
		mark := "- "
		if n.DataAtom == atom.Ol {
			mark = strconv.Itoa(number) + ". "
			number++
		}
		c.separateInline()
		c.run.raw(mark)
		c.inlineChildren(ch)
	}
	c.separateInline()
}

// String writes the table. Without a row that names the columns the header is
// left empty, because a pipe table must have one.
func (g *grid) String() string {
	width := 0
	for _, row := range g.rows {
		width = max(width, len(row))
	}
	var b strings.Builder
	rows := g.rows
	if g.header {
		writeRow(&b, rows[0], width)
		rows = rows[1:]
	} else {
		writeRow(&b, nil, width)
	}
	b.WriteString("\n|")
	for i := range width {
		mark := "---"
		if i < len(g.align) && g.align[i] != "" {
			mark = g.align[i]
		}
		b.WriteString(" " + mark + " |")
	}
	for _, row := range rows {
		b.WriteByte('\n')
		writeRow(&b, row, width)
	}
	return strings.TrimRight(b.String(), "\n")
}

func writeRow(b *strings.Builder, cells []string, width int) {
	b.WriteByte('|')
	for i := range width {
		b.WriteByte(' ')
		if i < len(cells) {
			b.WriteString(cells[i])
		}
		b.WriteString(" |")
	}
}

// span reads colspan, rowspan or the start of a list, within reason.
func span(n *html.Node, name string) int {
	if len(n.Attr) == 0 { // most cells: without this a large sheet costs a million errors
		return 1
	}
	v, err := strconv.Atoi(strings.TrimSpace(attr(n, name)))
	if err != nil || v < 1 {
		return 1
	}
	return min(v, 100)
}

func alignment(n *html.Node) string {
	align := strings.ToLower(attr(n, "align"))
	if _, rest, ok := strings.Cut(attr(n, "style"), "text-align:"); ok {
		align, _, _ = strings.Cut(strings.TrimSpace(rest), ";")
	}
	switch strings.TrimSpace(align) {
	case "left":
		return ":--"
	case "center":
		return ":-:"
	case "right":
		return "--:"
	}
	return ""
}

func isAllStrong(text string) bool {
	return len(text) > 4 && strings.HasPrefix(text, "**") && strings.HasSuffix(text, "**") && strings.Count(text, "**") == 2
}

func isCell(n *html.Node) bool { return n.DataAtom == atom.Td || n.DataAtom == atom.Th }

func child(n *html.Node, a atom.Atom) *html.Node {
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		if ch.DataAtom == a {
			return ch
		}
	}
	return nil
}
