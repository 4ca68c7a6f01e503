package layout

import (
	"cmp"
	"slices"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// stroke is a level or an upright line: at is its y or x, from and to its ends.
type stroke struct{ at, from, to float64 }

func (s stroke) length() float64 { return s.to - s.from }

// ruling is what was drawn on a page, as far as it may rule a table.
type ruling struct {
	level, upright []stroke
	areas          []page.Rect // coloured backgrounds; their edges are among the strokes
}

// Lengths in points. Strokes this near to each other are one; a box this thin is
// a line; what is shorter after joining is a mark, not a rule.
const (
	joinAcross = 1.6
	joinAlong  = 3.2
	thinRule   = 3.5
	shortRule  = 7
)

// rulesOf gathers the lines of a page. A coloured area counts as its four edges:
// it is the background of a row or a cell.
func rulesOf(p *page.Page) ruling {
	var r ruling
	for _, rule := range p.Rules {
		box := rule.Rect
		x, y := box.Centre()
		switch {
		case rule.Light && !(rule.Filled && besideColour(box, p.Rules)):
		case box.Height() <= thinRule && box.Width() > box.Height():
			r.level = append(r.level, stroke{y, box.X0, box.X1})
		case box.Width() <= thinRule:
			r.upright = append(r.upright, stroke{x, box.Y0, box.Y1})
		case rule.Filled && box.Area() < 0.8*p.Width*p.Height && box.Height() > 6 && box.Width() > 12:
			r.areas = append(r.areas, box)
			r.level = append(r.level, stroke{box.Y0, box.X0, box.X1}, stroke{box.Y1, box.X0, box.X1})
			r.upright = append(r.upright, stroke{box.X0, box.Y0, box.Y1}, stroke{box.X1, box.Y0, box.Y1})
		}
	}
	r.level, r.upright = joinStrokes(r.level), joinStrokes(r.upright)
	return r
}

// besideColour says that a white area stands beside a coloured one of the same
// height: it is a cell of the same row.
func besideColour(box page.Rect, rules []page.Rule) bool {
	for _, o := range rules {
		if !o.Light && o.Filled && abs(o.Y0-box.Y0) < 1 && abs(o.Y1-box.Y1) < 1 && (abs(o.X1-box.X0) < 1 || abs(o.X0-box.X1) < 1) {
			return true
		}
	}
	return false
}

// joinStrokes makes one stroke of those that lie on one line and touch, so that
// dashes, double lines and borders drawn cell by cell become whole.
func joinStrokes(strokes []stroke) []stroke {
	slices.SortFunc(strokes, func(a, b stroke) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.from, b.from))
	})
	var out []stroke
	for i := 0; i < len(strokes); {
		j := i + 1
		for j < len(strokes) && strokes[j].at-strokes[j-1].at <= joinAcross && strokes[j].at-strokes[i].at <= 2*joinAcross {
			j++
		}
		out = appendJoined(out, strokes[i:j])
		i = j
	}
	return out
}

// appendJoined joins strokes of about one height along their length.
func appendJoined(out, same []stroke) []stroke {
	same = slices.Clone(same)
	slices.SortFunc(same, func(a, b stroke) int { return cmp.Compare(a.from, b.from) })
	current := same[0]
	for _, s := range same[1:] {
		if s.from <= current.to+joinAlong {
			current.to = max(current.to, s.to)
			continue
		}
		if current.length() >= shortRule {
			out = append(out, current)
		}
		current = s
	}
	if current.length() >= shortRule {
		out = append(out, current)
	}
	return out
}

// between says whether a level rule separates what stands above y1 from what
// stands below y0 over at least half of the width of box.
func (r ruling) between(y0, y1 float64, box page.Rect) bool {
	for _, s := range r.level {
		if s.at > y0 && s.at < y1 && min(s.to, box.X1)-max(s.from, box.X0) > 0.5*box.Width() {
			return true
		}
	}
	return false
}
