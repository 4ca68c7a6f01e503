package layout

import (
	"strconv"
	"strings"
	"unicode"
)

// tableLike tells a table from columns of text, from lists and from contents.
func tableLike(rows []row, cores []core) bool {
	marks, numbers, rising, last := 0, 0, 0, -1
	for i := range rows {
		first, final := rows[i].segments[0], rows[i].segments[len(rows[i].segments)-1]
		marks += count(isMarkerLine(first))
		if n, err := strconv.Atoi(final.String()); err == nil {
			numbers++
			rising += count(n >= last)
			last = n
		}
	}
	switch {
	case len(cores) == 2 && (2*marks > len(rows) || len(rows) < 4):
		return false
	case len(cores) == 2 && numbers == len(rows) && rising == numbers:
		return false
	}
	return !wordy(rows, cores)
}

// isList says that most rows begin with a bullet.
func isList(rows []row) bool {
	n := 0
	for i := range rows {
		first := rows[i].segments[0]
		n += count(len(first.Words) == 1 && strings.ContainsAny(first.Words[0].Text, "•◦▪●○■►➢✓") && len([]rune(first.Words[0].Text)) == 1)
	}
	return 2*n > len(rows)
}

// isFormula says that most cells are neither words nor figures.
func isFormula(rows []row) bool {
	signs, all := 0, 0
	for i := range rows {
		for _, s := range rows[i].segments {
			text := s.String()
			all++
			signs += count(!hasLetters(text, 3) && !isFigure(text))
		}
	}
	return 10*signs > 6*all
}

// hasLetters says that text has so many letters in a row.
func hasLetters(text string, least int) bool {
	run := 0
	for _, r := range text {
		if !unicode.IsLetter(r) {
			run = 0
			continue
		}
		if run++; run >= least {
			return true
		}
	}
	return false
}

// sameColumns says that every row has a segment in every column.
func sameColumns(rows []row, cores []core) bool {
	for i := range rows {
		if len(rows[i].segments) != len(cores) {
			return false
		}
	}
	return true
}

// wordy says that at least two columns, and half of all, hold running text.
func wordy(rows []row, cores []core) bool {
	words, cells := make([]int, len(cores)), make([]int, len(cores))
	for i := range rows {
		for _, s := range rows[i].segments {
			c, _ := span(cores, s.Box)
			words[c] += len(s.Words)
			cells[c]++
		}
	}
	n := 0
	for c := range cores {
		n += count(cells[c] > 0 && float64(words[c])/float64(cells[c]) >= 5)
	}
	return n >= 2 && 2*n >= len(cores)
}

// isMarkerLine says that a segment is nothing but the mark of a list item.
func isMarkerLine(l Line) bool {
	if len(l.Words) != 1 {
		return false
	}
	text := l.Words[0].Text
	return markerLength(text) == len(text) || digitsOnly(text) && len(text) < 3 || strings.TrimRight(text, ".)") != text && len(text) < 5
}
