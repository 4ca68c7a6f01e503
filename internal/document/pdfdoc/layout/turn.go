package layout

import (
	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// straighten turns the page so that most of its text is upright. What is turned
// otherwise becomes blocks of its own: stamps along the margin, labels of axes.
func straighten(p *page.Page) (*page.Page, []Block) {
	var counts [5]int
	for i := range p.Glyphs {
		counts[p.Glyphs[i].Turn]++
	}
	most := page.Upright
	for t := page.Upright; t < page.Slanted; t++ {
		if counts[t] > counts[most] {
			most = t
		}
	}
	if counts[most] == len(p.Glyphs) && most == page.Upright {
		return p, nil
	}
	out := turned(p, most)
	var aside []Block
	for t := page.Down; t < page.Slanted; t++ {
		if counts[(most+t)%4] == 0 {
			continue
		}
		aside = append(aside, asideBlocks(turned(p, (most+t)%4), out, t)...)
	}
	if counts[page.Slanted] > 0 {
		aside = append(aside, slantedBlocks(p)...)
	}
	return out, aside
}

// largeSlant is the size from which slanted text is a watermark.
const largeSlant = 36

// slantedBlocks reads text that runs at an angle in the order of the file, a block
// for each run of it.
func slantedBlocks(p *page.Page) []Block {
	var blocks []Block
	var run []page.Glyph
	end := func() {
		if b, ok := slantedBlock(run); ok {
			blocks = append(blocks, b)
		}
		run = run[:0]
	}
	for _, g := range p.Glyphs {
		if g.Turn != page.Slanted {
			continue
		}
		if n := len(run); n > 0 {
			x, y := g.Box.Centre()
			if !run[n-1].Box.Grow(1.5*g.Size).Holds(x, y) {
				end()
			}
		}
		run = append(run, g)
	}
	end()
	return blocks
}

// slantedBlock lays the glyphs of a run out level, each where the one before ends.
func slantedBlock(run []page.Glyph) (Block, bool) {
	flat := page.Page{Glyphs: make([]page.Glyph, len(run)), Fonts: nil}
	var box page.Rect
	x := 0.0
	for i, g := range run {
		box = box.Union(g.Box)
		g.Box = page.Rect{X0: x, X1: x + 0.5*g.Size, Y1: g.Size}
		g.Base, g.Turn = 0, page.Upright
		x = g.Box.X1
		flat.Glyphs[i] = g
	}
	words := wordsOf(&flat)
	if len(words) == 0 {
		return Block{}, false
	}
	line := lineOf(words)
	line.Box = box
	b := Block{Kind: Text, Box: box, Lines: []Line{line}}
	if line.Size >= largeSlant {
		b.Kind = Aside
	}
	return b, true
}

// turned is the page as someone sees it who reads text of this direction; only
// that text is on it.
func turned(p *page.Page, t page.Turn) *page.Page {
	out := &page.Page{Number: p.Number, Width: p.Width, Height: p.Height, Fonts: p.Fonts}
	if t%2 == 1 {
		out.Width, out.Height = p.Height, p.Width
	}
	for _, g := range p.Glyphs {
		if g.Turn != t {
			continue
		}
		g.Base = turnBase(g.Base, p, t)
		g.Box = turnRect(g.Box, p, t)
		g.Turn = page.Upright
		out.Glyphs = append(out.Glyphs, g)
	}
	for _, r := range p.Rules {
		r.Rect = turnRect(r.Rect, p, t)
		out.Rules = append(out.Rules, r)
	}
	for _, r := range p.Images {
		out.Images = append(out.Images, turnRect(r, p, t))
	}
	for _, l := range p.Links {
		l.Rect = turnRect(l.Rect, p, t)
		out.Links = append(out.Links, l)
	}
	return out
}

// turnRect moves a rectangle as the page is turned back by t.
func turnRect(r page.Rect, p *page.Page, t page.Turn) page.Rect {
	switch t {
	case page.Down: // reads downwards: turn it anticlockwise
		return page.Rect{X0: r.Y0, X1: r.Y1, Y0: p.Width - r.X1, Y1: p.Width - r.X0}
	case page.Flipped:
		return page.Rect{X0: p.Width - r.X1, X1: p.Width - r.X0, Y0: p.Height - r.Y1, Y1: p.Height - r.Y0}
	case page.Up: // reads upwards: turn it clockwise
		return page.Rect{X0: p.Height - r.Y1, X1: p.Height - r.Y0, Y0: r.X0, Y1: r.X1}
	}
	return r
}

func turnBase(base float64, p *page.Page, t page.Turn) float64 {
	switch t {
	case page.Down:
		return p.Width - base
	case page.Flipped:
		return p.Height - base
	}
	return base
}

// sideMargin is the part of the page's width in which turned text is a stamp or a
// label of the page rather than part of its text.
const sideMargin = 0.1

// asideBlocks are the words of a direction other than the page's, one block per
// line of them. Their boxes are given as the page's reader sees them.
func asideBlocks(p, as *page.Page, t page.Turn) []Block {
	var blocks []Block
	for _, r := range rowsOf(wordsOf(p)) {
		for _, s := range r.segments {
			b := Block{Kind: Text, Box: turnRect(s.Box, p, (4-t)%4), Lines: []Line{s}}
			if b.Box.X1 < sideMargin*as.Width || b.Box.X0 > (1-sideMargin)*as.Width {
				b.Kind = Aside
			}
			blocks = append(blocks, b)
		}
	}
	return blocks
}
