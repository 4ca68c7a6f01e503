// Package grid turns the cells of a sheet into blocks: a table for each group of
// cells, be it a single one, and a paragraph for the title right above a table.
//
// A sheet is a plane, mostly empty, and its declared size means nothing. Only
// cells with text count. Blank rows cut a sheet into tables that stand one below
// the other; blank columns cut where the two sides are different tables, and
// vanish where they only keep the columns of one table apart.
package grid

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
)

// Cell is a cell with text.
type Cell struct {
	Text string
	Col  int32 // from 0
}

// Row is a row with at least one cell.
type Row struct {
	Index int // from 0
	Cells []Cell
}

// Range is a rectangle of cells, all ends included.
type Range struct{ Row1, Col1, Row2, Col2 int }

// Place is where a cell is.
type Place struct{ Row, Col int }

// Sheet is one sheet.
type Sheet struct {
	Name   string
	Merges []Range          // cells shown as one
	Links  map[Place]string // addresses that cells link to
	Whole  bool             // it is one table by nature: blank rows and columns mean nothing
	After  []*html.Node     // what floats above the cells
	Budget *Budget          // nil: no bound

	cells int    // added so far
	rows  []Row  // those that are complete
	open  Row    // the one that cells are added to
	free  []Cell // room for cells: rows share blocks of it, a large sheet has millions
}

// Budget bounds the cells of all sheets of a file together.
type Budget struct {
	left int
	Full bool // some cells were left out
}

// NewBudget allows n cells.
func NewBudget(n int) *Budget { return &Budget{left: n} }

const (
	// MaxCells is what one file may hold; what is beyond is left out.
	MaxCells = 6_000_000

	// MaxTable is what may become tables. A cell costs about 250 bytes of tree,
	// and the tree and the Markdown made of it are to stay below 500 MiB
	// together. Of a file that has more, the large sheets are given as text.
	MaxTable = 1_200_000

	largeSheet = 100_000
)

const maxColumn = 1 << 16 // more than any program has

// Add adds a cell with text; empty ones are ignored, and so is what exceeds the
// budget.
func (s *Sheet) Add(row, col int, text string) {
	if strings.TrimSpace(text) == "" || row < 0 || col < 0 || col >= maxColumn {
		return
	}
	if s.Budget != nil {
		if s.Budget.left <= 0 {
			s.Budget.Full = true
			return
		}
		s.Budget.left--
	}
	s.cells++
	if row != s.open.Index {
		s.closeRow()
		s.open.Index = row
	}
	s.open.Cells = append(s.open.Cells, Cell{Text: text, Col: int32(col)})
}

const block = 4096 // cells

// closeRow moves the open row to where it takes no more room than it needs.
func (s *Sheet) closeRow() {
	n := len(s.open.Cells)
	if n == 0 {
		return
	}
	if len(s.free) < n {
		s.free = make([]Cell, max(block, n))
	}
	copy(s.free, s.open.Cells)
	s.rows = append(s.rows, Row{s.open.Index, s.free[:n:n]})
	s.free = s.free[n:]
	s.open.Cells = s.open.Cells[:0]
}

// Len is the number of cells with text.
func (s *Sheet) Len() int { return s.cells }

// IsLarge tells whether a sheet is better given as text where memory is short.
func (s *Sheet) IsLarge() bool { return s.cells > largeSheet }

// Blocks gives the sheet: its name as a heading, its tables, and what floats
// above the cells. A sheet without anything gives nothing.
func (s *Sheet) Blocks() []*html.Node { return s.blocks(region.layout) }

// Text gives the sheet with its cells as comma-separated values in a block of
// code, which takes a tenth of the memory of a table.
func (s *Sheet) Text() []*html.Node { return s.blocks(region.text) }

func (s *Sheet) blocks(write func(region) []*html.Node) []*html.Node {
	s.closeRow()
	s.sort()
	var blocks []*html.Node
	whole := region{rows: s.rows, merges: titled(s.rows, s.Merges), links: s.Links}
	s.rows, s.open, s.free = nil, Row{}, nil // rows are let go of once they are in the tree
	whole.single = s.Whole
	if len(whole.rows) > 0 {
		blocks = write(whole)
	}
	blocks = append(blocks, s.After...)
	if len(blocks) == 0 || s.Name == "" {
		return blocks
	}
	heading := flow.Wrap("h2", []*html.Node{flow.Text(s.Name)})
	return append([]*html.Node{heading}, blocks...)
}

// sort puts rows and cells in order: a file may have them in any.
func (s *Sheet) sort() {
	byIndex := func(a, b Row) int { return a.Index - b.Index }
	if !slices.IsSortedFunc(s.rows, byIndex) {
		slices.SortStableFunc(s.rows, byIndex)
		s.rows = joinRows(s.rows)
	}
	byColumn := func(a, b Cell) int { return int(a.Col) - int(b.Col) }
	for i := range s.rows {
		if !slices.IsSortedFunc(s.rows[i].Cells, byColumn) {
			slices.SortStableFunc(s.rows[i].Cells, byColumn)
		}
	}
	slices.SortFunc(s.Merges, func(a, b Range) int { return a.Row1 - b.Row1 })
}

func joinRows(rows []Row) []Row {
	out := rows[:0]
	for _, r := range rows {
		if n := len(out); n > 0 && out[n-1].Index == r.Index {
			out[n-1].Cells = append(out[n-1].Cells, r.Cells...)
			continue
		}
		out = append(out, r)
	}
	return out
}

// titled keeps the merged cells that have text, which are the ones that show.
func titled(rows []Row, merges []Range) []Range {
	var kept []Range
	for _, m := range merges {
		i, ok := slices.BinarySearchFunc(rows, m.Row1, func(r Row, index int) int { return r.Index - index })
		if !ok || m.Row2 < m.Row1 || m.Col2 < m.Col1 {
			continue
		}
		if _, ok := slices.BinarySearchFunc(rows[i].Cells, m.Col1, byPlace); ok {
			kept = append(kept, m)
		}
	}
	return kept
}

func byPlace(c Cell, column int) int { return int(c.Col) - column }

func content(text, href string) *html.Node {
	nodes := flow.Inline([]flow.Span{{Text: text, Href: href}})
	switch len(nodes) {
	case 0:
		return flow.Text("")
	case 1:
		return nodes[0]
	}
	return flow.Wrap("span", nodes)
}
