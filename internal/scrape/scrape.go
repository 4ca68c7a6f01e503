// Package scrape turns one address into one document.
//
// A scrape has four steps, in this order: bring the page (a recent copy, or
// fetch it), understand it (document), make the formats asked for (format), keep
// what may be read again (store). Everything that scrapes (the API, crawl,
// batch, search, monitor, agent) comes through Service.Scrape.
package scrape

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/fetch"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/telemetry"
)

// Options are the parts a Service works with.
type Options struct {
	Fetcher      fetch.Fetcher
	Readers      document.Readers
	Store        *store.Store
	Blobs        Blobs
	Writes       *store.Group
	Access       *access.Service
	ParseURL     func(raw string) (*url.URL, error) // as the contract reads address fields
	Browser      bool                               // whether pages can be rendered
	NoZDR        bool                               // the operator does not allow zero data retention
	BlockedHosts []string                           // hosts that are never scraped; their subdomains too
	ProfileDir   string                             // where browser profiles live
	Log          *slog.Logger
	Metrics      *telemetry.Metrics
	Now          func() time.Time // nil: time.Now
}

// Service scrapes in this process.
type Service struct {
	Options
	recent  *recentPages
	derived *derivedDocuments
	pending *pendingScrapes
	heavy   chan struct{} // one per large document that is being understood
}

// New makes a service. Nothing is opened.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Service{Options: o, recent: newRecentPages(), derived: newDerivedDocuments(), pending: &pendingScrapes{}, heavy: make(chan struct{}, heavyAtOnce)}
}

// run is one scrape on its way.
type run struct {
	id     string
	caller trawl.Caller
	req    trawl.ScrapeRequest
	url    *url.URL
	began  time.Time
	charge *access.Charge
	slot   access.Slot
	warn   []string

	endpoint string // under which it is noted in the team's activity
	fileName string // of a file that was sent to us; empty for a page

	queued bool // a page of a job: it waits for its slot, and the job writes what is to be stored
	writes []func(ctx context.Context, tx *store.Tx) error
}

// Scrape brings a page and makes a document of it.
func (s *Service) Scrape(ctx context.Context, req trawl.ScrapeRequest) (*trawl.Document, error) {
	r, err := s.accept(ctx, req)
	if err != nil {
		return nil, err
	}
	return s.carryOut(ctx, r, s.work)
}

// carryOut does the work within its deadline, has it paid and noted.
func (s *Service) carryOut(ctx context.Context, r *run, work func(context.Context, *run) (*trawl.Document, error)) (*trawl.Document, error) {
	deadline, cancel := context.WithTimeoutCause(ctx, r.req.Deadline(), errTimeout())
	defer cancel()
	doc, err := work(deadline, r)
	if err != nil {
		err = timeoutOf(deadline, ctx, err)
		r.charge.Settle(costOfFailure(err))
		s.note(r, false)
		return nil, err
	}
	r.charge.Settle(doc.Metadata.CreditsUsed)
	s.Metrics.Credits(doc.Metadata.CreditsUsed)
	s.note(r, true)
	return doc, nil
}

// work is the four steps.
func (s *Service) work(ctx context.Context, r *run) (*trawl.Document, error) {
	page, err := s.bring(ctx, r)
	if err != nil {
		return nil, err
	}
	d, err := s.derive(ctx, r, page)
	if err != nil {
		return nil, err
	}
	doc := s.answer(r, page, d)
	if err := s.attach(ctx, r, page, doc); err != nil {
		return nil, err
	}
	if err := s.track(ctx, r, page, doc); err != nil {
		return nil, err
	}
	return doc, s.keep(ctx, r, d, doc)
}

// accept refuses what cannot be done before anything is created or charged, in
// the order of the contract: options, permission, credits.
func (s *Service) accept(ctx context.Context, req trawl.ScrapeRequest) (*run, error) {
	u, err := s.ParseURL(req.URL)
	if err != nil {
		return nil, trawl.BadRequest([]trawl.Issue{trawl.URLIssue(err.Error(), "url")})
	}
	return s.admit(ctx, req, u)
}

func (s *Service) admit(ctx context.Context, req trawl.ScrapeRequest, u *url.URL) (*run, error) {
	if issues := s.unavailable(req.ScrapeOptions); len(issues) > 0 {
		return nil, trawl.BadRequest(issues)
	}
	if err := s.permit(req, u); err != nil {
		return nil, err
	}
	if err := s.Writes.Failing(); err != nil {
		return nil, trawl.Errorf(trawl.Unavailable, "Service Unavailable").Because(err)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, fmt.Errorf("draw an id: %w", err)
	}
	r := &run{id: id.String(), caller: trawl.CallerFrom(ctx), req: req, url: u, began: s.Now(), endpoint: "scrape"}
	r.charge, err = s.Access.Reserve(ctx, r.caller, costOf(req.ScrapeOptions, req.ZeroDataRetention))
	return r, err
}

// note puts the scrape into the team's activity; of what must not be retained
// only that it happened. One that succeeded and is kept is activity by itself.
func (s *Service) note(r *run, succeeded bool) {
	if succeeded && r.retains() {
		return
	}
	a := store.Activity{ID: r.id, TeamID: r.caller.TeamID, KeyID: r.caller.KeyID, Endpoint: r.endpoint, Succeeded: succeeded, At: r.began}
	if !r.retains() {
		s.Access.Note(a)
		return
	}
	a.Target = r.req.URL
	s.Access.Note(a)
}

// retains tells whether anything of the scrape may be stored.
func (r *run) retains() bool { return !r.req.ZeroDataRetention && !r.req.Lockdown }

func errTimeout() *trawl.Error {
	return trawl.Errorf(trawl.TimedOut, "Request Timeout").WithCode("SCRAPE_TIMEOUT")
}

// timeoutOf tells our own deadline from everything else that may have gone wrong.
func timeoutOf(deadline, caller context.Context, err error) error {
	if deadline.Err() != nil && caller.Err() == nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) {
		return errTimeout().Because(err)
	}
	return err
}
