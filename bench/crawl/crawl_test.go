package crawlbench

import (
	"io"
	"os"
	"testing"

	"github.com/trawlhq/trawl/bench/suite"
)

// The measurement itself must work; how fast it is, `make bench` says.
func TestTheCrawlIsMeasured(t *testing.T) {
	log := io.Writer(io.Discard)
	if testing.Verbose() {
		log = os.Stderr
	}
	results, err := Suites()[0].Run(t.Context(), suite.Env{Out: t.TempDir(), Log: log, Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Value <= 0 {
			t.Errorf("%s = %v, want more than nothing", r.Name, r.Value)
		}
	}
	if len(results) != 7 {
		t.Errorf("%d results, want 7", len(results))
	}
}
