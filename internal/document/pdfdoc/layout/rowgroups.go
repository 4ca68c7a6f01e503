package layout

import "slices"

// groupRows joins the lines that are one row of the table: those between two rules
// where rows are ruled, and otherwise those that go on with the line above.
func groupRows(rows []row, cores []core, r ruling) [][]row {
	if groups := ruledGroups(rows, cores, r); groups != nil {
		return groups
	}
	tight := tightest(rows)
	var groups [][]row
	head := headEnd(rows)
	for i := range rows {
		if n := len(groups); n > 0 && i < head && headGoesOn(groups[n-1], rows[i], cores, r) {
			groups[n-1] = append(groups[n-1], rows[i])
			continue
		}
		if n := len(groups); n > 0 && goesOn(groups[n-1], rows[i], cores, tight) {
			groups[n-1] = append(groups[n-1], rows[i])
			continue
		}
		groups = append(groups, []row{rows[i]})
	}
	return groups
}

// headEnd is where the head of a table ends: at the first row with figures. A
// table without any has no head that can be told.
func headEnd(rows []row) int {
	for i := range rows {
		figures := 0
		for _, s := range rows[i].segments {
			figures += count(isFigure(s.String()) && !isYear(s.String()))
		}
		if figures > 0 {
			return i
		}
	}
	return 0
}

func isYear(s string) bool {
	return len(s) == 4 && digitsOnly(s) && (s[:2] == "19" || s[:2] == "20")
}

// headGoesOn says whether a line of the head goes on with the names of columns
// above it: it is close, nothing is ruled between them, and no name above stands
// over several columns.
func headGoesOn(above []row, line row, cores []core, r ruling) bool {
	last := above[len(above)-1]
	if line.box.Y1-last.box.Y1 > 1.35*max(line.size, last.size) || r.between(last.box.Y1-3, line.box.Y0+3, last.box) {
		return false
	}
	if len(last.segments) < 2 && len(line.segments) < 2 {
		return false
	}
	for _, s := range append(slices.Clone(last.segments), line.segments...) {
		if first, end := span(cores, s.Box); first != end {
			return false
		}
	}
	return true
}

// ruledGroups groups lines by the rules between them; nil: rules do not part rows
// here.
func ruledGroups(rows []row, cores []core, r ruling) [][]row {
	groups := [][]row{{rows[0]}}
	for i := 1; i < len(rows); i++ {
		box := rows[i].box
		if rows[i-1].box.Width() < box.Width() {
			box = rows[i-1].box
		}
		if r.between(rows[i-1].box.Y1-3, rows[i].box.Y0+3, box) {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], rows[i])
	}
	if len(groups) < 4 {
		return nil
	}
	var out [][]row
	for _, g := range groups {
		if evenColumns(g, cores) {
			for i := range g {
				out = append(out, g[i:i+1])
			}
			continue
		}
		out = append(out, g)
	}
	return out
}

// evenColumns says that most columns have text on every line: then each line is a
// row.
func evenColumns(lines []row, cores []core) bool {
	if len(lines) < 2 {
		return false
	}
	perColumn := make([]int, len(cores))
	for i := range lines {
		for _, s := range lines[i].segments {
			first, _ := span(cores, s.Box)
			perColumn[first]++
		}
	}
	used, full := 0, 0
	for _, n := range perColumn {
		used += count(n > 0)
		full += count(5*n >= 4*len(lines))
	}
	return used >= 2 && full >= 2 && 5*full >= 3*used
}

// tightest is the smallest distance between two lines.
func tightest(rows []row) float64 {
	best := 0.0
	for i := 1; i < len(rows); i++ {
		if d := rows[i].box.Y1 - rows[i-1].box.Y1; d > 0 && (best == 0 || d < best) {
			best = d
		}
	}
	return best
}

// goesOn says whether a line continues the cells of the row above: it is as near
// as lines get, has nothing in the first column, and stands below text.
func goesOn(above []row, line row, cores []core, tight float64) bool {
	last := above[len(above)-1]
	if line.box.Y1-last.box.Y1 > 1.2*tight+0.5 {
		return false
	}
	firstOf := func(r row) map[int]bool {
		cols := map[int]bool{}
		for _, s := range r.segments {
			c, _ := span(cores, s.Box)
			cols[c] = true
		}
		return cols
	}
	mine := firstOf(line)
	if len(line.segments) == 1 && startsSmall(line.segments[0]) && firstOf(last)[firstKey(mine)] {
		return true
	}
	if mine[0] {
		return onlyLabel(above, cores) && startsSmall(line.segments[0])
	}
	theirs := firstOf(last)
	for c := range mine {
		if !theirs[c] {
			return false
		}
	}
	for _, s := range line.segments {
		if isNumeric(s.String()) {
			return false
		}
	}
	return true
}

func firstKey(m map[int]bool) int {
	for k := range m {
		return k
	}
	return -1
}

// onlyLabel says that the row so far has text in the first column alone.
func onlyLabel(lines []row, cores []core) bool {
	for i := range lines {
		if len(lines[i].segments) != 1 {
			return false
		}
		if first, last := span(cores, lines[i].segments[0].Box); first != 0 || last != 0 {
			return false
		}
	}
	return true
}

func startsSmall(l Line) bool {
	for _, r := range l.Words[0].Text {
		return r >= 'a' && r <= 'z' || r == '('
	}
	return false
}
