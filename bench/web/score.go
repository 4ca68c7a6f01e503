package web

import (
	"strings"
	"unicode"
)

// words splits a text into maximal runs of letters, digits and underscores.
func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '_'
	})
}

func lowerWords(s string) []string { return words(strings.ToLower(s)) }

// shingles joins every n words in a row.
func shingles(tokens []string, n int) []string {
	if len(tokens) == 0 {
		return nil
	}
	if len(tokens) < n {
		return []string{strings.Join(tokens, " ")}
	}
	out := make([]string, 0, len(tokens)-n+1)
	for i := range len(tokens) - n + 1 {
		out = append(out, strings.Join(tokens[i:i+n], " "))
	}
	return out
}

// counts is the outcome of comparing what was given with what was wanted.
type counts struct{ tp, fp, fn float64 }

// overlap compares two multisets.
func overlap[T comparable](got, want []T) counts {
	left := map[T]int{}
	for _, w := range want {
		left[w]++
	}
	tp := 0
	for _, g := range got {
		if left[g] > 0 {
			left[g]--
			tp++
		}
	}
	return counts{float64(tp), float64(len(got) - tp), float64(len(want) - tp)}
}

func (c counts) precision() float64 { return share(c.tp, c.tp+c.fp) }
func (c counts) recall() float64    { return share(c.tp, c.tp+c.fn) }
func (c counts) f1() float64        { return harmonic(c.precision(), c.recall()) }

func (c counts) plus(d counts) counts { return counts{c.tp + d.tp, c.fp + d.fp, c.fn + d.fn} }

func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

func harmonic(a, b float64) float64 {
	if a+b == 0 {
		return 0
	}
	return 2 * a * b / (a + b)
}

// wordF1 compares texts word by word. An empty truth wants an empty answer.
func wordF1(got, want string) (f1, precision, recall float64) {
	g, w := lowerWords(got), lowerWords(want)
	if len(w) == 0 {
		if len(g) == 0 {
			return 1, 1, 1
		}
		return 0, 0, 0
	}
	c := overlap(g, w)
	return c.f1(), c.precision(), c.recall()
}

// mean averages values that are added one by one.
type mean struct{ sum, n float64 }

func (m *mean) add(v float64) { m.sum += v; m.n++ }
func (m mean) value() float64 { return share(m.sum, m.n) }

// similarity is 2·LCS/(len a + len b) over characters.
func similarity(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	if len(x)+len(y) == 0 {
		return 1
	}
	return 2 * float64(lcs(x, y)) / float64(len(x)+len(y))
}

// lcs is the length of the longest common subsequence, 64 characters of a at a
// time: a zero bit in row marks a step of the classic table.
func lcs(a, b []rune) int {
	width := (len(a) + 63) / 64
	where := map[rune][]uint64{}
	for i, r := range a {
		if where[r] == nil {
			where[r] = make([]uint64, width)
		}
		where[r][i/64] |= 1 << (i % 64)
	}
	row := make([]uint64, width)
	for i := range row {
		row[i] = ^uint64(0)
	}
	for _, r := range b {
		match, ok := where[r]
		if !ok {
			continue
		}
		carry := uint64(0)
		for i, v := range row {
			u := v & match[i]
			sum := v + u
			next := sum + carry
			over := uint64(0)
			if sum < v || next < sum {
				over = 1
			}
			row[i] = next | (v &^ match[i])
			carry = over
		}
	}
	length := 0
	for i := range a {
		if row[i/64]&(1<<(i%64)) == 0 {
			length++
		}
	}
	return length
}
