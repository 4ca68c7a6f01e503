package crawl_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/scrape"
	"github.com/trawlhq/trawl/internal/testsite"
)

// numbered is a site of n pages that link to each other in a row of ten; answer may break each of them.
func numbered(t *testing.T, n int, answer func(w http.ResponseWriter, r *http.Request, page int) bool) *httptest.Server {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var page int
		if _, err := fmt.Sscanf(r.URL.Path, "/p/%d", &page); err != nil && r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		if answer(w, r, page) {
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<main><h1>Page %d</h1><p>One of %d pages, each with a sentence.</p>", page, n)
		for next := page + 1; next <= min(page+10, n); next++ {
			fmt.Fprintf(w, `<a href="/p/%d">%[1]d</a> `, next)
		}
	}))
	t.Cleanup(site.Close)
	return site
}

func TestFaultsOfASiteEndTheirPagesAndNotTheCrawl(t *testing.T) {
	refused := func(status int, header ...string) func(http.ResponseWriter, *http.Request, int) bool {
		return func(w http.ResponseWriter, _ *http.Request, page int) bool {
			if page == 0 || page%4 != 0 {
				return false
			}
			for i := 0; i+1 < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(status)
			return true
		}
	}
	for _, tc := range []struct {
		name   string
		breaks func(w http.ResponseWriter, r *http.Request, page int) bool
		done   int
		code   string // of the others
	}{
		{"errors of the server are documents with their status", refused(500), 41, ""},
		{"a site that wants us to wait too long", refused(429, "Retry-After", "3600"), 41, ""},
		{"redirects in a circle", refused(302, "Location", "/p/4"), 31, "SCRAPE_SITE_ERROR"},
		{"connections that break", func(w http.ResponseWriter, _ *http.Request, page int) bool {
			if page == 0 || page%4 != 0 {
				return false
			}
			panic(http.ErrAbortHandler)
		}, 31, "SCRAPE_SITE_ERROR"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			site := numbered(t, 40, tc.breaks)
			h := build(t, houseOptions{})
			id := h.start(t, trawl.CrawlRequest{URL: site.URL + "/", CrawlOptions: trawl.CrawlOptions{Sitemap: trawl.SitemapSkip}})
			st, _ := h.finish(t, id, h.CrawlStatus)
			problems, err := h.CrawlErrors(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			if st.Status != trawl.CrawlCompleted || st.Completed != tc.done || st.Completed+len(problems.Errors) != 41 {
				t.Errorf("%s: %d pages and %d errors", st.Status, st.Completed, len(problems.Errors))
			}
			for _, e := range problems.Errors {
				if e.Code == "" || tc.code != "" && !strings.HasPrefix(e.Code, "SCRAPE_") {
					t.Errorf("error of %s has the code %q", e.URL, e.Code)
				}
			}
		})
	}
}

func TestASiteThatGoesDownInTheMiddleEndsTheCrawl(t *testing.T) {
	var served atomic.Int64
	var site *httptest.Server
	site = numbered(t, 400, func(http.ResponseWriter, *http.Request, int) bool {
		if served.Add(1) == 60 {
			go site.Close()
		}
		return false
	})
	h := build(t, houseOptions{})
	id := h.start(t, trawl.CrawlRequest{URL: site.URL + "/", CrawlOptions: trawl.CrawlOptions{Sitemap: trawl.SitemapSkip}})
	st, _ := h.finish(t, id, h.CrawlStatus)
	problems, err := h.CrawlErrors(t.Context(), id)
	if err != nil || st.Status != trawl.CrawlCompleted || st.Completed < 30 || len(problems.Errors) == 0 {
		t.Errorf("%s with %d pages and %d errors, %v", st.Status, st.Completed, len(problems.Errors), err)
	}
}

func TestASlowPageHitsItsOwnTimeoutOnly(t *testing.T) {
	site := testsite.New(t)
	h := build(t, houseOptions{})
	begun, err := h.StartBatch(t.Context(), trawl.BatchRequest{
		URLs: []string{site.URL + "/slow/never", site.Origin("graph") + "/about"}, ScrapeOptions: trawl.ScrapeOptions{Timeout: 1000},
	})
	if err != nil {
		t.Fatal(err)
	}
	st, _ := h.finish(t, begun.ID, h.BatchStatus)
	problems, err := h.BatchErrors(t.Context(), begun.ID)
	if err != nil || st.Completed != 1 || len(problems.Errors) != 1 || problems.Errors[0].Code != "SCRAPE_TIMEOUT" {
		t.Errorf("%d pages, errors %+v, %v", st.Completed, problems.Errors, err)
	}
}

// fullDisk takes the first contents and then nothing, until there is room again.
type fullDisk struct {
	scrape.Blobs
	puts *atomic.Int64
}

const roomFor, refusals = 2, 24

// drawn is a text that cannot be made much shorter.
func drawn(words int) string {
	var b strings.Builder
	for range words {
		fmt.Fprintf(&b, "%x ", rand.Uint64())
	}
	return b.String()
}

func (d fullDisk) Put(ctx context.Context, key string, data []byte) error {
	if n := d.puts.Add(1); n > roomFor && n <= roomFor+refusals {
		return fmt.Errorf("write %s: %w", key, syscall.ENOSPC)
	}
	return d.Blobs.Put(ctx, key, data)
}

func TestAFullDiskHoldsACrawlUpAndLosesNothing(t *testing.T) {
	site := numbered(t, 12, func(w http.ResponseWriter, _ *http.Request, page int) bool {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<main><h1>Page %d</h1>", page)
		for range 200 { // too much for a row
			fmt.Fprintf(w, "<p>Numbers, all of which are drawn: %s</p>", drawn(60))
		}
		for next := 1; page == 0 && next <= 12; next++ {
			fmt.Fprintf(w, `<a href="/p/%d">%[1]d</a> `, next)
		}
		return true
	})
	var puts atomic.Int64
	h := build(t, houseOptions{blobs: func(b scrape.Blobs) scrape.Blobs { return fullDisk{b, &puts} }})
	id := h.start(t, trawl.CrawlRequest{URL: site.URL + "/", CrawlOptions: trawl.CrawlOptions{Sitemap: trawl.SitemapSkip}})
	st, _ := h.finish(t, id, h.CrawlStatus)
	problems, err := h.CrawlErrors(t.Context(), id)
	if err != nil || st.Status != trawl.CrawlCompleted || st.Completed != 13 || len(problems.Errors) != 0 {
		t.Errorf("%s with %d pages, errors %+v, %v", st.Status, st.Completed, problems.Errors, err)
	}
	if n := puts.Load(); n < roomFor+refusals {
		t.Errorf("the disk was written to %d times only: it was never full", n)
	}
}
