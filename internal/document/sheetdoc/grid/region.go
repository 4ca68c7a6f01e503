package grid

import (
	"slices"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
)

// region is a part of a sheet.
type region struct {
	rows   []Row
	merges []Range // by their first row; each begins at a cell of rows
	links  map[Place]string
	single bool // one table by nature
}

// layout writes a whole sheet, table by table.
func (g region) layout() []*html.Node {
	if g.single {
		return []*html.Node{g.table()}
	}
	var blocks []*html.Node
	for _, band := range g.bands() {
		blocks = append(blocks, band.blocks(0)...)
	}
	return blocks
}

// bands cuts a region at blank rows, except where a merged cell bridges the gap.
func (g region) bands() []region {
	var bands []region
	start, firstMerge, merge, reach := 0, 0, 0, -1
	for i, r := range g.rows {
		if i > start && r.Index > g.rows[i-1].Index+1 && reach < r.Index {
			bands = append(bands, region{rows: g.rows[start:i], merges: g.merges[firstMerge:merge], links: g.links})
			start, firstMerge = i, merge
		}
		for merge < len(g.merges) && g.merges[merge].Row1 <= r.Index {
			reach = max(reach, g.merges[merge].Row2)
			merge++
		}
	}
	if start < len(g.rows) {
		bands = append(bands, region{rows: g.rows[start:], merges: g.merges[firstMerge:], links: g.links})
	}
	return bands
}

const (
	maxCuts  = 8  // tables side by side, inside each other's bands
	maxTries = 64 // blank columns that are looked at: each look costs a walk over the rows
)

// blocks writes a region without blank rows.
func (g region) blocks(depth int) []*html.Node {
	first, second, ok := g.cut()
	if !ok {
		first, second, ok = g.step()
	}
	if ok && depth < maxCuts {
		var blocks []*html.Node
		for _, part := range []region{first, second} {
			for _, band := range part.bands() {
				blocks = append(blocks, band.blocks(depth+1)...)
			}
		}
		return blocks
	}
	if g.titled() {
		return append([]*html.Node{g.title()}, g.below(1).blocks(maxCuts)...)
	}
	return []*html.Node{g.table()}
}

// title writes the first cell as a paragraph.
func (g region) title() *html.Node {
	row := g.rows[0]
	href := g.links[Place{row.Index, int(row.Cells[0].Col)}]
	return flow.Wrap("p", []*html.Node{content(row.Cells[0].Text, href)})
}

// titled tells whether the first row is a title above the table: one cell, at
// the left, over a row with several. A merged one is a title only over the whole
// width of a table that has its header below: in a narrow table it is the header.
func (g region) titled() bool {
	if len(g.rows) < 2 || len(g.rows[0].Cells) != 1 || len(g.rows[1].Cells) < 2 {
		return false
	}
	columns := usedColumns(g.rows)
	if int(g.rows[0].Cells[0].Col) != columns[0] {
		return false
	}
	if len(g.merges) == 0 || g.merges[0].Row1 != g.rows[0].Index {
		return true
	}
	m := g.merges[0]
	return m.Row2 == m.Row1 && m.Col2 >= columns[len(columns)-1] && len(columns) >= wideTable &&
		len(g.rows[1].Cells) == len(columns)
}

const wideTable = 4 // columns

// below gives the region without its first n rows.
func (g region) below(n int) region {
	from := g.rows[n].Index
	i, _ := slices.BinarySearchFunc(g.merges, from, func(m Range, row int) int { return m.Row1 - row })
	return region{rows: g.rows[n:], merges: g.merges[i:], links: g.links}
}

// step divides a region where it moves sideways: what is above and what is
// below have no column in common, so they only touch at a corner.
func (g region) step() (above, below region, ok bool) {
	n := len(g.rows)
	type reach struct{ first, last int }
	under := make([]reach, n+1) // columns used from a row on
	under[n] = reach{1 << 30, -1}
	for i := n - 1; i >= 0; i-- {
		cells := g.rows[i].Cells
		under[i] = reach{min(under[i+1].first, int(cells[0].Col)), max(under[i+1].last, int(cells[len(cells)-1].Col))}
	}
	over, bridge := reach{1 << 30, -1}, -1
	merge := 0
	for i, r := range g.rows {
		if i > 0 && bridge < r.Index && (over.last < under[i].first || over.first > under[i].last) {
			return region{rows: g.rows[:i], merges: g.merges[:merge], links: g.links}, g.below(i), true
		}
		over = reach{min(over.first, int(r.Cells[0].Col)), max(over.last, int(r.Cells[len(r.Cells)-1].Col))}
		for ; merge < len(g.merges) && g.merges[merge].Row1 <= r.Index; merge++ {
			bridge = max(bridge, g.merges[merge].Row2)
			over.last = max(over.last, g.merges[merge].Col2)
		}
	}
	return region{}, region{}, false
}

// cut divides a region at a blank column between two different tables.
func (g region) cut() (left, right region, ok bool) {
	columns := usedColumns(g.rows)
	byColumn := slices.SortedFunc(slices.Values(g.merges), func(a, b Range) int { return a.Col1 - b.Col1 })
	merge, reach, tries := 0, -1, 0
	for i, at := range columns {
		if i > 0 && at > columns[i-1]+1 && reach < at && tries < maxTries {
			tries++
			if left, right = g.divide(at); differ(left.rows, right.rows) {
				return left, right, true
			}
		}
		for merge < len(byColumn) && byColumn[merge].Col1 <= at {
			reach = max(reach, byColumn[merge].Col2)
			merge++
		}
	}
	return region{}, region{}, false
}

func usedColumns(rows []Row) []int {
	var seen [maxColumn / 64]uint64
	last := 0
	for _, r := range rows {
		for _, c := range r.Cells {
			seen[c.Col/64] |= 1 << (c.Col % 64)
			last = max(last, int(c.Col))
		}
	}
	var columns []int
	for c := range last + 1 {
		if seen[c/64]&(1<<(c%64)) != 0 {
			columns = append(columns, c)
		}
	}
	return columns
}

func (g region) divide(at int) (left, right region) {
	left.links, right.links = g.links, g.links
	for _, r := range g.rows {
		i, _ := slices.BinarySearchFunc(r.Cells, at, byPlace)
		if i > 0 {
			left.rows = append(left.rows, Row{r.Index, r.Cells[:i]})
		}
		if i < len(r.Cells) {
			right.rows = append(right.rows, Row{r.Index, r.Cells[i:]})
		}
	}
	for _, m := range g.merges {
		if m.Col1 < at {
			left.merges = append(left.merges, m)
		} else {
			right.merges = append(right.merges, m)
		}
	}
	return left, right
}

// differ tells whether two sides of a blank column are tables of their own:
// they share fewer than half of their rows. Columns of one table share most.
func differ(left, right []Row) bool {
	shared := 0
	for i, j := 0, 0; i < len(left) && j < len(right); {
		switch {
		case left[i].Index < right[j].Index:
			i++
		case left[i].Index > right[j].Index:
			j++
		default:
			shared++
			i++
			j++
		}
	}
	return 2*shared < len(left)+len(right)-shared
}
