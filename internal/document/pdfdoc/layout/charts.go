package layout

import (
	"strconv"
	"strings"
)

// bareNumber drops the signs around the digits of a label.
var bareNumber = strings.NewReplacer(",", "", "%", "", "$", "", " ", "", "−", "-", "–", "-")

// leastTicks is how many numbers in equal steps make an axis.
const leastTicks = 4

// isChart says that a table is the frame of a chart: it has an axis, numbers in
// equal steps one below the other with nothing beside them.
func (t *Table) isChart() bool {
	inRow := make([]int, t.Rows)
	for i := range t.Cells {
		if c := &t.Cells[i]; len(c.Lines) > 0 {
			inRow[c.Row]++
			if isAxis(c.Lines) {
				return true
			}
		}
	}
	lonely := make([][]Line, t.Cols)
	for i := range t.Cells {
		if c := &t.Cells[i]; len(c.Lines) == 1 && inRow[c.Row] == 1 {
			lonely[c.Col] = append(lonely[c.Col], c.Lines[0])
		}
	}
	for _, lines := range lonely {
		if isAxis(lines) {
			return true
		}
	}
	return false
}

// isAxis says that lines are numbers in equal steps.
func isAxis(lines []Line) bool {
	if len(lines) < leastTicks {
		return false
	}
	var before, step float64
	for i, l := range lines {
		text := bareNumber.Replace(l.String())
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return false
		}
		switch {
		case i == 1:
			step = v - before
		case i > 1 && abs(v-before-step) > 0.01*abs(step):
			return false
		}
		before = v
	}
	return step != 0
}
