package scraping

import (
	"fmt"
	"testing"
	"time"

	"github.com/trawlhq/trawl/bench/scraping/pages"
)

func TestLoopFetchesAndParses(t *testing.T) {
	site := pages.Serve(pages.Make(4))
	defer site.Close()
	var addresses []string
	for i := range 4 {
		addresses = append(addresses, fmt.Sprintf("%s/%d", site.URL, i))
	}
	l, err := newLoop(addresses)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	var s side
	if err := s.round(func() (float64, error) { return l.run(t.Context(), 200*time.Millisecond) }); err != nil {
		t.Fatal(err)
	}
	if s.last() <= 0 || s.millis[0] <= 0 {
		t.Errorf("got %v pages a second for %v ms each, want some", s.last(), s.millis[0])
	}
}

func TestSiteThatIsGoneEndsTheLoop(t *testing.T) {
	site := pages.Serve(pages.Make(1))
	site.Close()
	l, err := newLoop([]string{site.URL + "/0"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	if done, err := l.run(t.Context(), time.Second); err == nil {
		t.Errorf("a site that does not answer gave %v pages", done)
	}
}
