package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// read gives a crawl of the caller's team. One that is of another team, of the
// other kind, or over its time does not exist.
func (s *Service) read(ctx context.Context, id, kind string) (store.Crawl, error) {
	c, err := s.Store.Crawl(ctx, strings.ToLower(id))
	if errors.Is(err, store.ErrNotFound) {
		return c, notFound("JOB_NOT_FOUND")
	}
	if err != nil {
		return c, err
	}
	if c.TeamID != trawl.CallerFrom(ctx).TeamID || c.Kind != kind {
		return c, notFound("JOB_NOT_FOUND")
	}
	if !s.Now().Before(c.ExpiresAt) {
		return c, notFound("JOB_EXPIRED")
	}
	return c, nil
}

func notFound(code string) error { return trawl.Errorf(trawl.NotFound, "Not Found").WithCode(code) }

// CrawlStatus tells how far a crawl is, with a part of its documents.
func (s *Service) CrawlStatus(ctx context.Context, id string, part trawl.Window) (*trawl.CrawlStatus, error) {
	return s.status(ctx, id, kindCrawl, part)
}

// BatchStatus tells how far a batch is, with a part of its documents.
func (s *Service) BatchStatus(ctx context.Context, id string, part trawl.Window) (*trawl.CrawlStatus, error) {
	return s.status(ctx, id, kindBatch, part)
}

func (s *Service) status(ctx context.Context, id, kind string, part trawl.Window) (*trawl.CrawlStatus, error) {
	c, err := s.read(ctx, id, kind)
	if err != nil {
		return nil, err
	}
	out := &trawl.CrawlStatus{
		Success: true, Status: c.Status, Total: int(min(c.Limit, c.Done+c.Leased+c.Waiting)), Completed: int(c.Done), CreditsUsed: int(c.Credits),
		ExpiresAt: trawl.Timestamp(c.ExpiresAt), CreatedAt: trawl.Timestamp(c.CreatedAt), Data: []trawl.WireDocument{}, Error: c.Error,
	}
	if out.Ended() {
		out.Total = out.Completed
		at, took := trawl.Timestamp(c.FinishedAt), c.FinishedAt.Sub(c.CreatedAt).Round(time.Millisecond).Seconds()
		out.CompletedAt, out.Duration, out.Warning = &at, &took, s.warning(c)
	}
	return out, s.addDocuments(ctx, c, part, out)
}

// warning says what the caller may want to change next time.
func (s *Service) warning(c store.Crawl) string {
	if c.Kind == kindBatch {
		return ""
	}
	var o trawl.CrawlOptions
	if err := json.Unmarshal([]byte(c.Options), &o); err != nil {
		return ""
	}
	seed, err := s.ParseURL(c.URL)
	switch {
	case c.Blocked > 0:
		return fmt.Sprintf("%s refused by robots.txt; see the errors of this crawl for the list.", plural(c.Blocked, "address was", "addresses were"))
	case o.Sitemap == trawl.SitemapOnly && c.Done <= 1:
		return "No sitemap with further addresses was found, so the result is the start alone."
	case c.Done <= 1 && err == nil && strings.Trim(seed.Path, "/") != "" && !o.CrawlEntireDomain:
		return "Only " + plural(c.Done, "page was", "pages were") + " found below this path. Start at " + seed.Scheme + "://" + seed.Host + " or set crawlEntireDomain to reach more of the site."
	case c.Trapped != "":
		return "Addresses that seem to be made up without end were left out, for example " + c.Trapped
	}
	return ""
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(n, 10) + " " + many
}

// maxErrors is how many failed and refused pages are listed; the newest are kept.
const maxErrors = 10_000

// CrawlErrors lists the pages of a crawl that could not be had.
func (s *Service) CrawlErrors(ctx context.Context, id string) (*trawl.CrawlErrors, error) {
	return s.errors(ctx, id, kindCrawl)
}

// BatchErrors lists the pages of a batch that could not be had.
func (s *Service) BatchErrors(ctx context.Context, id string) (*trawl.CrawlErrors, error) {
	return s.errors(ctx, id, kindBatch)
}

func (s *Service) errors(ctx context.Context, id, kind string) (*trawl.CrawlErrors, error) {
	c, err := s.read(ctx, id, kind)
	if err != nil {
		return nil, err
	}
	failed, err := s.Store.EndedPages(ctx, c.ID, store.PageFailed, maxErrors)
	if err != nil {
		return nil, err
	}
	blocked, err := s.Store.EndedPages(ctx, c.ID, store.PageBlocked, maxErrors)
	if err != nil {
		return nil, err
	}
	out := &trawl.CrawlErrors{Success: true, Errors: []trawl.CrawlError{}, RobotsBlocked: []string{}}
	for _, p := range slices.Backward(failed) {
		at := trawl.Timestamp(p.FinishedAt)
		out.Errors = append(out.Errors, trawl.CrawlError{ID: p.ID, Timestamp: &at, URL: p.URL, Code: p.Code, Error: p.Message})
	}
	for _, p := range slices.Backward(blocked) {
		out.RobotsBlocked = append(out.RobotsBlocked, p.URL)
	}
	return out, nil
}

// ActiveCrawls lists the team's crawls that run; batches do not count.
func (s *Service) ActiveCrawls(ctx context.Context) ([]trawl.ActiveCrawl, error) {
	running, err := s.Store.RunningCrawls(ctx, trawl.CallerFrom(ctx).TeamID)
	if err != nil {
		return nil, err
	}
	list := []trawl.ActiveCrawl{}
	for _, c := range running {
		if c.Kind != kindCrawl || !s.Now().Before(c.ExpiresAt) {
			continue
		}
		active := trawl.ActiveCrawl{ID: c.ID, TeamID: c.TeamID, URL: c.URL, CreatedAt: trawl.Timestamp(c.CreatedAt)}
		var scrapes []trawl.ScrapeOptions
		if err := errors.Join(json.Unmarshal([]byte(c.Options), &active.Options.CrawlOptions), json.Unmarshal([]byte(c.ScrapeOptions), &scrapes)); err != nil {
			return nil, fmt.Errorf("read options of crawl %s: %w", c.ID, err)
		}
		active.Options.ScrapeOptions = scrapes[0]
		list = append(list, active)
	}
	return list, nil
}
