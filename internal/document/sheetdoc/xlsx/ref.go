package xlsx

import (
	"strings"

	"github.com/trawlhq/trawl/internal/document/sheetdoc/grid"
)

const (
	maxRow    = 1 << 20
	maxColumn = 1 << 14
)

// parseRef reads the name of a cell, such as "B12".
func parseRef(ref []byte) (row, col int, ok bool) {
	i := 0
	for i < len(ref) && ref[i]|0x20 >= 'a' && ref[i]|0x20 <= 'z' && col <= maxColumn {
		col = col*26 + int(ref[i]|0x20-'a') + 1
		i++
	}
	row = digits(ref[i:])
	if i == 0 || row < 1 || row > maxRow || col > maxColumn {
		return 0, 0, false
	}
	return row - 1, col - 1, true
}

// digits reads a number without a sign; -1 if it is none.
func digits(b []byte) int {
	if len(b) == 0 || len(b) > 9 {
		return -1
	}
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// parseRange reads a rectangle such as "A1:C3", or a single cell.
func parseRange(ref string) (grid.Range, bool) {
	from, to, found := strings.Cut(strings.ReplaceAll(ref, "$", ""), ":")
	if !found {
		to = from
	}
	r1, c1, ok1 := parseRef([]byte(from))
	r2, c2, ok2 := parseRef([]byte(to))
	if !ok1 || !ok2 || r2 < r1 || c2 < c1 {
		return grid.Range{}, false
	}
	return grid.Range{Row1: r1, Col1: c1, Row2: r2, Col2: c2}, true
}
