// Package crawlbench measures how fast a site is crawled, with everything kept
// durably, and what memory that takes. The yardstick runs in the same minute on
// the same machine: a loop that fetches the pages, finds their links and throws
// them away.
package crawlbench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/app"
	"github.com/trawlhq/trawl/internal/config"
)

// Suites lists the measurements of this package.
func Suites() []suite.Suite {
	return []suite.Suite{{Name: "crawl", Run: run}}
}

// atOnce is how many pages of one host are loaded at a time, by both sides.
const atOnce = 8

func run(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	sizes := []int{1000, 5000, 20_000}
	if env.Quick {
		sizes = []int{200, 1000}
	}
	s, err := serveSite(os.Getenv("TRAWL_BENCH_SITE"))
	if err != nil {
		return nil, err
	}
	defer s.close()
	var results []suite.Result
	var rates []float64
	for _, n := range sizes {
		base, err := timed(n, func() (int, error) { return walkOnly(ctx, s.URL+"/", n, atOnce) })
		if err != nil {
			return nil, err
		}
		ours, peak, err := crawlOnce(ctx, s.URL+"/", n)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(env.Log, "crawl: %d pages, %.0f pages/s; walking alone %.0f pages/s; heap %d MiB\n", n, ours, base, peak>>20)
		rates = append(rates, ours)
		results = append(results,
			suite.Result{Name: fmt.Sprintf("crawl.rate-%d", n), Value: ours, Unit: "pages/s", Note: "to markdown, all kept durably"},
			suite.Result{Name: fmt.Sprintf("crawl.share-%d", n), Value: ours / base, Unit: "x", Note: "of a loop that only fetches and finds links"},
			suite.Result{Name: fmt.Sprintf("crawl.heap-%d", n), Value: float64(peak >> 20), Unit: "MiB", Lower: true, Note: "highest heap in use"})
	}
	return append(results, suite.Result{
		Name: "crawl.steadiness", Value: rates[len(rates)-1] / rates[0], Unit: "x", Note: "rate of the largest crawl to that of the smallest",
	}), nil
}

// timed gives pages per second.
func timed(want int, work func() (int, error)) (float64, error) {
	began := time.Now()
	pages, err := work()
	if err != nil {
		return 0, err
	}
	if pages < want*9/10 {
		return 0, fmt.Errorf("only %d of %d pages came", pages, want)
	}
	return float64(pages) / time.Since(began).Seconds(), nil
}

// crawlOnce crawls with a trawl of its own, on an empty data directory.
func crawlOnce(ctx context.Context, start string, n int) (rate float64, peak uint64, err error) {
	dir, err := os.MkdirTemp("", "trawl-bench-crawl-")
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	a, err := app.Open(ctx, config.Serve{
		Storage: config.Storage{DataDir: dir}, Fetching: config.Fetching{AllowPrivateNetworks: "true", Chromium: "/nonexistent", CacheSize: 4096},
	}, "bench", slog.New(slog.DiscardHandler))
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	stop := a.Work(ctx)
	defer stop()
	watching, enough := context.WithCancel(ctx)
	highest := make(chan uint64)
	go func() { highest <- watchHeap(watching) }()
	rate, err = timed(n, func() (int, error) { return crawlAll(ctx, a, start, n) })
	enough()
	return rate, <-highest, err
}

func crawlAll(ctx context.Context, a *app.App, start string, n int) (int, error) {
	begun, err := a.Crawl.StartCrawl(ctx, trawl.CrawlRequest{URL: start, CrawlOptions: trawl.CrawlOptions{Limit: n, Sitemap: trawl.SitemapSkip}})
	if err != nil {
		return 0, err
	}
	for {
		status, err := a.Crawl.CrawlStatus(ctx, begun.ID, trawl.Window{Limit: 1})
		if err != nil || status.Ended() {
			return status.Completed, err
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// watchHeap gives the highest heap in use until ctx ends.
func watchHeap(ctx context.Context) (peak uint64) {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapInuse)
		select {
		case <-ctx.Done():
			return peak
		case <-ticker.C:
		}
	}
}
