package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/job"
	"github.com/trawlhq/trawl/internal/store"
)

// walk is one worker's lease of one crawl. A few goroutines scrape; the one
// that runs the walk writes down what they bring and hands them new pages.
type walk struct {
	*Service
	job    *trawl.Job
	part   int
	limits trawl.CrawlOptions
	judge  *judge
	hosts  *hosts

	crawl   store.Crawl // as it was when the lease began
	mu      sync.RWMutex
	scrapes []trawl.ScrapeOptions

	atOnce  int // pages being scraped
	ahead   int // pages leased at most
	held    int // pages leased and not written down yet
	ready   chan store.CrawlPage
	results chan outcome
	found   chan discovery

	seedKnown chan struct{} // closed once it is known where the start leads
	seedOnce  sync.Once
	searched  bool      // the search for sitemaps has begun, or is not needed
	revisited bool      // so has that for the pages of the crawl before
	helped    time.Time // when helpers were last called
}

// discovery is what was found beside links.
type discovery struct {
	pages      []candidate
	discovered bool // the sitemaps are read to their end
	revisited  bool // so is the list of the crawl before
}

// Pages leased beyond those being scraped: enough to keep everyone busy while a batch is written.
const leasedPerScraper = 8

// open reads the crawl and takes back what an earlier lease of this job left behind.
func (s *Service) open(ctx context.Context, j *trawl.Job, p payload) (*walk, error) {
	w := &walk{Service: s, job: j, part: p.Part, seedKnown: make(chan struct{}), found: make(chan discovery)}
	err := s.Store.InTx(ctx, func(tx *store.Tx) error {
		if _, err := s.Queue.Hold(ctx, tx, j); err != nil {
			return err
		}
		c, err := tx.LockCrawl(ctx, p.Crawl)
		if err != nil {
			return err
		}
		back, err := tx.ReleasePages(ctx, c.ID, j.ID, s.Now())
		if err != nil {
			return err
		}
		c.Leased -= back
		c.Waiting += back
		w.crawl = c
		return tx.UpdateCrawl(ctx, c)
	})
	if err != nil {
		return nil, err
	}
	if err := w.prepare(ctx); err != nil {
		return nil, job.Permanent(errors.Join(err, s.giveUp(ctx, w.crawl.ID, err)))
	}
	return w, nil
}

// prepare reads what was asked for.
func (w *walk) prepare(ctx context.Context) error {
	if err := json.Unmarshal([]byte(w.crawl.Options), &w.limits); err != nil {
		return fmt.Errorf("read options: %w", err)
	}
	if err := w.readScrapeOptions(w.crawl.ScrapeOptions); err != nil {
		return err
	}
	if w.crawl.Kind == kindCrawl {
		base, err := w.ParseURL(w.crawl.Base)
		if err != nil {
			return fmt.Errorf("read base: %w", err)
		}
		if w.judge, err = newJudge(base, w.limits, w.Robots); err != nil {
			return err
		}
		if err := w.recallTraps(ctx); err != nil {
			return err
		}
	}
	plan, err := w.Access.PlanOf(ctx, w.crawl.TeamID)
	if err != nil {
		return err
	}
	w.atOnce = plan.Concurrency
	if w.limits.MaxConcurrency > 0 {
		w.atOnce = min(w.atOnce, w.limits.MaxConcurrency)
	}
	if w.limits.Delay != nil {
		w.atOnce = 1
	}
	w.ahead = w.atOnce * leasedPerScraper
	w.hosts = newHosts(w.PerHost)
	w.ready, w.results = make(chan store.CrawlPage, w.ahead), make(chan outcome, w.ahead)
	return nil
}

// recallTraps counts what earlier workers took, so that a trap is not entered
// anew with every worker.
func (w *walk) recallTraps(ctx context.Context) error {
	if w.crawl.Seen <= 1 {
		return nil
	}
	return w.Store.Queries(ctx, w.crawl.ID, func(address string) {
		if u, err := w.ParseURL(address); err == nil {
			w.judge.traps.explodes(u)
		}
	})
}

func (w *walk) readScrapeOptions(text string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scrapes = nil
	if err := json.Unmarshal([]byte(text), &w.scrapes); err != nil {
		return fmt.Errorf("read scrape options: %w", err)
	}
	return nil
}

// options gives how a page is to be scraped.
func (w *walk) options(p store.CrawlPage) trawl.ScrapeOptions {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.scrapes[min(p.Options, len(w.scrapes)-1)]
}

// lastPages is how long pages that are being scraped may take when the crawl is cancelled.
const lastPages = 3 * time.Second

// run works until the crawl is over or ctx ends.
func (w *walk) run(ctx context.Context) error {
	scraping, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()
	defer context.AfterFunc(ctx, func() {
		if errors.Is(context.Cause(ctx), job.ErrCancelled) { // what is under way may finish
			time.AfterFunc(lastPages, abort)
			return
		}
		abort()
	})()
	var scrapers sync.WaitGroup
	for range w.atOnce {
		scrapers.Go(func() { w.work(ctx, scraping) })
	}
	unwritten, err := w.lead(ctx, scraping)
	if err != nil {
		abort()
	}
	close(w.ready)
	scrapers.Wait()
	close(w.results)
	if err != nil || ctx.Err() == nil {
		return err
	}
	return w.leave(ctx, unwritten)
}

// troublePause is how long a scraper rests that could not keep what it had.
const troublePause = time.Second

// work scrapes pages until there are none. A page that nobody has begun when
// ctx ends goes back as it is.
func (w *walk) work(ctx, scraping context.Context) {
	for p := range w.ready {
		if ctx.Err() != nil {
			w.results <- outcome{page: p, state: store.PageWaiting}
			continue
		}
		o := w.scrape(scraping, p)
		w.results <- o
		if o.ours { // a full disk, say: no use in hurrying
			pause(ctx, troublePause)
		}
		if w.limits.Delay != nil {
			pause(ctx, time.Duration(*w.limits.Delay*float64(time.Second)))
		}
	}
}

// lead writes down what comes and hands out pages, until the crawl is over or
// ctx ends. Then it gives back what is not written yet.
func (w *walk) lead(ctx, scraping context.Context) (batch, error) {
	var searchers sync.WaitGroup
	defer searchers.Wait()
	searching, enough := context.WithCancel(scraping)
	defer enough()
	var b batch
	for {
		t, err := w.record(ctx, b)
		if err != nil || t.over {
			return batch{}, err
		}
		w.hand(t.leased, b)
		for _, search := range w.searches(t) {
			searchers.Go(func() { search(searching) })
		}
		if b, err = w.gather(ctx); err != nil || ctx.Err() != nil {
			return b, err
		}
	}
}

// searches says what is to be looked for beside links, each once.
func (w *walk) searches(t turn) []func(ctx context.Context) {
	var list []func(ctx context.Context)
	if !w.searched && w.part == 0 && !w.crawl.Discovered {
		list = append(list, w.readSitemaps)
	}
	w.searched = true
	if t.revisit && !w.revisited {
		w.revisited = true
		list = append(list, w.revisit)
	}
	return list
}

// hand gives leased pages to the scrapers; the channel has room for all that can be leased.
func (w *walk) hand(leased []store.CrawlPage, written batch) {
	w.held += len(leased) - len(written.pages)
	hasSeed := false
	for _, p := range leased {
		hasSeed = hasSeed || w.isSeed(p)
		w.ready <- p
	}
	for _, o := range written.pages {
		if w.isSeed(o.page) {
			w.seedOnce.Do(func() { close(w.seedKnown) })
		}
	}
	if !w.searched && !hasSeed { // it was done in an earlier lease: it always comes first
		w.seedOnce.Do(func() { close(w.seedKnown) })
	}
}

// How results are gathered: the disk is waited for once per batch, so a batch
// may wait a moment for company.
const (
	batchPages = 128
	batchWait  = 30 * time.Millisecond
	lookAgain  = 500 * time.Millisecond // at what others may have done: helpers, appended addresses
)

// gather waits for something worth writing down.
func (w *walk) gather(ctx context.Context) (b batch, err error) {
	ticker := time.NewTicker(lookAgain)
	defer ticker.Stop()
	var full <-chan time.Time
	for len(b.pages) < batchPages {
		select {
		case o := <-w.results:
			b.pages = append(b.pages, o)
			if len(b.pages) == w.held { // nobody is scraping
				return b, nil
			}
		case d := <-w.found:
			b.take(d)
		case <-full:
			return b, nil
		case <-ctx.Done():
			return b, nil
		case <-ticker.C:
			if ready, err := w.changed(ctx); err != nil || ready {
				return b, err
			}
			continue
		}
		if full == nil {
			full = time.After(batchWait)
		}
	}
	return b, nil
}

// changed looks whether others have left something to do.
func (w *walk) changed(ctx context.Context) (bool, error) {
	c, err := w.Store.Crawl(ctx, w.crawl.ID)
	if store.Unavailable(err) || ctx.Err() != nil {
		return false, nil
	}
	return w.held == 0 || c.Status != trawl.CrawlScraping || c.Waiting > 0 && w.held < w.ahead && c.Done+c.Leased < c.Limit, err
}

// pause waits, or returns early when ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
