package crawlbench

import (
	"context"
	"io"
	"net/http"
	"slices"
	"testing"

	"github.com/trawlhq/trawl/bench/suite"
)

// The measurements themselves must work; how fast it is, `make bench` says.
func TestCrawlsAreMeasured(t *testing.T) {
	env := suite.Env{Out: t.TempDir(), Log: t.Output(), Quick: true}
	s, err := setStage(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.clear(); err != nil {
			t.Error(err)
		}
	}()
	for _, tc := range []struct {
		name    string
		measure func(context.Context, suite.Env, *stage) ([]suite.Result, error)
		want    []string
	}{
		{"rate and memory", sizes, []string{"crawl.rate-100", "crawl.cpu-100", "crawl.memory-100", "crawl.rate-300", "crawl.steadiness"}},
		{"what polling costs", polling, []string{"crawl-polling.rate", "crawl-polling.rate-followed", "crawl-polling.cpu", "crawl-polling.cpu-followed"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			results, err := tc.measure(t.Context(), env, s)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range tc.want {
				if !slices.ContainsFunc(results, func(r suite.Result) bool { return r.Name == name }) {
					t.Errorf("%s is missing in %v", name, results)
				}
			}
		})
	}
}

func TestCostIsTheShareThatIsLost(t *testing.T) {
	for _, tc := range []struct {
		whole, left []float64
		want        float64
	}{
		{[]float64{100, 90, 110}, []float64{50, 40, 60}, 0.5},
		{[]float64{100}, []float64{100}, 0},
		{[]float64{100}, []float64{125}, -0.25},
	} {
		if got := cost("x", tc.whole, tc.left, "").Value; got != tc.want {
			t.Errorf("from %v to %v: %v, want %v", tc.whole, tc.left, got, tc.want)
		}
	}
}

func TestALibraryServesItsTreeInEveryEdition(t *testing.T) {
	s, err := serveSite(library("testdata/tree"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for path, want := range map[string]int{"": 200, "1/": 200, "3/page.html": 200, "4/": 404, "1/none.html": 404} {
		before := s.sent.Load()
		res, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, res.Body)
		_ = res.Body.Close() // it was read to its end
		if err != nil || res.StatusCode != want || s.sent.Load()-before != n {
			t.Errorf("/%s: status %d, %d bytes, %d counted, %v; want status %d", path, res.StatusCode, n, s.sent.Load()-before, err, want)
		}
	}
}
