package pdfdoc

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/layout"
)

// tableNode writes a table; its first row names the columns where it holds no
// figures.
func tableNode(t *layout.Table) *html.Node {
	table := element(atom.Table)
	head, body := element(atom.Thead), element(atom.Tbody)
	named := t.Rows > 1 && namesColumns(t)
	var tr *html.Node
	row := -1
	for i := range t.Cells {
		c := &t.Cells[i]
		for ; row < c.Row; row++ {
			tr = element(atom.Tr)
			if named && row == -1 {
				head.AppendChild(tr)
			} else {
				body.AppendChild(tr)
			}
		}
		tr.AppendChild(cellNode(c, named && c.Row == 0))
	}
	if named {
		table.AppendChild(head)
	}
	table.AppendChild(body)
	return table
}

func namesColumns(t *layout.Table) bool {
	letters, figures := 0, 0
	for i := range t.Cells {
		if t.Cells[i].Row > 0 {
			break
		}
		if text := t.Cells[i].String(); strings.ContainsFunc(text, unicode.IsLetter) {
			letters++
		} else if strings.ContainsFunc(text, unicode.IsDigit) {
			figures++
		}
	}
	return letters > 0 && letters >= figures
}

func cellNode(c *layout.Cell, header bool) *html.Node {
	n := element(atom.Td)
	if header {
		n = element(atom.Th)
	}
	if c.ColSpan > 1 {
		n.Attr = append(n.Attr, html.Attribute{Key: "colspan", Val: strconv.Itoa(c.ColSpan)})
	}
	if c.RowSpan > 1 {
		n.Attr = append(n.Attr, html.Attribute{Key: "rowspan", Val: strconv.Itoa(c.RowSpan)})
	}
	if text := c.String(); text != "" {
		n.AppendChild(textNode(text))
	}
	return n
}
