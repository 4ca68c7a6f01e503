package crawl

import (
	"context"
	"slices"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/job"
	"github.com/trawlhq/trawl/internal/store"
)

// spareAddresses is how many addresses a frontier holds beyond twice the limit
// of its crawl: pages that fail give their place to others.
const spareAddresses = 1000

// add puts addresses into the frontier, as far as it goes.
func (e *entry) add(ctx context.Context, found []candidate) error {
	c := &e.crawl
	room := max(0, 2*c.Limit+spareAddresses-c.Seen)
	var waiting, blocked []store.CrawlPage
	for _, f := range found[:min(int64(len(found)), room)] {
		p := newPage(*c, f, c.Seen)
		c.Seen++
		if f.blocked {
			p.FinishedAt = e.Now()
			blocked = append(blocked, p)
			continue
		}
		waiting = append(waiting, p)
	}
	added, err := e.tx.AddPages(ctx, waiting)
	if err != nil {
		return err
	}
	refused, err := e.tx.AddPages(ctx, blocked)
	c.Waiting += added
	c.Blocked += refused
	return err
}

// proceed leases the next pages, or ends what is at its end.
func (e *entry) proceed(ctx context.Context, b batch, goOn bool) (turn, error) {
	c := &e.crawl
	if !goOn || c.Status != trawl.CrawlScraping {
		return e.stop(ctx, b, goOn)
	}
	t, err := e.lease(ctx, b)
	if err != nil {
		return t, err
	}
	idle := len(t.leased) == 0 && e.held == len(b.pages)
	switch {
	case e.part > 0:
		t.over = idle
		if t.over {
			return t, e.Queue.Finish(ctx, e.tx, e.job, nil)
		}
		return t, nil
	case !e.isDone():
		return t, e.callHelp(ctx)
	case e.mustRevisit():
		t.revisit = true
		return t, nil
	}
	t.over = true
	return t, e.complete(ctx)
}

// lease takes the next pages for the places that are free.
func (e *entry) lease(ctx context.Context, b batch) (turn, error) {
	c := &e.crawl
	free := e.ahead - (e.held - len(b.pages))
	most := min(int64(free), c.Limit-c.Done-c.Leased, c.Waiting)
	if most <= 0 {
		return turn{}, nil
	}
	leased, err := e.tx.LeasePages(ctx, c.ID, e.job.ID, e.Now().Add(leaseTime), int(most))
	c.Waiting -= int64(len(leased))
	c.Leased += int64(len(leased))
	if err == nil && slices.ContainsFunc(leased, func(p store.CrawlPage) bool { return p.Options >= len(e.scrapes) }) {
		err = e.readScrapeOptions(c.ScrapeOptions) // addresses were appended with options of their own
	}
	return turn{leased: leased}, err
}

// isDone tells whether nothing is left that could become a document.
func (e *entry) isDone() bool {
	c := e.crawl
	if c.Leased > 0 {
		return false
	}
	return c.Done >= c.Limit || c.Discovered && c.Waiting == 0
}

// mustRevisit tells whether pages of the crawl before are still to be looked at.
func (e *entry) mustRevisit() bool {
	c := e.crawl
	return c.Kind == kindCrawl && !c.Revisited && c.Done < c.Limit && !c.ZeroRetention &&
		e.options(store.CrawlPage{}).Wants(trawl.FormatChangeTracking)
}

// complete ends the crawl and the job in one.
func (e *entry) complete(ctx context.Context) error {
	c := &e.crawl
	c.Status, c.FinishedAt = trawl.CrawlCompleted, e.Now()
	ev := event(*c, trawl.EventCompleted)
	ev.Seq = c.Done + 1
	if err := e.Notify.Tell(ctx, e.tx, c.Webhook, ev); err != nil {
		return err
	}
	e.Log.InfoContext(ctx, "crawl finished", "crawl", c.ID, "kind", c.Kind, "pages", c.Done, "failed", c.Failed, "blocked", c.Blocked, "took", c.FinishedAt.Sub(c.CreatedAt))
	return e.Queue.Finish(ctx, e.tx, e.job, nil)
}

// stop is for a crawl that is cancelled, and for a worker that goes: pages it
// still holds go back, or are dropped.
func (e *entry) stop(ctx context.Context, b batch, goOn bool) (turn, error) {
	c := &e.crawl
	if goOn && e.held > len(b.pages) { // cancelled; what is under way may finish
		return turn{}, nil
	}
	back, err := e.tx.ReleasePages(ctx, c.ID, e.job.ID, e.Now())
	if err != nil {
		return turn{}, err
	}
	c.Leased -= back
	c.Waiting += back
	if c.Status != trawl.CrawlScraping {
		dropped, err := e.tx.DropWaiting(ctx, c.ID)
		if err != nil {
			return turn{}, err
		}
		c.Waiting -= dropped
	}
	return turn{over: true}, nil
}

// Helpers are called where they can help: other processes share the database,
// and there is more than one host to be polite to.
const (
	helpers   = 3
	helpAgain = 5 * time.Second
)

func (e *entry) callHelp(ctx context.Context) error {
	c := &e.crawl
	manyHosts := c.Kind == kindBatch || e.limits.AllowExternalLinks || e.limits.AllowSubdomains
	if e.Store.Database() != "postgres" || !manyHosts || e.limits.MaxConcurrency > 0 || e.limits.Delay != nil ||
		c.Waiting < int64(e.ahead) || e.Now().Sub(e.helped) < helpAgain {
		return nil
	}
	e.helped = e.Now()
	specs := make([]job.Spec, helpers)
	for i := range specs {
		specs[i] = job.Spec{
			TeamID: c.TeamID, Kind: JobKind, UniqueKey: partKey(c.ID, i+1), Priority: 5, Payload: payload{Crawl: c.ID, Part: i + 1},
			MaxAttempts: workAttempts, Keep: time.Hour,
		}
	}
	_, err := e.Queue.Enqueue(ctx, e.tx, specs...)
	return err
}
