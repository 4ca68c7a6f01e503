package scraping

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/trawlhq/trawl/bench/house"
	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/testsite"
)

// large scrapes pages of the test site that are too much, one after another: how
// long each takes, and what it adds to the server at its highest, in units of
// the page's own size.
func large(ctx context.Context, env suite.Env, s *stage) ([]suite.Result, error) {
	site, err := testsite.Start(testsite.Options{})
	if err != nil {
		return nil, err
	}
	defer site.Close()
	var results []suite.Result
	for _, page := range []struct{ name, path string }{
		{"bytes", "/huge/bytes?mib=20"},
		{"nodes", "/huge/nodes?count=1000000"},
	} {
		size, err := sizeOf(ctx, site.URL+page.path)
		if err != nil {
			return nil, err
		}
		took, grown, err := s.scrapeLarge(ctx, site.URL+page.path)
		if err != nil {
			return nil, err
		}
		results = append(results,
			suite.Result{Name: "scraping-large." + page.name + ".seconds", Value: took.Seconds(), Unit: "s", Lower: true,
				Note: fmt.Sprintf("page of %.1f MiB to Markdown through the API", float64(size)/(1<<20))},
			suite.Result{Name: "scraping-large." + page.name + ".memory", Value: float64(grown) / float64(size), Unit: "x", Lower: true,
				Note: fmt.Sprintf("resident memory added at its highest, %.0f MiB, by the size of the page", float64(grown)/(1<<20))},
		)
	}
	return results, nil
}

// scrapeLarge scrapes one page and tells by how much the server grew at most.
func (s *stage) scrapeLarge(ctx context.Context, address string) (took time.Duration, grown int64, err error) {
	before, err := s.trawl.Memory()
	if err != nil {
		return 0, 0, err
	}
	if err := s.trawl.ForgetPeak(); err != nil {
		return 0, 0, err
	}
	began := time.Now()
	body := fmt.Sprintf(`{"url":%q,"maxAge":0,"storeInCache":false,"timeout":120000}`, address)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.trawl.URL+"/v2/scrape", strings.NewReader(body))
	if err != nil {
		return 0, 0, err
	}
	req.Header.Set("Authorization", "Bearer "+house.Key)
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, 0, err
	}
	defer answer.Body.Close()
	n, err := io.Copy(io.Discard, answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		return 0, 0, fmt.Errorf("scrape %s: status %d after %d bytes: %w", address, answer.StatusCode, n, err)
	}
	took = time.Since(began)
	peak, err := s.trawl.Peak()
	return took, peak - before.Resident, err
}

func sizeOf(ctx context.Context, address string) (int64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	return io.Copy(io.Discard, res.Body)
}
