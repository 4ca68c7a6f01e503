package officebench

import (
	"fmt"
	"math"
	"testing"
)

func TestBlocksOfMarkdown(t *testing.T) {
	for _, tc := range []struct{ name, md, want string }{
		{"headings and paragraphs", "# A\n\ntext **b**\nmore", "[{h A} {p text b more}]"},
		{"lists at any depth", "- a\n  - b\n\n    c\n", "[{li a} {li b} {li c}]"},
		{"quotations are paragraphs", "> a", "[{p a}]"},
		{"code, fenced and indented", "```x\na  b\n```\n\n    c", "[{code a b} {code c}]"},
		{"pipe tables, empty rows ignored", "|  | b |\n|-|-|\n| | |\n| c | d |", "[{row | b} {row c | d}]"},
		{"HTML tables", "<table><tr><td><p>a</p></td><td>b</td></tr></table>", "[{row a | b}]"},
		{"comments and images are nothing", "<!-- x -->\n\n![alt](a.png)\n\ny", "[{p y}]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := fmt.Sprint(blocks(tc.md)); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestSimilarity(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want float64
	}{
		{"", "", 1},
		{"abc", "", 0},
		{"abc", "abc", 1},
		{"abcd", "abd", 6.0 / 7},
		{"ab", "ba", 0.5},
		{"möwe", "möve", 0.75},
	} {
		if got := similarity(tc.a, tc.b); math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("similarity(%q, %q) = %v, want %v", tc.a, tc.b, got, tc.want)
		}
	}
}

func TestOverlapCountsRepetitions(t *testing.T) {
	a := block{"p", "a"}
	if got := overlap([]block{a, a}, []block{a}); math.Abs(got-2.0/3) > 1e-9 {
		t.Errorf("overlap = %v, want 2/3", got)
	}
}
