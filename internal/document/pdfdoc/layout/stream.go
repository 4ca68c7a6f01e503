package layout

import (
	"slices"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// streamTables finds tables that are ruled partly or not at all, by the white
// between their columns. It gives them with the rows that are in none.
func streamTables(rows []row, r ruling, known []*Table) ([]*Table, []row) {
	var tables []*Table
	var rest []row
	bands := bandsOf(r, rows, known)
	for _, zone := range zonesOf(rows) {
		zone = byHeight(zone)
		for i := 0; i < len(zone); {
			end := runEnd(zone, i, bands)
			head := headRows(rest, zone[i:end])
			run := append(slices.Clone(rest[len(rest)-head:]), zone[i:end]...)
			if t := tableFromRun(run, r, bands); t != nil {
				tables = append(tables, t)
				rest = rest[:len(rest)-head]
			} else {
				end = i + 1
				rest = append(rest, zone[i])
			}
			i = end
		}
	}
	return tables, byHeight(rest)
}

// headRows counts the rows just above a run that belong to its head: short lines
// over some of the columns, but not over the first.
func headRows(above, run []row) int {
	box := boxOf(run)
	n := 0
	for n < min(2, len(above)) {
		head, below := above[len(above)-1-n], run[0]
		if n > 0 {
			below = above[len(above)-n]
		}
		gap := -head.box.OverlapY(below.box)
		if gap > 0.9*below.size || head.box.X0 < box.X0+0.15*box.Width() || head.box.X1 > box.X1+below.size {
			break
		}
		if slices.ContainsFunc(head.segments, isProse) {
			break
		}
		n++
	}
	return n
}

// runEnd is the end of the rows from i on that may form a table: they have several
// segments or stand between rules, and follow each other closely. Up to two rows
// of one segment may stand among them: a wrapped cell, a heading inside.
func runEnd(rows []row, i int, bands []page.Rect) int {
	if len(rows[i].segments) < 2 && bandOf(bands, rows[i].box) < 0 {
		return i + 1
	}
	end := i + 1
	singles := 0
	for j := i + 1; j < len(rows); j++ {
		gap := -rows[j].box.OverlapY(rows[j-1].box)
		band := bandOf(bands, rows[j].box)
		same := band >= 0 && band == bandOf(bands, rows[j-1].box)
		if !same && gap > 1.7*max(rows[j].size, rows[j-1].size) {
			break
		}
		switch {
		case len(rows[j].segments) >= 2 || same:
			end, singles = j+1, 0
		case isProse(rows[j].segments[0]) && rows[j].box.Width() > 0.7*boxOf(rows[i:end]).Width():
			return end
		default:
			if singles++; singles > 2 {
				return end
			}
		}
	}
	return end
}

// bandOf is the band between rules that a box stands in; -1: none.
func bandOf(bands []page.Rect, box page.Rect) int {
	x, y := box.Centre()
	for i, b := range bands {
		if b.Holds(x, y) {
			return i
		}
	}
	return -1
}

// bandsOf finds level rules of the same length above each other with something
// like a table between them: a printed table with rules at its head and foot.
func bandsOf(r ruling, rows []row, known []*Table) []page.Rect {
	used := make([]bool, len(r.level))
	var bands []page.Rect
	for i, s := range r.level {
		if used[i] || s.length() < 60 {
			continue
		}
		band := page.Rect{X0: s.from, X1: s.to, Y0: s.at, Y1: s.at}
		for j := i + 1; j < len(r.level); j++ {
			t := r.level[j]
			if used[j] || abs(t.from-s.from) > 8 || abs(t.to-s.to) > 8 {
				continue
			}
			between := page.Rect{X0: s.from, X1: s.to, Y0: band.Y1, Y1: t.at}
			if !tabular(rows, between) {
				break
			}
			used[j] = true
			band.Y1 = t.at
		}
		if band.Height() > 8 && !insideTable(band, known) {
			bands = append(bands, band.Grow(1))
		}
	}
	return bands
}

func insideTable(box page.Rect, tables []*Table) bool {
	for _, t := range tables {
		if t.Box.Intersect(box).Area() > 0.5*box.Area() {
			return true
		}
	}
	return false
}

// tabular says that at least some of what stands in the box has columns.
func tabular(rows []row, box page.Rect) bool {
	all, multi, texts := 0, 0, 0
	for i := range rows {
		n := 0
		for _, s := range rows[i].segments {
			if box.Grow(2).Holds(s.Box.Centre()) {
				n++
				texts += count(isProse(s) || captionStart.MatchString(s.String()))
			}
		}
		all += count(n > 0)
		multi += count(n > 1)
	}
	if multi == 0 {
		return all <= 2 && texts == 0
	}
	return 10*multi >= 3*all
}

// tableFromRun makes a table of rows, or nil where they are something else.
func tableFromRun(rows []row, r ruling, bands []page.Rect) *Table {
	var multi []row
	hinted := 0
	for i := range rows {
		if len(rows[i].segments) >= 2 {
			multi = append(multi, rows[i])
		}
		hinted += count(bandOf(bands, rows[i].box) >= 0)
	}
	ruled := 2*hinted >= len(rows)
	if len(multi) < 2 {
		return nil
	}
	cores := columnCores(multi)
	if !ruled && len(multi) < 3 && (len(cores) < 4 || !sameColumns(multi, cores)) {
		return nil
	}
	if len(cores) < 2 || !ruled && !tableLike(multi, cores) {
		return nil
	}
	if ruled && wordy(multi, cores) && ruledGroups(rows, cores, r) == nil {
		return nil
	}
	if isList(multi) || !ruled && isFormula(multi) {
		return nil
	}
	t := fillTable(rows, cores, r)
	t.tidy()
	if t.Cols < 2 || t.Rows < 2 || t.isChart() {
		return nil
	}
	return t
}
