package pdfbench

import (
	"math"
	"testing"
)

func TestTreeDistance(t *testing.T) {
	row := func(cells ...string) []cell {
		var out []cell
		for _, c := range cells {
			out = append(out, cell{text: c, rowSpan: 1, colSpan: 1})
		}
		return out
	}
	for _, tc := range []struct {
		name string
		a, b [][]cell
		want float64
	}{
		{"equal tables", [][]cell{row("a", "b")}, [][]cell{row("a", "b")}, 1},
		{"one of two letters wrong in one of three nodes", [][]cell{row("ab", "c")}, [][]cell{row("ax", "c")}, 1 - 0.5/3},
		{"a row too many", [][]cell{row("a")}, [][]cell{row("a"), row("b")}, 0.5},
		{"nothing alike", [][]cell{row("a")}, [][]cell{row("b")}, 0.5},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := treeScore(tableTree(tc.a), tableTree(tc.b), 1); math.Abs(got-tc.want) > 1e-9 {
				t.Errorf("score = %v, want %v", got, tc.want)
			}
		})
	}
}

func TestPipeTablesBecomeHTML(t *testing.T) {
	for _, tc := range []struct{ name, md, want string }{
		{"rows as wide as the header", "| a | b |\n| --- | --- |\n| 1 | 2 | 3 |\n| 4 |", "<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr><tr><td>4</td><td></td></tr></table>"},
		{"an empty header gives way", "|  |  |\n|---|---|\n| 1 | 2 |", "<table><tr><td>1</td><td>2</td></tr></table>"},
		{"an escaped pipe is text", "| a \\| b | c |\n| --- | --- |", "<table><tr><td>a | b</td><td>c</td></tr></table>"},
		{"a rule is no table", "a\n---\nb", "a\n---\nb"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := pipesToHTML(tc.md); got != tc.want {
				t.Errorf("= %s, want %s", got, tc.want)
			}
		})
	}
}

func TestAdjacencySkipsEmptyCells(t *testing.T) {
	got := relations{}
	for _, rows := range htmlTables("<table><tr><td colspan=2>h</td><td></td><td>z</td></tr><tr><td>a</td><td>b</td></tr></table>") {
		got.addGrid(grid(rows))
	}
	want := relations{{"h", "z", "right"}: 1, {"a", "b", "right"}: 1, {"h", "a", "below"}: 1, {"h", "b", "below"}: 1}
	if len(got) != len(want) || got.total() != want.total() {
		t.Fatalf("relations %v, want %v", got, want)
	}
	for k := range want {
		if got[k] != 1 {
			t.Errorf("%v is missing", k)
		}
	}
}

func TestFacts(t *testing.T) {
	md := "First “words” here.\n\n| Head | Two |\n| --- | --- |\n| a | 7 |\n\nLast words."
	for _, tc := range []struct {
		name string
		f    fact
		want bool
	}{
		{"present with plain quotes", fact{Type: "present", Text: `First "words"`}, true},
		{"present within an edit", fact{Type: "present", Text: "First 'wards", MaxDiffs: 2}, true},
		{"absent", fact{Type: "absent", Text: "nowhere"}, true},
		{"absent from the end", fact{Type: "absent", Text: "First", LastN: 8}, true},
		{"in order", fact{Type: "order", Before: "First", After: "Last"}, true},
		{"not in order", fact{Type: "order", Before: "Last", After: "First"}, false},
		{"cell below its heading", fact{Type: "table", Cell: "7", TopHeading: "Two", Left: "a"}, true},
		{"cell with a wrong neighbour", fact{Type: "table", Cell: "7", Left: "b"}, false},
		{"not blank", fact{Type: "blank"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.f.holds(md); got != tc.want {
				t.Errorf("%+v = %v, want %v", tc.f, got, tc.want)
			}
		})
	}
}

func TestSimilarity(t *testing.T) {
	if got := similarity("a b\nc", "a  b c"); got != 1 {
		t.Errorf("white space counts: %v", got)
	}
	if got := similarity("abcd", "abxx"); got != 0.5 {
		t.Errorf("similarity = %v, want 0.5", got)
	}
}
