// Package crawl scrapes a whole site, or a list of pages (a batch).
//
// A crawl has a frontier (addresses seen, and what became of them), a scope
// (which addresses count as part of the site) and a progress (what a caller may
// ask for while it runs). All three live in the store, so a crawl outlives the
// process that started it.
//
//	scraping ──all pages done and discovery finished──▶ completed
//	   │ └──────────────cancelled by its caller───────▶ cancelled
//	   └──────it could never run (before any page)────▶ failed
//
// completed goes back to scraping only when addresses are appended to a batch.
//
// A worker leases pages of the frontier in batches, scrapes them, and writes
// results, new addresses, progress and webhook events in one transaction, in
// which it leases the next pages too (record.go). A page is therefore counted,
// stored and announced exactly once, however often its worker dies, and the
// disk is waited for once per batch.
package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/fetch"
	"github.com/trawlhq/trawl/internal/job"
	"github.com/trawlhq/trawl/internal/notify"
	"github.com/trawlhq/trawl/internal/scrape"
	"github.com/trawlhq/trawl/internal/sitemap"
	"github.com/trawlhq/trawl/internal/store"
)

// JobKind is the kind of jobs that work on a crawl or a batch.
const JobKind = "crawl"

// The kinds of crawls.
const (
	kindCrawl = "crawl"
	kindBatch = "batch"
)

// Options are the parts a Service works with.
type Options struct {
	Store    *store.Store
	Queue    *job.Queue
	Scraper  *scrape.Service
	Access   *access.Service
	Robots   *fetch.RobotsFiles
	Sitemaps *sitemap.Finder
	Notify   *notify.Service
	ParseURL func(raw string) (*url.URL, error) // as the contract reads address fields
	Mapper   trawl.Mapper                       // what a prompt is read against

	PerHost         int           // pages of one host loaded at once by one worker; 0: 8
	MayIgnoreRobots bool          // callers may switch robots.txt off or name another agent
	Life            time.Duration // how long results can be read after the start; 0: 24 h
	Log             *slog.Logger
	Now             func() time.Time // nil: time.Now
}

// Service starts crawls, works on them and tells how far they are.
type Service struct {
	Options
	windows *windows
}

// New makes a service. It works on nothing until the queue runs.
func New(o Options) *Service {
	if o.PerHost == 0 {
		o.PerHost = 8
	}
	if o.Life == 0 {
		o.Life = 24 * time.Hour
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{Options: o, windows: newWindows()}
}

var (
	_ trawl.Crawler      = (*Service)(nil)
	_ trawl.BatchScraper = (*Service)(nil)
)

// payload is what a job carries: all else is in the row of the crawl.
type payload struct {
	Crawl string `json:"crawl"`
	Part  int    `json:"part"` // 0 leads; the others help where several processes share a database
}

// Work runs one lease of a crawl: until nothing is left, the limit is reached,
// the caller cancels, or ctx ends (then another worker goes on from the store).
func (s *Service) Work(ctx context.Context, j *trawl.Job) (any, error) {
	var p payload
	if err := json.Unmarshal(j.Payload, &p); err != nil {
		return nil, job.Permanent(fmt.Errorf("read crawl job: %w", err))
	}
	w, err := s.open(ctx, j, p)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil // it has expired
	}
	if err != nil {
		return nil, fmt.Errorf("open crawl %s: %w", p.Crawl, err)
	}
	if err := w.run(ctx); err != nil {
		return nil, fmt.Errorf("crawl %s: %w", p.Crawl, err)
	}
	return nil, nil
}

// Run puts crawls back to work that have lost their job, until ctx ends: one
// that has lost too many workers, say. No crawl may stay in scraping for ever.
func (s *Service) Run(ctx context.Context) error {
	ticker := time.NewTicker(mendEvery)
	defer ticker.Stop()
	for {
		if err := s.mend(ctx); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "idle crawls not looked for", "err", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

const mendEvery = 10 * time.Second

func (s *Service) mend(ctx context.Context) error {
	idle, err := s.Store.IdleCrawls(ctx, JobKind)
	if err != nil {
		return err
	}
	for _, id := range idle {
		err := s.Store.InTx(ctx, func(tx *store.Tx) error {
			c, err := tx.LockCrawl(ctx, id)
			if err != nil || c.Status != trawl.CrawlScraping {
				return err
			}
			return s.enqueue(ctx, tx, c)
		})
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		s.Log.WarnContext(ctx, "crawl had no worker and was queued again", "crawl", id)
	}
	return nil
}

// largeBatch is the size from which a batch yields to smaller jobs of its team.
const largeBatch = 1000

// enqueue has a worker found for a crawl.
func (s *Service) enqueue(ctx context.Context, tx *store.Tx, c store.Crawl) error {
	priority := 0
	if c.Kind == kindBatch && c.Waiting > largeBatch {
		priority = 10
	}
	_, err := s.Queue.Enqueue(ctx, tx, job.Spec{
		TeamID: c.TeamID, Kind: JobKind, UniqueKey: c.ID, Priority: priority, Payload: payload{Crawl: c.ID},
		MaxAttempts: workAttempts, Keep: max(c.ExpiresAt.Sub(s.Now()), time.Hour),
	})
	return err
}

// workAttempts is practically without end: what fails for good ends the crawl itself.
const workAttempts = 10_000
