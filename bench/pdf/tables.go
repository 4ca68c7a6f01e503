package pdfbench

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A pipe table is a header, a line of dashes and rows.
var dashes = regexp.MustCompile(`^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$`)

// pipesToHTML rewrites pipe tables as HTML: rows as wide as the header, and the
// first row in its place where the header is empty.
func pipesToHTML(md string) string {
	lines := strings.Split(md, "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		isTable := i+1 < len(lines) && strings.Contains(lines[i], "|") &&
			dashes.MatchString(lines[i+1]) && strings.Contains(lines[i+1], "|")
		if !isTable {
			out = append(out, lines[i])
			continue
		}
		end := i + 2
		for end < len(lines) && strings.Contains(lines[end], "|") && strings.TrimSpace(lines[end]) != "" {
			end++
		}
		out = append(out, pipeTable(lines[i], lines[i+2:end]))
		i = end - 1
	}
	return strings.Join(out, "\n")
}

func pipeTable(header string, body []string) string {
	width := len(pipeCells(header))
	rows := append([]string{header}, body...)
	if strings.Trim(header, "| \t") == "" {
		rows = body
	}
	var b strings.Builder
	b.WriteString("<table>")
	for _, row := range rows {
		b.WriteString("<tr>")
		cells := pipeCells(row)
		for i := range width {
			text := ""
			if i < len(cells) {
				text = cells[i]
			}
			b.WriteString("<td>" + html.EscapeString(unescape(text)) + "</td>")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table>")
	return b.String()
}

var pipe = regexp.MustCompile(`\\\||\|`)

func pipeCells(row string) []string {
	row = strings.TrimSpace(row)
	row = strings.TrimPrefix(row, "|")
	if strings.HasSuffix(row, "|") && !strings.HasSuffix(row, `\|`) {
		row = row[:len(row)-1]
	}
	const mark = "\x00"
	parts := strings.Split(pipe.ReplaceAllStringFunc(row, func(s string) string {
		if s == "|" {
			return mark
		}
		return s
	}), mark)
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

var (
	escapes    = regexp.MustCompile("\\\\([\\\\`*_{}\\[\\]()#+.!|<>~$^=:&-])")
	lineBreaks = regexp.MustCompile(`(?i)<br\s*/?>`)
)

// unescape takes Markdown's backslashes and line breaks out of a cell.
func unescape(s string) string {
	return lineBreaks.ReplaceAllString(escapes.ReplaceAllString(s, "$1"), " ")
}

// cell is one cell of a table laid out on a grid.
type cell struct {
	text             string
	rowSpan, colSpan int
}

// htmlTables finds the tables of a text, row by row.
func htmlTables(text string) [][][]cell {
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return nil
	}
	var tables [][][]cell
	for n := range root.Descendants() {
		if n.DataAtom != atom.Table {
			continue
		}
		var rows [][]cell
		for d := range n.Descendants() {
			if d.DataAtom == atom.Tr {
				rows = append(rows, rowCells(d))
			}
		}
		tables = append(tables, rows)
	}
	return tables
}

func rowCells(tr *html.Node) []cell {
	var cells []cell
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom != atom.Td && c.DataAtom != atom.Th {
			continue
		}
		cells = append(cells, cell{text: strings.Join(strings.Fields(nodeText(c)), " "), rowSpan: spanOf(c, "rowspan"), colSpan: spanOf(c, "colspan")})
	}
	return cells
}

func nodeText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
		if d.DataAtom == atom.Br {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func spanOf(n *html.Node, name string) int {
	for _, a := range n.Attr {
		if a.Key != name {
			continue
		}
		v := 0
		for _, r := range a.Val {
			if r < '0' || r > '9' || v > 1000 {
				return 1
			}
			v = v*10 + int(r-'0')
		}
		return max(v, 1)
	}
	return 1
}

// grid lays the rows of a table out; a cell with spans stands at every place it
// covers.
func grid(rows [][]cell) [][]*cell {
	var out [][]*cell
	at := func(r, c int) **cell {
		for len(out) <= r {
			out = append(out, nil)
		}
		for len(out[r]) <= c {
			out[r] = append(out[r], nil)
		}
		return &out[r][c]
	}
	for r, row := range rows {
		c := 0
		for i := range row {
			for *at(r, c) != nil {
				c++
			}
			for y := range row[i].rowSpan {
				for x := range row[i].colSpan {
					*at(r+y, c+x) = &row[i]
				}
			}
			c += row[i].colSpan
		}
	}
	return out
}
