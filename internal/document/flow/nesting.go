package flow

import (
	"slices"

	"golang.org/x/net/html"
)

// CellDef describes a cell by the place of its right edge on the page, which is
// how formats describe tables that have no grid of columns.
type CellDef struct {
	Edge   int
	GoesOn bool // merged with the cell above
	Down   bool // begins a merge downwards
	Along  bool // merged with the cell before it
}

// RowDef describes the cells of a row.
type RowDef struct {
	Cells  []CellDef
	Header bool
}

// Nesting writes text with tables whose cells and rows come to an end at marks
// in the text, tables inside cells included.
type Nesting struct {
	levels []*tableLevel // the text itself, then the tables that are open
}

// tableLevel is a table that is open, or at the bottom the text itself.
type tableLevel struct {
	w     *Writer // the cell that is being written
	row   []Cell
	rows  [][]Cell
	edges [][]int // right edges of the cells of each row
	above map[int]cellPlace
}

type cellPlace struct{ row, cell int }

const (
	maxNesting   = 30
	maxGridEdges = 64
)

// NewNesting gives an empty text.
func NewNesting() *Nesting {
	return &Nesting{levels: []*tableLevel{newLevel()}}
}

func newLevel() *tableLevel {
	return &tableLevel{w: New(), above: map[int]cellPlace{}}
}

// Writer gives the place for a paragraph that so many tables are around.
func (n *Nesting) Writer(depth int) *Writer {
	n.enter(depth)
	return n.levels[len(n.levels)-1].w
}

// Nodes closes what is open and gives the blocks.
func (n *Nesting) Nodes() []*html.Node {
	n.enter(0)
	return n.levels[0].w.Nodes()
}

// enter opens or closes tables until so many are around the text.
func (n *Nesting) enter(depth int) {
	depth = min(max(depth, 0), maxNesting)
	for len(n.levels)-1 < depth {
		n.levels = append(n.levels, newLevel())
	}
	for len(n.levels)-1 > depth {
		last := len(n.levels) - 1
		inner := n.levels[last]
		n.levels = n.levels[:last]
		inner.endRow(RowDef{})
		if table := inner.table(); table != nil {
			n.levels[last-1].w.Block(table)
		}
	}
}

// EndCell ends a cell of the table at that depth, the outermost being 1.
func (n *Nesting) EndCell(depth int) {
	n.enter(max(depth, 1))
	l := n.levels[len(n.levels)-1]
	l.row = append(l.row, Cell{Nodes: l.w.Nodes()})
	l.w = New()
}

// EndRow ends a row of the table at that depth.
func (n *Nesting) EndRow(depth int, def RowDef) {
	n.enter(max(depth, 1))
	n.levels[len(n.levels)-1].endRow(def)
}

// endRow lays the description of the row over its cells.
func (l *tableLevel) endRow(def RowDef) {
	if nodes := l.w.Nodes(); len(nodes) > 0 { // text after the last cell
		l.row = append(l.row, Cell{Nodes: nodes})
	}
	if len(l.row) == 0 {
		return
	}
	var kept []Cell
	var edges []int
	for i, c := range l.row {
		var d CellDef
		if i < len(def.Cells) {
			d = def.Cells[i]
		}
		c.Header = def.Header
		edges = append(edges, d.Edge)
		if l.merged(d, &kept) {
			continue
		}
		kept = append(kept, c)
	}
	l.rows = append(l.rows, kept)
	l.edges = append(l.edges, edges)
	l.row = nil
}

// merged tells whether a cell is part of one that was there before, and makes
// that one larger.
func (l *tableLevel) merged(d CellDef, kept *[]Cell) bool {
	from, open := l.above[d.Edge]
	open = open && from.row < len(l.rows) // not begun by a cell of this very row
	switch {
	case d.Along && len(*kept) > 0:
		last := &(*kept)[len(*kept)-1]
		last.ColSpan = max(last.ColSpan, 1) + 1
		return true
	case d.GoesOn && open:
		l.rows[from.row][from.cell].RowSpan = len(l.rows) - from.row + 1
		return true
	case d.Down:
		l.above[d.Edge] = cellPlace{len(l.rows), len(*kept)}
	default:
		delete(l.above, d.Edge)
	}
	return false
}

// table builds the table. Where rows have cells of different widths, a cell
// covers as many columns as it has right edges of other rows below it.
func (l *tableLevel) table() *html.Node {
	var grid []int
	for _, edges := range l.edges {
		grid = append(grid, edges...)
	}
	slices.Sort(grid)
	grid = slices.Compact(grid)
	known := len(grid) > 0 && len(grid) <= maxGridEdges && grid[0] != 0
	for r, row := range l.rows {
		if !known || len(row) != len(l.edges[r]) { // cells that were merged are counted already
			continue
		}
		column := 0
		for i := range row {
			at, _ := slices.BinarySearch(grid, l.edges[r][i])
			if span := at + 1 - column; span > 1 && row[i].ColSpan == 0 {
				row[i].ColSpan = span
			}
			column = max(at+1, column)
		}
	}
	return Table(l.rows)
}
