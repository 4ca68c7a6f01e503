package crawlbench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/bench/house"
	"github.com/trawlhq/trawl/bench/suite"
)

// How pollers behave: as the npm client does, which asks every two seconds and
// takes its answers compressed.
const (
	pollers   = 50
	pollEvery = 2 * time.Second
)

// polling measures what it costs a crawl that many clients ask how far it is:
// once by asking for the status alone, once by following next to the last document there is,
// as the npm client does on every poll.
func polling(ctx context.Context, env suite.Env, s *stage) ([]suite.Result, error) {
	pages, rounds := 5000, 3
	if env.Quick {
		pages, rounds = 100, 1
	}
	first, all := &crowd{}, &crowd{follow: true}
	var alone, polled, followed record
	for range rounds {
		if err := errors.Join(
			alone.add(s.crawl(ctx, pages, nobody)),
			polled.add(s.crawl(ctx, pages, first.invite)),
			followed.add(s.crawl(ctx, pages, all.invite)),
		); err != nil {
			return nil, err
		}
	}
	fmt.Fprintf(env.Log, "crawl-polling: alone %s\n  polled %s: %s\n  followed %s: %s\n", &alone, &polled, first, &followed, all)
	return []suite.Result{
		cost("crawl-polling.rate", alone.rates, polled.rates, "of the rate lost to 50 clients that ask for the status every 2 s"),
		cost("crawl-polling.rate-followed", alone.rates, followed.rates, "of the rate lost to 50 clients that read all documents every 2 s"),
		cost("crawl-polling.cpu", polled.cpu, alone.cpu, "more processor time per page, polled"),
		cost("crawl-polling.cpu-followed", followed.cpu, alone.cpu, "more processor time per page, all documents read"),
	}, nil
}

// cost is how much of a number is lost.
func cost(name string, whole, left []float64, note string) suite.Result {
	return suite.Result{Name: name, Value: 1 - house.Median(left)/house.Median(whole), Unit: "share", Lower: true, Note: note}
}

// crowd are clients that ask about one crawl.
type crowd struct {
	follow  bool // read the documents to their end each time
	answers atomic.Int64
	bytes   atomic.Int64
}

func (c *crowd) String() string {
	return fmt.Sprintf("%d answers, %d MB", c.answers.Load(), c.bytes.Load()/1e6)
}

// invite has them ask until they are told to leave.
func (c *crowd) invite(ctx context.Context, base, id string) (leave func() error) {
	ctx, cancel := context.WithCancel(ctx)
	var asking sync.WaitGroup
	errs := make([]error, pollers)
	for i := range pollers {
		asking.Go(func() { errs[i] = c.poll(ctx, base+"/v2/crawl/"+id, time.Duration(i)*pollEvery/pollers) })
	}
	return func() error {
		cancel()
		asking.Wait()
		return errors.Join(errs...)
	}
}

// poll is one client with a connection of its own.
func (c *crowd) poll(ctx context.Context, address string, after time.Duration) error {
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	timer := time.NewTimer(after)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		if err := c.ask(ctx, transport, address); err != nil && ctx.Err() == nil {
			return err
		}
		timer.Reset(pollEvery)
	}
}

// ask gets the status, and with follow what comes after it.
func (c *crowd) ask(ctx context.Context, transport *http.Transport, address string) error {
	skip := 0
	for next := address; next != ""; next = fmt.Sprintf("%s?skip=%d", address, skip) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, next, nil)
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+house.Key)
		req.Header.Set("Accept-Encoding", "gzip")
		res, err := transport.RoundTrip(req)
		if err != nil {
			return err
		}
		n, err := io.Copy(io.Discard, res.Body)
		_ = res.Body.Close() // it was read to its end
		if err != nil || res.StatusCode != http.StatusOK {
			return errors.Join(err, fmt.Errorf("GET %s: status %d", next, res.StatusCode))
		}
		c.answers.Add(1)
		c.bytes.Add(n)
		if !c.follow || n < emptyAnswer {
			return nil
		}
		skip += trawl.DefaultWindow
	}
	return nil
}

// emptyAnswer is more than a status without documents takes up. Looking for the
// next link in the answer instead would cost this machine more than the server's part.
const emptyAnswer = 1 << 10
