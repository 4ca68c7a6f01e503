package layout

import (
	"slices"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// table sorts words into the cells of the grid; nil: it is a frame, a chart or a
// form rather than a table.
func (g *grid) table(words []Word) *Table {
	if len(words) < 2 {
		return nil
	}
	words = g.trim(words)
	if len(words) < 2 || len(g.ys) < 2 {
		return nil
	}
	g.words = words
	g.splitRows(words)
	cells := g.cells()
	if len(cells) < 2 {
		return nil
	}
	rows, cols := len(g.ys)-1, len(g.xs)-1
	owner := make([]int, rows*cols)
	for i, c := range cells {
		for r := c.Row; r < c.Row+c.RowSpan; r++ {
			for k := c.Col; k < c.Col+c.ColSpan; k++ {
				owner[r*cols+k] = i
			}
		}
	}
	inCell := make([][]Word, len(cells))
	for _, w := range words {
		x, y := w.Box.Centre()
		i := owner[place(g.ys, y)*cols+place(g.xs, x)]
		inCell[i] = append(inCell[i], w)
	}
	for i := range cells {
		cells[i].Lines = cellLines(inCell[i])
	}
	t := &Table{Box: g.box, Rows: rows, Cols: cols, Cells: cells}
	if n := t.filled(); n < 2 || float64(n) < 0.1*float64(len(cells)) {
		return nil
	}
	t.tidy()
	if t.Cols < 2 || t.Rows < 2 && t.Cols < 3 || t.isChart() {
		return nil
	}
	return t
}

// place is the interval between sorted lines that a value falls into.
func place(lines []float64, v float64) int {
	i, _ := slices.BinarySearch(lines, v)
	return min(max(i-1, 0), len(lines)-2)
}

// cellLines makes lines of the words of a cell, without looking for columns.
func cellLines(words []Word) []Line {
	var lines []Line
	for _, s := range stripsOf(words) {
		lines = append(lines, lineOf(s.words))
	}
	return lines
}

// cells joins the places of the grid that no rule parts.
func (g *grid) cells() []Cell {
	rows, cols := len(g.ys)-1, len(g.xs)-1
	taken := make([]bool, rows*cols)
	var cells []Cell
	for r := range rows {
		for c := range cols {
			if taken[r*cols+c] {
				continue
			}
			cell := g.cellAt(r, c, taken)
			for i := r; i < r+cell.RowSpan; i++ {
				for j := c; j < c+cell.ColSpan; j++ {
					taken[i*cols+j] = true
				}
			}
			cells = append(cells, cell)
		}
	}
	return cells
}

// cellAt grows a cell to the right and then downwards as far as no rule and no
// other cell is in the way.
func (g *grid) cellAt(r, c int, taken []bool) Cell {
	rows, cols := len(g.ys)-1, len(g.xs)-1
	cell := Cell{Row: r, Col: c, RowSpan: 1, ColSpan: 1}
	open := g.openRow(r)
	for k := c + 1; k < cols && !taken[r*cols+k] && !g.closed(open, r, k); k++ {
		cell.ColSpan++
	}
	if open {
		return cell
	}
	for i := r + 1; i < rows && g.continues(cell, i, taken); i++ {
		cell.RowSpan++
	}
	return cell
}

// closed says whether something parts columns k-1 and k in a row: a rule, or
// in a row without rules the white between words.
func (g *grid) closed(open bool, r, k int) bool {
	if open {
		return g.wordsIn(r) && !g.crossed(r, g.xs[k])
	}
	return parted(g.upright, g.xs[k], g.ys[r], g.ys[r+1])
}

// continues says whether the cell goes on into row i.
func (g *grid) continues(cell Cell, i int, taken []bool) bool {
	cols := len(g.xs) - 1
	for k := cell.Col; k < cell.Col+cell.ColSpan; k++ {
		if taken[i*cols+k] || parted(g.level, g.ys[i], g.xs[k], g.xs[k+1]) {
			return false
		}
		if k > cell.Col && parted(g.upright, g.xs[k], g.ys[i], g.ys[i+1]) {
			return false
		}
	}
	return true
}

// splitRows adds the row borders that were left out: where every column of a
// ruled row holds the same number of lines, each line is a row.
func (g *grid) splitRows(words []Word) {
	var more []float64
	for r := 0; r+1 < len(g.ys); r++ {
		more = append(more, g.hiddenRows(words, r)...)
	}
	for _, y := range more {
		g.level = append(g.level, stroke{y, g.box.X0, g.box.X1})
	}
	g.ys = append(g.ys, more...)
	slices.Sort(g.ys)
}

func (g *grid) hiddenRows(words []Word, r int) []float64 {
	band := page.Rect{X0: g.box.X0, X1: g.box.X1, Y0: g.ys[r], Y1: g.ys[r+1]}
	inside := within(words, band.Grow(-1))
	strips := stripsOf(inside)
	if len(strips) < 2 || len(strips) <= 3 && g.coloured(r) {
		return nil
	}
	perColumn := make([]int, len(g.xs)-1)
	if len(perColumn) == 2 && len(inside) > 6*len(strips) {
		return nil // running text in both columns
	}
	for _, s := range strips {
		seen := map[int]bool{}
		for _, w := range s.words {
			x, _ := w.Box.Centre()
			seen[place(g.xs, x)] = true
		}
		for c := range seen {
			perColumn[c]++
		}
	}
	if labelled(strips, g.xs) {
		return between(strips)
	}
	used, full := 0, 0
	for _, n := range perColumn {
		used += count(n > 0)
		full += count(n >= len(strips)-len(strips)/6 && n > 0)
	}
	if used < 2 || full < 2 || float64(full) < 0.6*float64(used) || len(strips) == 2 && full < used {
		return nil
	}
	return between(strips)
}

// between gives the heights between strips.
func between(strips []strip) []float64 {
	var borders []float64
	for i := 1; i < len(strips); i++ {
		borders = append(borders, (strips[i-1].band.Y1+strips[i].band.Y0)/2)
	}
	return borders
}

// labelled says that every strip begins in the first column and several have
// figures in others: labels with their figures, and headings among them.
func labelled(strips []strip, xs []float64) bool {
	withFigures := 0
	for i := range strips {
		words := strips[i].words
		if x, _ := words[0].Box.Centre(); place(xs, x) != 0 {
			return false
		}
		figures, others := 0, 0
		for _, w := range words {
			x, _ := w.Box.Centre()
			switch {
			case place(xs, x) == 0:
			case isFigure(w.Text):
				figures++
			default:
				others++
			}
		}
		if others > 0 {
			return false
		}
		withFigures += count(figures > 0)
	}
	return withFigures >= 2 && 2*withFigures >= len(strips)
}
