package layout

import (
	"cmp"
	"slices"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// joinStripes makes one grid of those that are rows of one table: cells coloured
// in every second row only, or groups of rows with white between them.
func joinStripes(grids []*grid) []*grid {
	slices.SortFunc(grids, func(a, b *grid) int { return cmp.Compare(a.box.Y0, b.box.Y0) })
	var out []*grid
	for _, g := range grids {
		joined := false
		for _, o := range out {
			if o.continuedBy(g) {
				o.absorb(g)
				joined = true
				break
			}
		}
		if !joined {
			out = append(out, g)
		}
	}
	return out
}

// continuedBy says that h is below g, as wide as it, and not much further away
// than a row is high.
func (g *grid) continuedBy(h *grid) bool {
	if abs(g.box.X0-h.box.X0) > 5 || abs(g.box.X1-h.box.X1) > 5 {
		return false
	}
	gap := h.box.Y0 - g.box.Y1
	row := max(g.tallestRow(), h.tallestRow())
	return gap > -2 && gap < 2.3*row && gap < 60 && sameLines(g.xs, h.xs)
}

func (g *grid) tallestRow() float64 {
	tallest := 0.0
	for i := 1; i < len(g.ys); i++ {
		tallest = max(tallest, g.ys[i]-g.ys[i-1])
	}
	return tallest
}

// sameLines says that every line of the smaller set is in the larger one.
func sameLines(a, b []float64) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for _, x := range a {
		if !slices.ContainsFunc(b, func(y float64) bool { return abs(x-y) < 5 }) {
			return false
		}
	}
	return true
}

func (g *grid) absorb(h *grid) {
	g.level = append(g.level, h.level...)
	g.upright = append(g.upright, h.upright...)
	g.box = g.box.Union(h.box)
	g.xs = cluster(append(g.xs, h.xs...), 4)
	g.ys = cluster(append(g.ys, h.ys...), 4)
}

// farthestRule is how far from a grid a rule may be that belongs to it, in points.
const farthestRule = 60

// reach takes in the rows between the grid and a rule of its width above or below:
// a head whose cells are not coloured, a line of totals.
func (g *grid) reach(r ruling, words []Word) {
	for range 3 {
		grown := false
		for _, s := range r.level {
			if abs(s.from-g.box.X0) > 5 || abs(s.to-g.box.X1) > 5 {
				continue
			}
			above := page.Rect{X0: s.from, X1: s.to, Y0: s.at, Y1: g.box.Y0}
			below := page.Rect{X0: s.from, X1: s.to, Y0: g.box.Y1, Y1: s.at}
			for _, band := range []page.Rect{above, below} {
				if band.Height() < 6 || band.Height() > farthestRule {
					continue
				}
				if !g.tabular(words, band) {
					continue
				}
				g.level = append(g.level, s)
				g.box = g.box.Union(band)
				g.ys = cluster(append(g.ys, s.at), 4)
				grown = true
				break
			}
		}
		if !grown {
			return
		}
	}
}

// tabular says that a line of words in the band stands in the grid's columns.
func (g *grid) tabular(words []Word, band page.Rect) bool {
	inside := within(words, band)
	for _, s := range stripsOf(inside) {
		if g.fits(&s, false) {
			return true
		}
	}
	return false
}

// openRow says that no rule is drawn between the columns of a row.
func (g *grid) openRow(r int) bool {
	for k := 1; k+1 < len(g.xs); k++ {
		if parted(g.upright, g.xs[k], g.ys[r], g.ys[r+1]) {
			return false
		}
	}
	return len(g.xs) > 2
}

// wordsIn says that a row has words in more than one column.
func (g *grid) wordsIn(r int) bool {
	first := -1
	for i := range g.words {
		x, y := g.words[i].Box.Centre()
		if y < g.ys[r] || y > g.ys[r+1] {
			continue
		}
		if c := place(g.xs, x); first < 0 {
			first = c
		} else if c != first {
			return true
		}
	}
	return false
}

// crossed says that a word stands across x in a row.
func (g *grid) crossed(r int, x float64) bool {
	for i := range g.words {
		w := &g.words[i]
		_, y := w.Box.Centre()
		if y > g.ys[r] && y < g.ys[r+1] && w.Box.X0 < x-1 && w.Box.X1 > x+1 {
			return true
		}
	}
	return false
}
