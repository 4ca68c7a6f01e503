package web

import (
	"math"
	"reflect"
	"testing"
)

func TestScores(t *testing.T) {
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-9 }
	if got := overlap([]string{"a", "a", "b"}, []string{"a", "b", "c"}); got != (counts{2, 1, 1}) {
		t.Errorf("overlap of multisets = %v", got)
	}
	if got := shingles([]string{"a", "b"}, 4); !reflect.DeepEqual(got, []string{"a b"}) {
		t.Errorf("shingles of a short text = %v", got)
	}
	if f1, _, _ := wordF1("", ""); f1 != 1 {
		t.Errorf("nothing wanted and nothing given scores %v", f1)
	}
	if f1, _, _ := wordF1("One, two!", "one two three"); !near(f1, 0.8) {
		t.Errorf("two words of three score %v", f1)
	}
	for _, tc := range []struct {
		a, b string
		want float64
	}{{"", "", 1}, {"abc", "abc", 1}, {"abc", "xyz", 0}, {"abcd", "abxd", 0.75}, {"größe", "grösse", 8.0 / 11}} {
		if got := similarity(tc.a, tc.b); !near(got, tc.want) {
			t.Errorf("similarity(%q, %q) = %v, want %v", tc.a, tc.b, got, tc.want)
		}
	}
}

// The length of a common subsequence is computed 64 characters at a time; the
// carry between the words must not get lost.
func TestLongCommonSubsequence(t *testing.T) {
	var a, b []rune
	for i := range 1000 {
		a = append(a, rune('a'+i%7))
		if i%3 != 0 {
			b = append(b, rune('a'+i%7))
		}
	}
	if got := lcs(a, b); got != len(b) {
		t.Errorf("lcs = %d, want %d", got, len(b))
	}
}

func TestBlocksOfMarkdown(t *testing.T) {
	md := "# H *x*\n\npara [link](u) ![img](u)\n\n- item\n  - deep\n\n> quoted\n\n```go\ncode\n```\n\n| a | b |\n| --- | --- |\n| 1 | `2` |\n\n<table><tr><td>h</td></tr></table>\n"
	want := []block{{"h", "H x"}, {"p", "para link"}, {"li", "item"}, {"li", "deep"}, {"p", "quoted"}, {"code", "code"},
		{"row", "a | b"}, {"row", "1 | 2"}, {"row", "h"}}
	if got := blocks(md); !reflect.DeepEqual(got, want) {
		t.Errorf("blocks = %v, want %v", got, want)
	}
}

func TestRoundTripFormIgnoresWhatIsEqual(t *testing.T) {
	for _, pair := range [][2]string{
		{"<p>a  <b>b</b></p>\n", "<p>a <strong>b</strong></p>"},
		{"<ul><li><p>x</p></li></ul>", "<ul>\n<li>x</li>\n</ul>"},
	} {
		a, b := normalForm(pair[0]), normalForm(pair[1])
		if a != b {
			t.Errorf("%s is written %s, %s is written %s", pair[0], a, pair[1], b)
		}
	}
	if normalForm("<p>a</p>") == normalForm("<p>b</p>") {
		t.Error("different texts are written alike")
	}
}

func TestJudge(t *testing.T) {
	same := func(accepted []string, got string) bool { return accepted[0] == got }
	for _, tc := range []struct {
		got      string
		accepted []string
		want     counts
	}{{"", nil, counts{}}, {"", []string{"a"}, counts{fn: 1}}, {"a", nil, counts{fp: 1}}, {"a", []string{"a"}, counts{tp: 1}}, {"b", []string{"a"}, counts{fp: 1, fn: 1}}} {
		if c := judge(tc.got, tc.accepted, same); c != tc.want {
			t.Errorf("judge(%q, %v) = %v, want %v", tc.got, tc.accepted, c, tc.want)
		}
	}
	if !sameAmount([]string{"19.90 "}, "19.9") || sameAmount([]string{"19.90"}, "19.8") {
		t.Error("amounts are compared wrongly")
	}
}
