package layout

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// Table is a grid of cells.
type Table struct {
	Box        page.Rect
	Rows, Cols int
	Cells      []Cell // from the top left, row by row; places without one are empty
}

// Cell is one cell of a table; it covers at least one row and one column.
type Cell struct {
	Row, Col         int
	RowSpan, ColSpan int
	Lines            []Line
}

// String is the text of a cell.
func (c Cell) String() string { return JoinLines(c.Lines) }

// String is the text of the table: a line per row, cells parted by tabs.
func (t *Table) String() string {
	var b strings.Builder
	row := 0
	for i := range t.Cells {
		c := &t.Cells[i]
		for ; row < c.Row; row++ {
			b.WriteByte('\n')
		}
		if c.Col > 0 {
			b.WriteByte('\t')
		}
		b.WriteString(c.String())
	}
	return b.String()
}

// sort puts the cells in order and drops rows and columns nothing stands in.
func (t *Table) tidy() {
	rows, cols := make([]bool, t.Rows), make([]bool, t.Cols)
	for i := range t.Cells {
		if len(t.Cells[i].Lines) > 0 {
			rows[t.Cells[i].Row] = true
			cols[t.Cells[i].Col] = true
		}
	}
	rowAt, colAt := places(rows), places(cols)
	kept := t.Cells[:0]
	for _, c := range t.Cells {
		endRow, endCol := rowAt[c.Row+c.RowSpan], colAt[c.Col+c.ColSpan]
		c.Row, c.Col = rowAt[c.Row], colAt[c.Col]
		c.RowSpan, c.ColSpan = endRow-c.Row, endCol-c.Col
		if c.RowSpan > 0 && c.ColSpan > 0 {
			kept = append(kept, c)
		}
	}
	t.Cells, t.Rows, t.Cols = kept, rowAt[len(rows)], colAt[len(cols)]
	slices.SortFunc(t.Cells, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Col, b.Col))
	})
}

// places counts, for every index, the used ones before it.
func places(used []bool) []int {
	at := make([]int, len(used)+1)
	for i, u := range used {
		at[i+1] = at[i] + count(u)
	}
	return at
}

// filled counts the cells with text.
func (t *Table) filled() int {
	n := 0
	for i := range t.Cells {
		n += count(len(t.Cells[i].Lines) > 0)
	}
	return n
}

func tableBlocks(tables []*Table) []Block {
	var blocks []Block
	for _, t := range tables {
		blocks = append(blocks, Block{Kind: TableBlock, Box: t.Box, Table: t})
	}
	return blocks
}
