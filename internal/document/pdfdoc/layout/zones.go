package layout

import (
	"cmp"
	"slices"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// proseLines is how many full lines a column of text has at least.
const proseLines = 4

// isProse says that a segment is a line of running text rather than the entry of
// a table.
func isProse(l Line) bool {
	return len(l.Words) >= 5 && l.Box.Width() >= 11*l.Size
}

// zonesOf parts rows at the gutters between columns of running text, so that a
// table in one column is not mixed with the text beside it. Tables are looked for
// in each zone on its own.
func zonesOf(rows []row) [][]row {
	return splitZones(rows, gutters(rows))
}

// gutters are the places where columns of text begin, but for the first.
func gutters(rows []row) []float64 {
	var lefts []float64
	for i := range rows {
		for _, s := range rows[i].segments {
			if isProse(s) {
				lefts = append(lefts, s.Box.X0)
			}
		}
	}
	slices.Sort(lefts)
	var out []float64
	for i := 0; i < len(lefts); {
		j := i
		for j < len(lefts) && lefts[j]-lefts[i] < 4 {
			j++
		}
		if j-i >= proseLines && i > 0 {
			out = append(out, lefts[i]-1)
		}
		i = j
	}
	return out
}

func splitZones(rows []row, gutters []float64) [][]row {
	if len(gutters) == 0 || len(rows) == 0 {
		return [][]row{rows}
	}
	g, rest := gutters[0], gutters[1:]
	start, end := freeRun(rows, g)
	if start == end {
		return splitZones(rows, rest)
	}
	left, right := cutRows(rows[start:end], g)
	zones := splitZones(rows[:start], gutters)
	zones = append(zones, splitZones(left, rest)...)
	zones = append(zones, splitZones(right, rest)...)
	return append(zones, splitZones(rows[end:], gutters)...)
}

// freeRun finds rows in succession that leave the gutter white, with running text
// on both sides of it; start equals end: there are none.
func freeRun(rows []row, g float64) (start, end int) {
	for start < len(rows) {
		end = start
		left, right := 0, 0
		for end < len(rows) && !rows[end].crosses(g) {
			for _, s := range rows[end].segments {
				if isProse(s) && s.Box.X1 <= g+1 {
					left++
				}
				if isProse(s) && abs(s.Box.X0-g) < 6 {
					right++
				}
			}
			end++
		}
		if left >= proseLines && right >= proseLines {
			return start, end
		}
		start = end + 1
	}
	return len(rows), len(rows)
}

func (r row) crosses(x float64) bool {
	for _, s := range r.segments {
		if s.Box.X0 < x-1 && s.Box.X1 > x+1 {
			return true
		}
	}
	return false
}

// cutRows parts rows at x.
func cutRows(rows []row, x float64) (left, right []row) {
	for _, r := range rows {
		var a, b []Line
		for _, s := range r.segments {
			if s.Box.X0 < x-1 {
				a = append(a, s)
			} else {
				b = append(b, s)
			}
		}
		left, right = appendRow(left, a), appendRow(right, b)
	}
	return left, right
}

func appendRow(rows []row, segments []Line) []row {
	if len(segments) == 0 {
		return rows
	}
	r := row{segments: segments}
	for i := range segments {
		r.box = r.box.Union(segments[i].Box)
		r.size = max(r.size, segments[i].Size)
	}
	return append(rows, r)
}

// byHeight sorts rows from the top.
func byHeight(rows []row) []row {
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.box.Y1, b.box.Y1) })
	return rows
}

// boxOf is the box around rows.
func boxOf(rows []row) page.Rect {
	var box page.Rect
	for i := range rows {
		box = box.Union(rows[i].box)
	}
	return box
}
