package layout

import (
	"slices"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// maxGrid bounds the cells of one ruled grid; millimetre paper is no table.
const maxGrid = 40_000

// touching is how far the ends of two rules may miss each other.
const touching = 3.5

// latticeTables finds tables whose cells are ruled, and gives them with the words
// that are in none.
func latticeTables(r ruling, words []Word) ([]*Table, []Word) {
	var tables []*Table
	for _, g := range gridsOf(r) {
		if insideTable(g.box, tables) {
			continue // another one has reached over it
		}
		g.reach(r, words)
		g.takeAreas(r)
		g.reachRows(words)
		g.splitColumns(words)
		t := g.table(within(words, g.box))
		if t == nil {
			continue
		}
		tables = append(tables, t)
		words = without(words, g.box) // the grid may have become smaller
	}
	return tables, words
}

// within gives the words that stand in a box.
func within(words []Word, box page.Rect) []Word { return pick(words, box, true) }

// without gives the words that do not.
func without(words []Word, box page.Rect) []Word { return pick(words, box, false) }

// pick gives the words that are inside of a box, or those that are outside. It is
// asked for every cell that may hide another row, so it makes room only once it
// knows for how many.
func pick(words []Word, box page.Rect, inside bool) []Word {
	area := box.Grow(1)
	n := 0
	for i := range words {
		if area.Holds(words[i].Box.Centre()) == inside {
			n++
		}
	}
	if n == 0 || n == len(words) {
		return words[:n:n]
	}
	picked := make([]Word, 0, n)
	for i := range words {
		if area.Holds(words[i].Box.Centre()) == inside {
			picked = append(picked, words[i])
		}
	}
	return picked
}

// grid is rules that cross each other.
type grid struct {
	box            page.Rect
	level, upright []stroke
	xs, ys         []float64
	words          []Word
	areas          []page.Rect // coloured backgrounds inside
}

// gridsOf groups the rules that touch, and keeps the groups with cells.
func gridsOf(r ruling) []*grid {
	groups := groupStrokes(r)
	var grids []*grid
	for _, g := range groups {
		if len(g.level) < 2 || len(g.upright) < 1 {
			continue
		}
		g.measure()
		n := (len(g.xs) - 1) * (len(g.ys) - 1)
		if len(g.xs) < 2 || len(g.ys) < 2 || n < 2 || n > maxGrid {
			continue
		}
		grids = append(grids, g)
	}
	return joinStripes(outermost(grids))
}

// groupStrokes joins rules that touch into groups.
func groupStrokes(r ruling) []*grid {
	n := len(r.level)
	parent := make([]int, n+len(r.upright))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i, h := range r.level {
		for j, v := range r.upright {
			if v.at >= h.from-touching && v.at <= h.to+touching && h.at >= v.from-touching && h.at <= v.to+touching {
				parent[find(i)] = find(n + j)
			}
		}
	}
	byRoot := map[int]*grid{}
	var groups []*grid
	at := func(i int) *grid {
		root := find(i)
		if byRoot[root] == nil {
			byRoot[root] = &grid{}
			groups = append(groups, byRoot[root])
		}
		return byRoot[root]
	}
	for i, h := range r.level {
		g := at(i)
		g.level = append(g.level, h)
	}
	for j, v := range r.upright {
		g := at(n + j)
		g.upright = append(g.upright, v)
	}
	return groups
}

// measure finds the lines of the grid. The box around all rules closes it: many
// tables have no border at the sides.
func (g *grid) measure() {
	for _, h := range g.level {
		g.box = g.box.Union(page.Rect{X0: h.from, X1: h.to, Y0: h.at, Y1: h.at})
		g.ys = append(g.ys, h.at)
	}
	for _, v := range g.upright {
		g.box = g.box.Union(page.Rect{X0: v.at, X1: v.at, Y0: v.from, Y1: v.to})
		g.xs = append(g.xs, v.at)
	}
	g.xs = cluster(append(g.xs, g.box.X0, g.box.X1), 4)
	g.ys = cluster(append(g.ys, g.box.Y0, g.box.Y1), 4)
}

// cluster sorts values and makes one of those nearer than tolerance.
func cluster(values []float64, tolerance float64) []float64 {
	slices.Sort(values)
	out := values[:0:0]
	for _, v := range values {
		if len(out) == 0 || v-out[len(out)-1] > tolerance {
			out = append(out, v)
		}
	}
	return out
}

// outermost drops grids that lie inside another, and those that are only a frame
// around others.
func outermost(grids []*grid) []*grid {
	var out []*grid
	for i, g := range grids {
		drop := false
		for j, o := range grids {
			if i == j {
				continue
			}
			switch {
			case g.frames(o):
				drop = true
			case o.frames(g):
			case o.surrounds(g) && (o.box.Area() > g.box.Area() || j < i):
				drop = true
			}
		}
		if !drop {
			out = append(out, g)
		}
	}
	return out
}

// surrounds says that the other grid lies inside this one.
func (g *grid) surrounds(o *grid) bool { return g.box.Grow(2).Intersect(o.box) == o.box }

// frames says that the other grid, with more cells than this one, lies inside one
// cell of it.
func (g *grid) frames(o *grid) bool {
	if !g.surrounds(o) || len(o.xs)*len(o.ys) <= len(g.xs)*len(g.ys) {
		return false
	}
	x, y := place(g.xs, o.box.X0+3), place(g.ys, o.box.Y0+3)
	return x == place(g.xs, o.box.X1-3) && y == place(g.ys, o.box.Y1-3)
}

// parted says whether a rule lies at the border between two neighbouring places.
func parted(strokes []stroke, at, from, to float64) bool {
	covered := 0.0
	for _, s := range strokes {
		if abs(s.at-at) <= 4 {
			covered += max(0, min(s.to, to)-max(s.from, from))
		}
	}
	return covered >= 0.6*(to-from)
}
