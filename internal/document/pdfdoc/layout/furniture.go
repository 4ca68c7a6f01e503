package layout

import (
	"regexp"
	"strings"
)

// The parts of a page's height that headers and footers stand in. A row of several
// short pieces spread over the width is one even a little further inside.
const (
	headerZone     = 0.09
	footerZone     = 0.92
	wideHeaderZone = 0.12
	wideFooterZone = 0.88
)

// mostFurniture is the largest part of a page's text that can be furniture. What
// stands at the edge of a page that is almost empty is its text.
const mostFurniture = 0.2

// leastText is how many characters a page has beside its number at least. A page
// with less has the number as its text.
const leastText = 40

var pageNumber = regexp.MustCompile(`(?i)^[-–—|\s]*(page|p\.|seite|página)?\s*([0-9]{1,4}|[ivxlc]{1,7})(\s*(of|/|von|de)\s*[0-9]{1,4})?[-–—|\s]*$`)

// markFurniture types what belongs to the page and not to its text: numbers and
// short lines at its upper and lower edge, apart from everything else.
func markFurniture(blocks []Block, p *Page) {
	if len(blocks) > maxBlocks {
		return
	}
	kinds := make([]Kind, len(blocks))
	text, furniture := 0, 0
	for i := range blocks {
		n := len(blocks[i].String())
		text += n
		if kinds[i] = furnitureKind(blocks, i, p); kinds[i] != "" && kinds[i] != PageNumber {
			furniture += n
		}
	}
	for i, k := range kinds {
		if k == PageNumber && text-furniture > leastText || k != "" && k != PageNumber && float64(furniture) <= mostFurniture*float64(text) {
			blocks[i].Kind = k
		}
	}
}

// furnitureKind says what kind of furniture a block is; empty: none.
func furnitureKind(blocks []Block, at int, p *Page) Kind {
	b := &blocks[at]
	if b.Table != nil || len(b.Lines) == 0 || len(b.Lines) > 3 || b.Kind == Caption {
		return ""
	}
	inner := b.Box.Y0 > 0.3*p.Height && b.Box.Y1 < 0.6*p.Height // where nobody puts furniture
	if inner {
		return ""
	}
	number := len(b.Lines) == 1 && pageNumber.MatchString(strings.TrimSpace(b.String()))
	first, last := outermostRow(blocks, at)
	top, bottom := b.Box.Y1 < headerZone*p.Height, b.Box.Y0 > footerZone*p.Height
	wide := spread(blocks, at, p)
	switch {
	case number && (top || bottom || (first || last) && alone(blocks, at, p)):
		return PageNumber
	case blockSize(b) < 0.7*p.BodySize && (first && b.Box.Y1 < wideHeaderZone*p.Height || b.Box.Y0 > wideFooterZone*p.Height) && alone(blocks, at, p):
		if b.Box.Y1 < p.Height/2 {
			return PageHeader
		}
		return PageFooter
	case b.Kind == Heading && blockSize(b) > 1.2*p.BodySize && !wide:
		return ""
	case (top || wide && first && b.Box.Y1 < wideHeaderZone*p.Height) && alone(blocks, at, p):
		return PageHeader
	case (bottom || wide && last && b.Box.Y0 > wideFooterZone*p.Height) && alone(blocks, at, p):
		return PageFooter
	}
	return ""
}

// outermostRow says whether nothing stands above the block, or below it.
func outermostRow(blocks []Block, at int) (first, last bool) {
	first, last = true, true
	b := blocks[at].Box
	for i := range blocks {
		o := blocks[i].Box
		if i == at || blocks[i].Kind == Figure {
			continue
		}
		first = first && o.Y1 > b.Y0
		last = last && o.Y0 < b.Y1
	}
	return first, last
}

// spread says that the block is one of several on its height that reach over most
// of the page.
func spread(blocks []Block, at int, p *Page) bool {
	b := blocks[at].Box
	row := b
	n := 0
	for i := range blocks {
		if o := blocks[i].Box; len(blocks[i].Lines) <= 2 && sharesHeight(o, b) {
			row = row.Union(o)
			n++
		}
	}
	return n > 1 && row.Width() > 0.55*p.Width
}

// alone says that nothing but other furniture is near the block above or below.
func alone(blocks []Block, at int, p *Page) bool {
	b := blocks[at].Box
	clear := 1.2 * p.BodySize
	for i := range blocks {
		o := blocks[i].Box
		if i == at || o.OverlapX(b) <= 0 {
			continue
		}
		inZone := o.Y1 < headerZone*p.Height || o.Y0 > footerZone*p.Height
		if gap := -o.OverlapY(b); gap < clear && !inZone {
			return false
		}
	}
	return true
}
