package layout

import (
	"cmp"
	"slices"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// order puts blocks into reading order: the page is cut into bands where white
// runs across it, bands that share a gutter are read column by column. What
// belongs to the page comes first or last.
func order(blocks []Block, p *Page) []Block {
	var top, text, bottom []int
	for i := range blocks {
		switch {
		case !blocks[i].Kind.Furniture():
			text = append(text, i)
		case blocks[i].Box.Y1 < p.Height/2:
			top = append(top, i)
		default:
			bottom = append(bottom, i)
		}
	}
	o := orderer{blocks: blocks, page: p}
	o.placeGroup(top, nil, 0)
	if len(text) > maxBlocks {
		o.placeGroup(text, nil, 0)
	} else {
		o.place(text, 0)
	}
	o.placeGroup(bottom, nil, 0)
	out := make([]Block, 0, len(blocks))
	for _, i := range o.placed {
		out = append(out, blocks[i])
	}
	return out
}

type orderer struct {
	blocks []Block
	page   *Page
	placed []int
}

// maxBlocks bounds how many blocks are looked at together. A page with more is read
// from top to bottom.
const maxBlocks = 3000

// maxCuts bounds how deep the page is cut.
const maxCuts = 24

func (o *orderer) place(items []int, depth int) {
	bands := o.bands(items)
	for i := 0; i < len(bands); {
		// As many bands as leave a common gutter white are one set of columns.
		group := bands[i]
		columns := o.columns(group)
		j := i + 1
		for ; j < len(bands) && !o.onlyCaptions(bands[i]); j++ {
			wider := append(slices.Clone(group), bands[j]...)
			cut := o.columns(wider)
			if len(cut) < 2 || len(columns) < 2 && len(o.columns(bands[j])) < 2 {
				break
			}
			group, columns = wider, cut
		}
		o.placeGroup(group, columns, depth)
		i = j
	}
}

// onlyCaptions says that a band holds nothing but captions. They belong to a figure
// above, not to the columns below.
func (o *orderer) onlyCaptions(band []int) bool {
	return !slices.ContainsFunc(band, func(i int) bool {
		b := &o.blocks[i]
		return b.Kind != Caption && (b.Table != nil || blockSize(b) >= noteSize*o.page.BodySize)
	})
}

func (o *orderer) placeGroup(group []int, columns [][]int, depth int) {
	if len(group) == 1 && len(columns) < 2 {
		o.placed = append(o.placed, group[0])
		return
	}
	if len(columns) > 1 && depth < maxCuts {
		text, notes := o.partNotes(columns)
		for _, c := range text {
			o.place(c, depth+1)
		}
		for _, c := range notes {
			o.place(c, depth+1)
		}
		return
	}
	slices.SortStableFunc(group, func(a, b int) int {
		x, y := o.blocks[a].Box, o.blocks[b].Box
		return cmp.Or(cmp.Compare(x.Y0, y.Y0), cmp.Compare(x.X0, y.X0))
	})
	o.placed = append(o.placed, group...)
}

// partNotes takes the footnotes at the feet of columns out of them: they are read
// after the text of all columns.
func (o *orderer) partNotes(columns [][]int) (text, notes [][]int) {
	found := false
	for _, c := range columns {
		end := 0.0 // where the running text of the column ends
		for _, i := range c {
			if b := &o.blocks[i]; b.Table != nil || blockSize(b) >= noteSize*o.page.BodySize {
				end = max(end, b.Box.Y1)
			}
		}
		var above, below []int
		for _, i := range c {
			b := &o.blocks[i]
			if b.Box.Y0 < end-1 || b.Box.Y0 < 0.5*o.page.Height {
				above = append(above, i)
				continue
			}
			below = append(below, i)
			found = found || noteStart(b.String())
		}
		text, notes = append(text, above), append(notes, below)
	}
	if !found {
		return columns, nil
	}
	return text, notes
}

// bands cuts items where white runs across all of them.
func (o *orderer) bands(items []int) [][]int {
	return o.cut(items, func(r page.Rect) (float64, float64) { return r.Y0, r.Y1 - 0.15*r.Height() }, 0)
}

// minGutter is how wide the white between two columns is at least, in points.
const minGutter = 5

// columns cuts items where white runs down between all of them.
func (o *orderer) columns(items []int) [][]int {
	return o.cut(items, func(r page.Rect) (float64, float64) { return r.X0, r.X1 }, minGutter)
}

func (o *orderer) cut(items []int, side func(page.Rect) (float64, float64), gap float64) [][]int {
	sorted := slices.Clone(items)
	slices.SortStableFunc(sorted, func(a, b int) int {
		x, _ := side(o.blocks[a].Box)
		y, _ := side(o.blocks[b].Box)
		return cmp.Compare(x, y)
	})
	var parts [][]int
	end := 0.0
	for k, i := range sorted {
		from, to := side(o.blocks[i].Box)
		if k == 0 || from-end > gap {
			parts = append(parts, nil)
			end = to
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], i)
		end = max(end, to)
	}
	return parts
}
