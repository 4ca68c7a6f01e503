package layout

import (
	"regexp"
	"strings"
	"unicode"
)

// Sizes relative to the body. A line this much larger is a heading; a bold one
// may be as small as the text.
const (
	largerThanBody = 1.13
	asLargeAsBody  = 0.88
)

// mostHeading is the largest part of a page's text that can be headings for their
// size alone. On a page of footnotes or references the running text is larger than
// most of the page, and still no heading.
const mostHeading = 0.3

// sizeShares says how much of the text is set in a size or a larger one.
func sizeShares(blocks []Block) func(size float64) float64 {
	all := 0
	bySize := map[float64]int{}
	for i := range blocks {
		for _, l := range blocks[i].Lines {
			for _, w := range l.Words {
				bySize[l.Size] += len(w.Text)
				all += len(w.Text)
			}
		}
	}
	return func(size float64) float64 {
		n := 0
		for s, chars := range bySize {
			if s >= size-0.01 {
				n += chars
			}
		}
		return float64(n) / float64(max(all, 1))
	}
}

// markHeadings says which blocks are headings.
func markHeadings(blocks []Block, p *Page) {
	share := sizeShares(blocks)
	for i := range blocks {
		b := &blocks[i]
		if b.Kind != Text && b.Kind != ListItem || !headingShape(b) {
			continue
		}
		size, bold := blockSize(b), allBold(b)
		switch {
		case size >= largerThanBody*p.BodySize && (share(size) < mostHeading || size >= 1.5*p.BodySize):
		case bold && size >= asLargeAsBody*p.BodySize:
		default:
			continue
		}
		b.Kind = Heading
	}
}

// headingShape says that a block is short and does not read like a sentence.
func headingShape(b *Block) bool {
	if len(b.Lines) > 4 {
		return false
	}
	text := b.String()
	letters := 0
	for _, r := range text {
		letters += count(unicode.IsLetter(r))
	}
	if letters < 2 || len(text) > 220 || captionStart.MatchString(text) {
		return false
	}
	if strings.HasSuffix(text, ",") || strings.HasSuffix(text, ";") {
		return false
	}
	return !strings.HasSuffix(text, ".") || len(strings.Fields(text)) <= 8
}

var captionStart = regexp.MustCompile(`^((?i:figure|fig\.?|table|tab\.|chart|exhibit|graph|diagram|map|plate|scheme|algorithm)\s*([0-9]+|[A-Z]|[IVX]+)\b|(?i:sources?|notes?)\s*:)`)

// blockSize is the size of most of a block's text.
func blockSize(b *Block) float64 {
	size := 0.0
	for _, l := range b.Lines {
		size = max(size, l.Size)
	}
	return size
}

func allBold(b *Block) bool {
	for _, l := range b.Lines {
		if !isBold(l) {
			return false
		}
	}
	return true
}
