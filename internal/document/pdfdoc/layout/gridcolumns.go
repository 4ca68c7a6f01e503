package layout

import (
	"slices"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// splitColumns adds the column borders that were left out: where most rows of a
// ruled column have the same white in the middle, it is two columns. Rows whose
// words cross the new border keep one cell.
func (g *grid) splitColumns(words []Word) {
	var more []float64
	for c := 0; c+1 < len(g.xs); c++ {
		column := page.Rect{X0: g.xs[c], X1: g.xs[c+1], Y0: g.box.Y0, Y1: g.box.Y1}
		inside := within(words, column.Grow(-1))
		more = append(more, hiddenColumns(inside)...)
	}
	for _, x := range more {
		for r := 0; r+1 < len(g.ys); r++ {
			if g.bothSides(words, r, x) {
				g.upright = append(g.upright, stroke{x, g.ys[r], g.ys[r+1]})
			}
		}
	}
	g.xs = append(g.xs, more...)
	slices.Sort(g.xs)
}

// leastHidden is how many rows must show a border that is not drawn.
const leastHidden = 4

// hiddenColumns gives the borders inside a column.
func hiddenColumns(words []Word) []float64 {
	var multi []row
	rows := rowsOf(words)
	for _, r := range rows {
		if len(r.segments) > 1 {
			multi = append(multi, r)
		}
	}
	if len(multi) < leastHidden || 10*len(multi) < 7*len(rows) {
		return nil
	}
	cores := columnCores(multi)
	if wordy(multi, cores) {
		return nil
	}
	var borders []float64
	for i := 1; i < len(cores); i++ {
		borders = append(borders, (cores[i-1].x1+cores[i].x0)/2)
	}
	return borders
}

// bothSides says that a row has words left and right of x and none across it.
func (g *grid) bothSides(words []Word, r int, x float64) bool {
	c := place(g.xs, x)
	cell := page.Rect{X0: g.xs[c], X1: g.xs[c+1], Y0: g.ys[r], Y1: g.ys[r+1]}
	inside := within(words, cell.Grow(-1))
	left, right := false, false
	for _, w := range inside {
		if w.Box.X0 < x && w.Box.X1 > x {
			return false
		}
		left = left || w.Box.X1 <= x
		right = right || w.Box.X0 >= x
	}
	return left && right
}
