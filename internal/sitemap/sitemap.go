// Package sitemap finds the addresses of a site.
//
// What sites say about themselves comes first: sitemap files in their five
// shapes (a set of addresses, an index of further files, plain text, RSS, Atom),
// packed or not, often broken. Read takes any of them as a stream, so that a file
// of any size costs no more memory than one of its entries; Finder finds the
// files and reads them in order, for map and for crawl.
//
// Map adds what this server knows already and what the start page links to.
// Only where a site has no sitemap it looks one step further (hubs.go). Every
// source gives links to one pool, which decides what is kept and in which order.
package sitemap

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/fetch"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/weburl"
)

// Options are the parts a Service works with.
type Options struct {
	Finder   *Finder
	Fetcher  fetch.Fetcher
	Store    *store.Store
	Access   *access.Service
	ParseURL func(raw string) (*url.URL, error)  // as the contract reads address fields
	Refuse   func(req trawl.ScrapeRequest) error // what the operator's policy or the caller's own forbids
	Log      *slog.Logger
	Now      func() time.Time // nil: time.Now
}

// Service makes maps of sites.
type Service struct{ Options }

// New makes a service. Nothing is opened.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{o}
}

var _ trawl.Mapper = (*Service)(nil)

const (
	mapTime     = 120 * time.Second // when the caller names no timeout
	sitemapTime = 30 * time.Second  // of it, for sitemaps
	mapCost     = 1
)

// Map lists the addresses of a site.
func (s *Service) Map(ctx context.Context, req trawl.MapRequest) (*trawl.MapReply, error) {
	start, err := s.ParseURL(req.URL)
	if err != nil {
		return nil, trawl.BadRequest([]trawl.Issue{trawl.URLIssue(err.Error(), "url")})
	}
	policy := trawl.ScrapeOptions{Location: req.Location, ThreatProtection: req.ThreatProtection}
	if err := s.Refuse(trawl.ScrapeRequest{URL: req.URL, ScrapeOptions: policy}); err != nil {
		return nil, err
	}
	caller := trawl.CallerFrom(ctx)
	charge, err := s.Access.Reserve(ctx, caller, mapCost)
	if err != nil {
		return nil, err
	}
	answer, err := s.inTime(ctx, req, start)
	cost := 0
	if err == nil {
		cost = mapCost
	}
	charge.Settle(cost)
	s.Access.Note(store.Activity{TeamID: caller.TeamID, KeyID: caller.KeyID, Endpoint: "map", Target: req.URL, Succeeded: err == nil})
	return answer, err
}

// inTime makes the map within the caller's timeout. There is no half of one.
func (s *Service) inTime(ctx context.Context, req trawl.MapRequest, start *url.URL) (*trawl.MapReply, error) {
	limit := mapTime
	if req.Timeout > 0 {
		limit = time.Duration(req.Timeout) * time.Millisecond
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	answer, err := s.make(timed, req, start)
	if timed.Err() != nil && ctx.Err() == nil {
		return nil, trawl.Errorf(trawl.TimedOut, "Request Timeout").WithCode("MAP_TIMEOUT").Because(err)
	}
	return answer, err
}

// make asks the sources one after the other: what they give keeps this order.
func (s *Service) make(ctx context.Context, req trawl.MapRequest, start *url.URL) (*trawl.MapReply, error) {
	page, problem := s.frontPage(ctx, req, start)
	if page != nil {
		start = rehost(start, page.url)
	}
	pool, err := newPool(req, start)
	if err != nil {
		return nil, err
	}
	if page != nil {
		pool.add(link{url: start, title: page.title, about: page.about})
	}
	listed := 0
	if req.Sitemap != trawl.SitemapSkip {
		if listed, err = s.fromSitemaps(ctx, req, start, pool); err != nil {
			return nil, err
		}
	}
	if req.Sitemap != trawl.SitemapOnly {
		if err := s.fromElsewhere(ctx, req, start, page, pool, listed == 0); err != nil {
			return nil, err
		}
	}
	if pool.isEmpty() && problem == nil && page == nil { // only sitemaps were asked for, and there are none: is there a site at all?
		_, problem = s.load(ctx, req, start)
	}
	if pool.isEmpty() && problem != nil {
		return nil, unreachable(problem)
	}
	return s.answer(req, start, pool)
}

func unreachable(cause error) error {
	var e *trawl.Error
	if errors.As(cause, &e) && (e.Kind == trawl.Forbidden || e.Kind == trawl.Invalid) {
		return e
	}
	return trawl.Errorf(trawl.SiteFailed, "The site could not be reached, and nothing else is known about it.").WithCode("MAP_FAILED").Because(cause)
}

// frontPage loads the start, unless only sitemaps are wanted.
func (s *Service) frontPage(ctx context.Context, req trawl.MapRequest, start *url.URL) (*frontPage, error) {
	if req.Sitemap == trawl.SitemapOnly {
		return nil, nil
	}
	return s.load(ctx, req, start)
}

// rehost follows a start that redirects to another host; its path stays.
func rehost(start, landed *url.URL) *url.URL {
	if weburl.SameHost(start, landed) && start.Scheme == landed.Scheme {
		return start
	}
	moved := *start
	moved.Scheme, moved.Host = landed.Scheme, landed.Host
	return &moved
}

// fromElsewhere adds what this server knows and what the start links to; where
// there is no sitemap, also what lies one step behind it.
func (s *Service) fromElsewhere(ctx context.Context, req trawl.MapRequest, start *url.URL, page *frontPage, pool *pool, hubs bool) error {
	if req.Indexed() {
		known, err := s.Store.KnownURLs(ctx, SiteOf(start), pool.limit*2)
		if err != nil {
			return err
		}
		for _, k := range known {
			if u, err := url.Parse(k.URL); err == nil {
				pool.add(link{url: u, title: k.Title, about: k.Description})
			}
		}
	}
	if page == nil {
		return nil
	}
	for _, l := range page.links {
		pool.add(l)
	}
	if hubs {
		return s.fromHubs(ctx, req, page, pool)
	}
	return nil
}

func (s *Service) answer(req trawl.MapRequest, start *url.URL, pool *pool) (*trawl.MapReply, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return nil, fmt.Errorf("draw an id: %w", err)
	}
	out := &trawl.MapReply{Success: true, ID: id.String(), Links: pool.result()}
	narrow := strings.Trim(start.Path, "/") != "" || weburl.RegistrableDomain(start) != strings.TrimPrefix(start.Hostname(), "www.")
	if len(out.Links) <= 1 && req.Limit != 1 && narrow {
		out.Warning = "Few addresses were found. Try the base domain instead: " + start.Scheme + "://" + SiteOf(start)
	}
	return out, nil
}
