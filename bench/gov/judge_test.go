package govbench

import (
	"math"
	"testing"
	"time"
)

func TestMarksOfAnAnswer(t *testing.T) {
	q := query{Relevant: []judgment{
		{ID: "a", URL: "https://law.test/a/", AltURLs: []string{"https://other.test/a"}, Grade: 2},
		{ID: "b", URL: "https://law.test/b", Grade: 1},
	}}
	best := 3.0 + 1/math.Log2(3)
	for _, tc := range []struct {
		name    string
		found   []string
		exclude string
		want    marks
	}{
		{"everything in order", []string{"https://law.test/a", "https://law.test/b"}, "", marks{1, 1, 1, 1}},
		{"scheme, slash and case of the host do not matter", []string{"http://LAW.test/a/"}, "", marks{3 / best, 1, 1, 1}},
		{"another address of the same unit counts, but once", []string{"https://other.test/a", "https://law.test/a"}, "", marks{3 / best, 1, 1, 1}},
		{"second place", []string{"https://x.test/", "https://law.test/a"}, "", marks{3 / math.Log2(3) / best, 1, 0.5, 0}},
		{"what is excluded takes no place", []string{"https://x.test/", "https://law.test/a"}, "https://x.test/", marks{3 / best, 1, 1, 1}},
		{"only the lesser one is no hit", []string{"https://law.test/b"}, "", marks{1 / best, 0, 0, 0}},
		{"nothing", nil, "", marks{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := judge(q, map[string]bool{sameAddress(tc.exclude): tc.exclude != ""}, tc.found)
			for _, pair := range [][2]float64{{got.NDCG, tc.want.NDCG}, {got.Hit, tc.want.Hit}, {got.MRR, tc.want.MRR}, {got.First, tc.want.First}} {
				if math.Abs(pair[0]-pair[1]) > 1e-9 {
					t.Errorf("marks = %+v, want %+v", got, tc.want)
					break
				}
			}
		})
	}
}

func TestMeansPerTypeAndPercentile(t *testing.T) {
	answers := []answered{
		{Type: "x", Marks: marks{NDCG: 1, Hit: 1}, Took: 3 * time.Millisecond}, {Type: "x", Took: time.Millisecond},
		{Type: "y", Marks: marks{NDCG: 1, Hit: 1}, Took: 2 * time.Millisecond},
	}
	by := byType(answers)
	if by["x"].NDCG != 0.5 || by["y"].Hit != 1 || math.Abs(by["all"].Hit-2.0/3) > 1e-9 {
		t.Errorf("means = %+v", by)
	}
	if p := percentile(answers, 0.5); p != 2*time.Millisecond {
		t.Errorf("median = %v", p)
	}
	if p := percentile(nil, 0.5); p != 0 {
		t.Errorf("median of nothing = %v", p)
	}
}
