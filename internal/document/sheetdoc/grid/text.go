package grid

import (
	"encoding/csv"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
)

// text writes a whole sheet as comma-separated values. Columns without text are
// left out, as in tables.
func (g region) text() []*html.Node {
	columns := usedColumns(g.rows)
	scattered := len(g.rows)*len(columns) > maxPlaces
	var b strings.Builder
	w := csv.NewWriter(&b)
	var record []string
	for i, r := range g.rows {
		record = record[:0]
		for _, c := range r.Cells {
			at, _ := slices.BinarySearch(columns, int(c.Col))
			for len(record) < at && !scattered {
				record = append(record, "")
			}
			record = append(record, c.Text)
		}
		if err := w.Write(record); err != nil { // writes to memory: only a bad separator can fail
			break
		}
		g.rows[i].Cells = nil
	}
	w.Flush()
	code := flow.Wrap("code", []*html.Node{flow.Text(b.String())})
	flow.SetAttr(code, "class", "language-csv")
	return []*html.Node{flow.Wrap("pre", []*html.Node{code})}
}
