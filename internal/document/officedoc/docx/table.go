package docx

import (
	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// table reads a table. Cells that are merged downwards point to the cell that
// began the merge, column by column.
func (r *reader) table(n *xmlpull.Node) *html.Node {
	var rows [][]flow.Cell
	type place struct{ row, cell int }
	above := map[int]place{} // by column: the cell that a merge goes on from
	for _, tr := range gather(n, "w:tr") {
		props := tr.Child("w:trPr")
		if props.Child("w:del") != nil {
			continue
		}
		header := enabled(props.Child("w:tblHeader"))
		var row []flow.Cell
		column := 0
		if before, _ := number(props.Child("w:gridBefore")); before > 0 && before < maxColumns {
			row = append(row, flow.Cell{ColSpan: before})
			column = before
		}
		for _, tc := range gather(tr, "w:tc") {
			tcPr := tc.Child("w:tcPr")
			span, _ := number(tcPr.Child("w:gridSpan"))
			span = min(max(span, 1), maxColumns)
			merge := tcPr.Child("w:vMerge")
			from, known := above[column]
			if merge != nil && merge.Attr("w:val") != "restart" && known {
				cell := &rows[from.row][from.cell]
				cell.RowSpan = len(rows) - from.row + 1
				column += span
				continue
			}
			delete(above, column)
			if merge != nil {
				above[column] = place{len(rows), len(row)}
			}
			row = append(row, flow.Cell{Nodes: r.cell(tc), ColSpan: span, Header: header})
			column += span
		}
		rows = append(rows, row)
	}
	return flow.Table(rows)
}

const maxColumns = 256 // Word itself allows 63

// cell reads the blocks of a cell.
func (r *reader) cell(tc *xmlpull.Node) []*html.Node {
	outer := r.inCell
	r.inCell = true
	w := flow.New()
	r.blocks(w, tc)
	r.flushCarry(w)
	r.inCell = outer
	return w.Nodes()
}

// gather finds rows or cells, also inside the wrappers that content controls
// and tracked changes put around them.
func gather(n *xmlpull.Node, name string) []*xmlpull.Node {
	var found []*xmlpull.Node
	for _, k := range n.Kids {
		switch k.Name {
		case name:
			found = append(found, k)
		case "w:sdt":
			if content := k.Child("w:sdtContent"); content != nil {
				found = append(found, gather(content, name)...)
			}
		case "w:ins", "w:moveTo", "w:customXml":
			found = append(found, gather(k, name)...)
		}
	}
	return found
}
