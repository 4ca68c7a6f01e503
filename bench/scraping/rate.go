package scraping

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/bench/house"
	"github.com/trawlhq/trawl/bench/house/load"
	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/fetch"
	"github.com/trawlhq/trawl/internal/netguard"
)

// rate compares scrapes a second through the API with what the same machine does
// when it only fetches the pages, through the same guard, and parses them. Both
// take turns.
func rate(ctx context.Context, env suite.Env, s *stage) ([]suite.Result, error) {
	loop, err := newLoop(s.addresses)
	if err != nil {
		return nil, err
	}
	defer loop.close()
	rounds := 7
	if env.Quick {
		rounds = 3
	}
	var ratios []float64
	ours, theirs := side{trawl: s.trawl}, side{}
	for range rounds {
		if err := ours.round(func() (float64, error) {
			done, err := s.scrape(ctx, load.Plan{For: roundTime})
			return float64(done.Answers), err
		}); err != nil {
			return nil, err
		}
		if err := theirs.round(func() (float64, error) { return loop.run(ctx, roundTime) }); err != nil {
			return nil, err
		}
		ratios = append(ratios, ours.last()/theirs.last())
	}
	fmt.Fprintf(env.Log, "scraping-rate: trawl %.0f/s, bare loop %.0f/s\n", ours.rates, theirs.rates)
	cost, bare := house.Median(ours.millis), house.Median(theirs.millis)
	return []suite.Result{
		{Name: "scraping-rate.ratio", Value: house.Median(ratios), Unit: "x",
			Note: fmt.Sprintf("of a bare loop of fetch and html.Parse at %.0f/s, %d at once; median of %d rounds", house.Median(theirs.rates), atOnce, rounds)},
		{Name: "scraping-rate.cpu-ratio", Value: bare / cost, Unit: "x",
			Note: fmt.Sprintf("the same in processor time of all that takes part: %.2f against %.2f ms a page", bare, cost)},
		{Name: "scraping-rate.pages", Value: house.Median(ours.rates), Unit: "pages/s", Note: "through the API, cache off"},
	}, nil
}

// loop fetches and parses, and does nothing else.
type loop struct {
	http      *fetch.HTTP
	addresses []*url.URL
}

func newLoop(addresses []string) (*loop, error) {
	policy, err := netguard.ParsePolicy("true")
	if err != nil {
		return nil, err
	}
	l := &loop{http: fetch.NewHTTP(netguard.New(policy, netguard.Options{}), nil)}
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil {
			return nil, err
		}
		l.addresses = append(l.addresses, u)
	}
	return l, nil
}

func (l *loop) close() { _ = l.http.Close() } // only lets idle connections go

// run gives the number of pages that several hands fetch and parse in a time.
func (l *loop) run(ctx context.Context, length time.Duration) (float64, error) {
	var next, done atomic.Int64
	errs := make([]error, atOnce)
	began := time.Now()
	var wg sync.WaitGroup
	for hand := range atOnce {
		wg.Go(func() {
			for time.Since(began) < length && errs[hand] == nil {
				errs[hand] = l.one(ctx, l.addresses[int(next.Add(1))%len(l.addresses)])
				done.Add(1)
			}
		})
	}
	wg.Wait()
	return float64(done.Load()), errors.Join(errs...)
}

func (l *loop) one(ctx context.Context, u *url.URL) error {
	page, err := l.http.Fetch(ctx, fetch.Request{URL: u})
	if err != nil {
		return err
	}
	_, err = html.Parse(bytes.NewReader(page.Body))
	return err
}
