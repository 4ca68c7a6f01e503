package layout

import "strings"

// fillTable sorts the segments of rows into columns, and joins rows that are
// lines of one.
func fillTable(rows []row, cores []core, r ruling) *Table {
	t := &Table{Box: boxOf(rows), Cols: len(cores)}
	groups := groupRows(rows, cores, r)
	t.Rows = len(groups)
	for i, g := range groups {
		t.Cells = append(t.Cells, fillRow(g, cores, i)...)
	}
	return t
}

// fillRow makes the cells of one row of the table from its lines.
func fillRow(lines []row, cores []core, at int) []Cell {
	byCol := make([]*Cell, len(cores))
	for _, l := range lines {
		for _, s := range l.segments {
			first, last := span(cores, s.Box)
			c := byCol[first]
			if c == nil {
				c = &Cell{Row: at, Col: first, RowSpan: 1, ColSpan: 1}
				byCol[first] = c
			}
			c.ColSpan = max(c.ColSpan, last-first+1)
			c.Lines = appendToCell(c.Lines, s)
		}
	}
	var cells []Cell
	for col := 0; col < len(cores); col++ {
		c := byCol[col]
		if c == nil {
			cells = append(cells, Cell{Row: at, Col: col, RowSpan: 1, ColSpan: 1})
			continue
		}
		for k := col + 1; k < col+c.ColSpan; k++ {
			if byCol[k] != nil { // another cell begins there
				c.ColSpan = k - col
				break
			}
		}
		cells = append(cells, *c)
		col += c.ColSpan - 1
	}
	return cells
}

// appendToCell adds a segment; on the height of the last line it goes on with it.
func appendToCell(lines []Line, s Line) []Line {
	if n := len(lines); n > 0 && sharesHeight(lines[n-1].Box, s.Box) {
		words := append(append([]Word(nil), lines[n-1].Words...), s.Words...)
		lines[n-1] = lineOf(words)
		return lines
	}
	return append(lines, s)
}

// isNumeric says that text is a figure: digits with the signs that go with them.
func isNumeric(s string) bool {
	digits, others := 0, 0
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == '.' || r == ',' || r == '%' || r == '-' || r == '+' || r == '$' || r == '(' || r == ')' || r == ' ' || r == '–' || r == '−' || r == '€' || r == '£' || r == '/' || r == '*':
		default:
			others++
		}
	}
	return digits > 0 && others <= digits/3 || digits == 0 && others == 0 && strings.Trim(s, "-–−") == ""
}
