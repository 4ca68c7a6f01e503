package browserbench

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/browser"
	"github.com/trawlhq/trawl/internal/document/htmldoc"
	"github.com/trawlhq/trawl/internal/format/markdown"
)

// renderCost compares a pooled render with the same page brought by hand, in
// turns, so that whatever else the machine does hits both alike. Medians.
//
// One page each in turn leaves the pool time to open its next tab ahead, as a
// server with some rest between requests does; ten in a row leave it none.
func renderCost(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	rounds := 30
	if env.Quick {
		rounds = 10
	}
	at := site()
	defer at.Close()
	pool, done, err := open(2)
	if err != nil {
		return nil, err
	}
	defer done()
	hand, err := startBare()
	if err != nil {
		return nil, err
	}
	defer hand.close()
	_, kept, err := hand.tab()
	if err != nil {
		return nil, err
	}
	var results []suite.Result
	for _, kind := range []string{"static", "script"} {
		address := at.URL + "/" + kind
		pooled := func() error { return toMarkdown(ctx, pool, address) }
		fresh := func() error { return hand.bringFresh(address) }
		times, err := inTurns(rounds, 1, pooled, fresh, func() error { return hand.bring(kept, address) })
		if err != nil {
			return nil, err
		}
		rows, err := inTurns(rounds/10, 10, pooled, fresh)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(env.Log, "%s page: pooled %v, by hand in a fresh context %v, in a kept tab %v; ten in a row: pooled %v, by hand %v\n",
			kind, times[0], times[1], times[2], rows[0], rows[1])
		results = append(results,
			suite.Result{Name: "browser-render." + kind + ".ratio", Value: float64(times[0]) / float64(times[1]), Unit: "x", Lower: true,
				Note: "pooled page to Markdown / hand-written navigate + outerHTML, fresh context each"},
			suite.Result{Name: "browser-render." + kind + ".ratio-kept-tab", Value: float64(times[0]) / float64(times[2]), Unit: "x", Lower: true,
				Note: "the same / one tab kept for all pages, so nothing isolated"},
			suite.Result{Name: "browser-render." + kind + ".ratio-in-a-row", Value: float64(rows[0]) / float64(rows[1]), Unit: "x", Lower: true,
				Note: "as the first, ten in a row each, so no tab is opened ahead for free"},
		)
	}
	return results, nil
}

// toMarkdown does what a scrape does with a rendered page.
func toMarkdown(ctx context.Context, pool *browser.Pool, address string) error {
	got, err := pool.Render(ctx, browser.Request{URL: address})
	if err != nil {
		return err
	}
	doc, err := htmldoc.Read([]byte(got.HTML), "text/html; charset=utf-8", address)
	if err != nil {
		return err
	}
	view, err := htmldoc.Clean(doc, htmldoc.Options{OnlyMainContent: true})
	if err != nil {
		return err
	}
	text := markdown.Convert(view.Root, markdown.Options{})
	if !strings.Contains(text, "## Part 199") {
		return fmt.Errorf("render %s: %d bytes of Markdown without the last part", address, len(text))
	}
	return nil
}

// inTurns runs the contestants one after another, round by round, each so many
// times in a row, and gives the median of each. The first round does not count.
func inTurns(rounds, row int, contestants ...func() error) ([]time.Duration, error) {
	taken := make([][]time.Duration, len(contestants))
	for round := range rounds + 1 {
		for i, run := range contestants {
			for range row {
				began := time.Now()
				if err := run(); err != nil {
					return nil, err
				}
				if round > 0 {
					taken[i] = append(taken[i], time.Since(began))
				}
			}
		}
	}
	medians := make([]time.Duration, len(contestants))
	for i := range taken {
		slices.Sort(taken[i])
		medians[i] = taken[i][len(taken[i])/2]
	}
	return medians, nil
}
