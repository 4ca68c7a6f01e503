package layout

import (
	"cmp"
	"slices"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// core is the part of a column that most of its rows cover.
type core struct{ x0, x1 float64 }

// columnCores finds the columns of rows that have several segments each: where
// text stands in more than a few of them. A heading that spans columns may cross
// the white between them; so tolerance rows may.
func columnCores(rows []row) []core {
	multi := 0
	em := 0.0
	for i := range rows {
		multi++
		em += rows[i].size
	}
	if multi == 0 {
		return nil
	}
	em /= float64(multi)
	tolerance := multi / 8
	if multi >= 3 {
		tolerance = max(tolerance, 1)
	}
	cores := covered(rows, tolerance)
	cores = joinCores(cores, 0.3*em)
	return addLonely(cores, rows, em)
}

type edge struct {
	x    float64
	step int
}

// covered gives the intervals that more than tolerance rows have text in.
func covered(rows []row, tolerance int) []core {
	var edges []edge
	for i := range rows {
		for j := range rows[i].segments {
			box := rows[i].segments[j].Box
			edges = append(edges, edge{box.X0, 1}, edge{box.X1, -1})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(b.step, a.step)) })
	var cores []core
	depth := 0
	for _, e := range edges {
		before := depth
		depth += e.step
		if before == tolerance && depth == tolerance+1 {
			cores = append(cores, core{e.x, e.x})
		}
		if before == tolerance+1 && depth == tolerance {
			cores[len(cores)-1].x1 = e.x
		}
	}
	return cores
}

func joinCores(cores []core, gap float64) []core {
	var out []core
	for _, c := range cores {
		if n := len(out); n > 0 && c.x0-out[n-1].x1 < gap {
			out[n-1].x1 = max(out[n-1].x1, c.x1)
			continue
		}
		out = append(out, c)
	}
	return out
}

// addLonely adds columns that only few rows use: segments that stand clear of
// every core.
func addLonely(cores []core, rows []row, em float64) []core {
	for i := range rows {
		for j := range rows[i].segments {
			box := rows[i].segments[j].Box
			clear := true
			for _, c := range cores {
				if box.X0 < c.x1+0.3*em && box.X1 > c.x0-0.3*em {
					clear = false
					break
				}
			}
			if clear {
				cores = append(cores, core{box.X0, box.X1})
			}
		}
	}
	slices.SortFunc(cores, func(a, b core) int { return cmp.Compare(a.x0, b.x0) })
	return cores
}

// span gives the first and last column a segment stands in.
func span(cores []core, box page.Rect) (first, last int) {
	first, last = -1, -1
	nearest, distance := 0, -1.0
	for i, c := range cores {
		overlap := min(c.x1, box.X1) - max(c.x0, box.X0)
		if overlap >= 0.3*min(c.x1-c.x0, box.Width()) && overlap > 0 {
			if first < 0 {
				first = i
			}
			last = i
		}
		if distance < 0 || -overlap < distance {
			nearest, distance = i, max(0, -overlap)
		}
	}
	if first < 0 {
		return nearest, nearest
	}
	return first, last
}
