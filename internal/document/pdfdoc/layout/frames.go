package layout

import "github.com/trawlhq/trawl/internal/document/pdfdoc/page"

// trim cuts rows off the head and foot of a grid that hold running text across all
// columns: the grid hangs on the frame of a page or of a box of text. It gives the
// words that are left.
func (g *grid) trim(words []Word) []Word {
	for len(g.ys) > 2 && g.holdsProse(words, 0) {
		g.cut(1, len(g.ys))
	}
	for len(g.ys) > 2 && g.holdsProse(words, len(g.ys)-2) {
		g.cut(0, len(g.ys)-1)
	}
	inside := within(words, g.box)
	return inside
}

// cut keeps the lines of the grid from one to another.
func (g *grid) cut(from, to int) {
	g.ys = g.ys[from:to]
	g.box.Y0, g.box.Y1 = g.ys[0], g.ys[len(g.ys)-1]
}

// proseRows is how many lines of running text make a row of a grid a box of text.
const proseRows = 4

// holdsProse says that a row has lines of running text that cross its columns.
func (g *grid) holdsProse(words []Word, r int) bool {
	if len(g.xs) < 3 {
		return false
	}
	band := page.Rect{X0: g.box.X0, X1: g.box.X1, Y0: g.ys[r], Y1: g.ys[r+1]}
	inside := within(words, band.Grow(-1))
	if len(inside) < 5*proseRows || !g.openRow(r) {
		return false
	}
	lines := 0
	for _, row := range rowsOf(inside) {
		for _, s := range row.segments {
			lines += count(isProse(s) && g.crossesColumn(s))
		}
	}
	return lines >= proseRows
}

func (g *grid) crossesColumn(l Line) bool {
	for _, x := range g.xs[1 : len(g.xs)-1] {
		if l.Box.X0 < x-2 && l.Box.X1 > x+2 {
			return true
		}
	}
	return false
}
