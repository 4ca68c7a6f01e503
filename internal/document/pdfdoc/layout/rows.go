package layout

import (
	"cmp"
	"slices"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// Line is words on one height that belong together, from left to right.
type Line struct {
	Words []Word
	Box   page.Rect
	Base  float64
	Size  float64 // of most of its text
	Font  int     // of most of its text
	read  bool    // Words are in reading order already
}

// row is everything that stands on one height of the page.
type row struct {
	segments []Line
	box      page.Rect
	size     float64
}

// rowsOf sorts words into rows, and rows into segments.
func rowsOf(words []Word) []row {
	strips := stripsOf(words)
	rows := make([]row, len(strips))
	for i := range strips {
		rows[i] = splitStrip(strips, i)
	}
	return rows
}

// strip is a row whose gaps have not been looked at.
type strip struct {
	words []Word
	band  page.Rect // the height of its largest word
	size  float64
}

// stripsOf groups words by height. A word joins a strip when it shares half of
// its height with the largest word there, so that raised and lowered figures
// find their line.
func stripsOf(words []Word) []strip {
	var strips []strip
	for _, at := range downwards(words) {
		w := &words[at]
		joined := false
		for i := len(strips) - 1; i >= 0 && i >= len(strips)-4; i-- {
			s := &strips[i]
			if !sharesHeight(s.band, w.Box) || len(s.words) < longStrip && s.collides(w) {
				continue
			}
			s.words = append(s.words, *w)
			if w.Size > s.size {
				s.size, s.band = w.Size, w.Box
			}
			joined = true
			break
		}
		if !joined {
			strips = append(strips, strip{words: []Word{*w}, band: w.Box, size: w.Size})
		}
	}
	slices.SortStableFunc(strips, func(a, b strip) int { return cmp.Compare(a.band.Y1, b.band.Y1) })
	for i := range strips {
		fromLeft(strips[i].words)
	}
	return strips
}

// downwards gives the places of words by their base line. Words are large: it is
// their numbers that are sorted.
func downwards(words []Word) []int {
	order := make([]int, len(words))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(words[a].Base, words[b].Base) })
	return order
}

// fromLeft sorts the words of a strip, which mostly are in order already.
func fromLeft(words []Word) {
	for i := 1; i < len(words); i++ {
		if words[i].Box.X0 < words[i-1].Box.X0 {
			slices.SortStableFunc(words, func(a, b Word) int { return cmp.Compare(a.Box.X0, b.Box.X0) })
			return
		}
	}
}

func sharesHeight(a, b page.Rect) bool {
	return a.OverlapY(b) >= 0.5*min(a.Height(), b.Height())
}

// collides says that another word already stands where w does: then w is from
// the line above or below.
func (s *strip) collides(w *Word) bool {
	for i := range s.words {
		v := &s.words[i]
		if v.Box.OverlapX(w.Box) > 0.3*min(v.Box.Width(), w.Box.Width()) && abs(v.Base-w.Base) > 0.2*min(v.Size, w.Size) {
			return true
		}
	}
	return false
}

// longStrip is more words than a printed row has. Such a strip is kept whole.
const longStrip = 1000

// splitStrip cuts a strip at its gaps.
func splitStrip(strips []strip, at int) row {
	s := &strips[at]
	if len(s.words) >= longStrip {
		return appendRow(nil, []Line{lineOf(s.words)})[0]
	}
	var r row
	start := 0
	right := s.words[0].Box.X1
	for i := 1; i < len(s.words); i++ {
		w := s.words[i]
		if parts(strips, at, page.Rect{X0: right, X1: w.Box.X0}, start, i) {
			r.segments = append(r.segments, lineOf(s.words[start:i]))
			start = i
		}
		right = max(right, w.Box.X1)
	}
	r.segments = append(r.segments, lineOf(s.words[start:]))
	for i := range r.segments {
		r.box = r.box.Union(r.segments[i].Box)
		r.size = max(r.size, r.segments[i].Size)
	}
	return r
}

// lineOf makes a line of words that are in order. It takes size, font and base
// from the look that most of its letters have.
func lineOf(words []Word) Line {
	type look struct {
		size float64
		font int
	}
	l := Line{Words: words}
	letters := make(map[look]int, 2)
	most := 0
	for i := range words {
		w := &words[i]
		l.Box = l.Box.Union(w.Box)
		k := look{w.Size, w.Font}
		letters[k] += len(w.Text)
		if letters[k] > most {
			l.Size, l.Font, l.Base, most = w.Size, w.Font, w.Base, letters[k]
		}
	}
	return l
}

// bodySize is the size most characters are set in.
func bodySize(words []Word) float64 {
	sizes := map[int]int{}
	for i := range words {
		sizes[int(words[i].Size*4+0.5)] += len(words[i].Text)
	}
	best, most := 0, 0
	for size, n := range sizes {
		if n > most || n == most && size < best {
			best, most = size, n
		}
	}
	return float64(best) / 4
}
