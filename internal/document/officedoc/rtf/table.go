package rtf

import "github.com/trawlhq/trawl/internal/document/flow"

const maxCells = 500 // of a row

// rowDef describes the cells of the rows that follow.
type rowDef struct {
	flow.RowDef
	next flow.CellDef // what was said about the next cell so far
}

// tableFormat carries out a command that describes a row.
func (s *story) tableFormat(t token, nested bool) bool {
	d := &s.outerRow
	if nested {
		d = &s.nestedRow
	}
	switch t.word {
	case "trowd":
		*d = rowDef{}
	case "trhdr":
		d.Header = true
	case "clvmgf":
		d.next.Down = true
	case "clvmrg":
		d.next.GoesOn = true
	case "clmrg":
		d.next.Along = true
	case "cellx":
		d.next.Edge = t.number
		if len(d.Cells) < maxCells {
			d.Cells = append(d.Cells, d.next)
		}
		d.next = flow.CellDef{}
	default:
		return false
	}
	return true
}
