// Package crawlbench measures how fast a site is crawled, with everything kept
// durably, and what memory and processor time that takes.
//
// The site is real documentation, served from this process. Everyone else is a
// process of its own on the same two cores: the real binary of trawl, a Colly
// program that only fetches, finds links and throws the page away, and Crawlee
// with turndown (bench/rivals). They take turns within the same minutes, and
// the middle one of their rates counts.
package crawlbench

import (
	"context"
	"fmt"

	"github.com/trawlhq/trawl/bench/house"
	"github.com/trawlhq/trawl/bench/suite"
)

// Suites lists the measurements of this package.
func Suites() []suite.Suite {
	return []suite.Suite{
		{Name: "crawl", Run: onStage(sizes)},
		{Name: "crawl-polling", Run: onStage(polling)},
		{Name: "crawl-kills", Run: onStage(kills)},
	}
}

// atOnce is how many pages of one host are loaded at a time, by all sides.
const atOnce = 8

// size is a crawl of so many pages, repeated so often; crawlee joins in the smallest.
type size struct{ pages, rounds int }

func sizes(ctx context.Context, env suite.Env, s *stage) ([]suite.Result, error) {
	list := []size{{1000, 3}, {5000, 3}, {20_000, 1}}
	if env.Quick {
		list = []size{{100, 1}, {300, 1}}
	}
	var results []suite.Result
	var rates []float64
	for i, z := range list {
		m, err := s.measure(ctx, env, z, i == 0)
		if err != nil {
			return nil, err
		}
		rates = append(rates, house.Median(m.trawl.rates))
		results = append(results, m.results()...)
	}
	return append(results, suite.Result{
		Name: "crawl.steadiness", Value: rates[len(rates)-1] / rates[0], Unit: "x", Note: "rate of the largest crawl to that of the smallest",
	}), nil
}

// measured is what the rounds of one size brought, of all sides.
type measured struct {
	size                  size
	trawl, colly, crawlee record
}

// measure lets the sides take turns.
func (s *stage) measure(ctx context.Context, env suite.Env, z size, withCrawlee bool) (*measured, error) {
	m := &measured{size: z}
	for range z.rounds {
		if err := m.trawl.add(s.crawl(ctx, z.pages, nobody)); err != nil {
			return nil, fmt.Errorf("crawl %d pages with trawl: %w", z.pages, err)
		}
		if err := m.colly.addRival(ctx, s, s.colly, z.pages); err != nil {
			return nil, err
		}
		if !withCrawlee {
			continue
		}
		if err := m.crawlee.addRival(ctx, s, s.crawlee, z.pages); err != nil {
			return nil, err
		}
	}
	fmt.Fprintf(env.Log, "crawl: %d pages: trawl %s; colly %s; crawlee %s\n", z.pages, &m.trawl, &m.colly, &m.crawlee)
	return m, nil
}

func (m *measured) results() []suite.Result {
	n, ours := m.size.pages, house.Median(m.trawl.rates)
	list := []suite.Result{
		{Name: fmt.Sprintf("crawl.rate-%d", n), Value: ours, Unit: "pages/s", Note: "to markdown, all kept durably"},
		{Name: fmt.Sprintf("crawl.cpu-%d", n), Value: house.Median(m.trawl.cpu), Unit: "ms", Lower: true, Note: "processor time per page, without the site's" + m.colly.cpuNote("colly")},
		{Name: fmt.Sprintf("crawl.memory-%d", n), Value: house.Median(m.trawl.memory), Unit: "MiB", Lower: true, Note: "highest resident memory of the process"},
	}
	if len(m.colly.rates) > 0 {
		list = append(list, suite.Result{Name: fmt.Sprintf("crawl.colly-%d", n), Value: ours / house.Median(m.colly.rates), Unit: "x",
			Note: fmt.Sprintf("of a Colly program that keeps nothing: %.0f pages/s", house.Median(m.colly.rates))})
	}
	if len(m.crawlee.rates) > 0 {
		list = append(list, suite.Result{Name: fmt.Sprintf("crawl.crawlee-%d", n), Value: ours / house.Median(m.crawlee.rates), Unit: "x",
			Note: fmt.Sprintf("of Crawlee with turndown: %.0f pages/s", house.Median(m.crawlee.rates))})
	}
	return list
}
