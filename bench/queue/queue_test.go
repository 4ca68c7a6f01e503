package queue

import (
	"testing"

	"github.com/trawlhq/trawl/bench/suite"
)

func TestSuiteMeasuresSomething(t *testing.T) {
	for _, s := range Suites() {
		results, err := s.Run(t.Context(), suite.Env{Log: t.Output(), Quick: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			if r.Value <= 0 {
				t.Errorf("%s = %v %s", r.Name, r.Value, r.Unit)
			}
			t.Logf("%s = %.2f %s", r.Name, r.Value, r.Unit)
		}
	}
}
