package layout

import (
	"strings"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// Gaps in units of the font size. Wider than farGap always parts; justified text
// stays below it. Narrower ones part where the rows around have a gap at the same
// place: a table or two columns of text.
const (
	farGap  = 2.4
	nearGap = 0.55
	// Two figures side by side are hardly ever running text.
	figureGap = 0.18
)

// parts says whether a gap in a row lies between two segments. The words from
// start up to next are the segment before the gap, so far.
func parts(strips []strip, at int, gap page.Rect, start, next int) bool {
	words := strips[at].words
	left, right := words[next-1], words[next]
	em := max(left.Size, right.Size)
	width := gap.Width() / em
	if width >= farGap {
		return true
	}
	near := nearGap
	if isFigure(left.Text) && isFigure(right.Text) && strips[at].mostlyFigures() && !thousands(left.Text, right.Text) {
		near = figureGap
	}
	if width < near || isLeader(left.Text) || isLeader(right.Text) {
		return false
	}
	need := 3.0
	switch {
	case next-start >= 4 && !isFigure(right.Text): // justified text, more likely
	case width >= 1.5:
		need = 1
	case width >= 0.9 || near == figureGap && width >= 0.3:
		need = 2
	}
	return support(strips, at, gap, em, -1)+support(strips, at, gap, em, 1) >= need
}

// thousands says that two figures are one, written in groups of three digits.
func thousands(left, right string) bool {
	return len(right) >= 3 && digitsOnly(right[:3]) && digitsOnly(left) && len(left) <= 3
}

// mostlyFigures says that numbers make up a good part of the row.
func (s *strip) mostlyFigures() bool {
	n := 0
	for i := range s.words {
		n += count(isFigure(s.words[i].Text))
	}
	return 5*n >= 2*len(s.words)
}

// isFigure says that a word is a number.
func isFigure(s string) bool {
	return len(s) > 0 && strings.ContainsAny(s, "0123456789") && isNumeric(s)
}

// isLeader recognises the dots between a title and its page number.
func isLeader(s string) bool {
	return len(s) > 3 && strings.Trim(s, ".…·_ ") == ""
}

// support counts the rows above or below that are white where this one is. Rows
// with text on one side only count half: the end of a paragraph.
func support(strips []strip, at int, gap page.Rect, em float64, step int) float64 {
	var found float64
	channel := gap
	near := strips[at].band
	for i := at + step; i >= 0 && i < len(strips) && found < 3; i += step {
		s := &strips[i]
		if -s.band.OverlapY(near) > 1.6*em {
			break
		}
		free, sides := freeWithin(s.words, channel)
		if free.Width() < 0.7*min(gap.Width(), nearGap*em) {
			break
		}
		channel, near = free, s.band
		found += float64(sides) / 2
	}
	return found
}

// freeWithin narrows a channel to its widest part without words, and counts the
// sides of it that have any.
func freeWithin(words []Word, channel page.Rect) (free page.Rect, sides int) {
	x := channel.X0
	best := page.Rect{}
	var left, right bool
	for i := range words {
		w := &words[i].Box
		if w.X1 <= channel.X0 {
			left = true
			continue
		}
		if w.X0 >= channel.X1 {
			right = true
			break
		}
		if w.X0-x > best.X1-best.X0 {
			best = page.Rect{X0: x, X1: w.X0}
		}
		x = max(x, w.X1)
	}
	if channel.X1-x > best.X1-best.X0 {
		best = page.Rect{X0: x, X1: channel.X1}
	}
	for i := range words {
		left = left || words[i].Box.X1 <= best.X0+0.01
		right = right || words[i].Box.X0 >= best.X1-0.01
	}
	return best, count(left) + count(right)
}
