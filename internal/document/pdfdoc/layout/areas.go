package layout

import (
	"slices"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// takeAreas notes the coloured backgrounds inside the grid.
func (g *grid) takeAreas(r ruling) {
	for _, a := range r.areas {
		if g.box.Grow(2).Intersect(a) == a {
			g.areas = append(g.areas, a)
		}
	}
}

// coloured says that a row is exactly as high as a coloured background: then it is
// one row, however many lines it has.
func (g *grid) coloured(r int) bool {
	return slices.ContainsFunc(g.areas, func(a page.Rect) bool {
		return abs(a.Y0-g.ys[r]) < 3 && abs(a.Y1-g.ys[r+1]) < 3
	})
}

// drawn says that there are rules in the grid that are no edges of backgrounds.
func (g *grid) drawn() bool {
	edge := func(at float64, side func(page.Rect) (float64, float64)) bool {
		return slices.ContainsFunc(g.areas, func(a page.Rect) bool {
			x, y := side(a)
			return abs(x-at) < 2 || abs(y-at) < 2
		})
	}
	return slices.ContainsFunc(g.level, func(s stroke) bool {
		return !edge(s.at, func(a page.Rect) (float64, float64) { return a.Y0, a.Y1 })
	})
}

// reachRows takes in the rows just above and below a grid that is only coloured:
// every second row of a table is, so its first and last one may not be.
func (g *grid) reachRows(words []Word) {
	if len(g.areas) == 0 || g.drawn() {
		return
	}
	above, below := g.box.Y0, g.box.Y1
	strips := stripsOf(words)
	for i := len(strips) - 1; i >= 0; i-- {
		if s := &strips[i]; s.band.Y1 <= above+2 {
			if above-s.band.Y1 > 0.9*s.size || !g.fits(s, above < g.box.Y0) {
				break
			}
			above = s.band.Y0
		}
	}
	for i := range strips {
		if s := &strips[i]; s.band.Y0 >= below-2 {
			if s.band.Y0-below > 0.9*s.size || !g.fits(s, below > g.box.Y1) {
				break
			}
			below = s.band.Y1
		}
	}
	if above < g.box.Y0 {
		g.extend(above - 1)
	}
	if below > g.box.Y1 {
		g.extend(below + 1)
	}
}

// fits says that the words of a strip stand in the columns of the grid: in several
// of them, or in one where the strip goes on with a row.
func (g *grid) fits(s *strip, goesOn bool) bool {
	columns := map[int]bool{}
	for _, w := range s.words {
		if w.Box.X0 < g.box.X0-2 || w.Box.X1 > g.box.X1+2 {
			return false
		}
		for _, x := range g.xs {
			if w.Box.X0 < x-1 && w.Box.X1 > x+1 {
				return false
			}
		}
		x, _ := w.Box.Centre()
		columns[place(g.xs, x)] = true
	}
	return len(columns) > 1 || goesOn
}

// extend adds a row between the grid and y.
func (g *grid) extend(y float64) {
	g.ys = append(g.ys, y)
	slices.Sort(g.ys)
	g.level = append(g.level, stroke{y, g.box.X0, g.box.X1})
	g.box = g.box.Union(page.Rect{X0: g.box.X0, X1: g.box.X1, Y0: y, Y1: y})
}
