package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/notify"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/weburl"
)

// StartCrawl takes a crawl in. The seed is not fetched before the answer.
func (s *Service) StartCrawl(ctx context.Context, req trawl.CrawlRequest) (*trawl.CrawlStarted, error) {
	seed, err := s.ParseURL(req.URL)
	if err != nil {
		return nil, trawl.BadRequest([]trawl.Issue{trawl.URLIssue(err.Error(), "url")})
	}
	if err := s.permit(req); err != nil {
		return nil, err
	}
	answer := &trawl.CrawlStarted{Success: true}
	if req.Prompt != "" {
		if err := s.obeyPrompt(ctx, &req, answer); err != nil {
			return nil, err
		}
	}
	caller := trawl.CallerFrom(ctx)
	left, err := s.Access.Remaining(ctx, caller)
	if err != nil {
		return nil, err
	}
	if left == 0 {
		return nil, access.ErrCredits()
	}
	req.CrawlOptions = req.WithDefaults()
	req.Limit = int(min(int64(req.Limit), left))
	c, page, err := s.newCrawl(ctx, caller, req, seed)
	if err != nil {
		return nil, err
	}
	if answer.FinalCrawlerOptions != nil {
		answer.FinalCrawlerOptions = &req.CrawlOptions
	}
	answer.ID = c.ID
	return answer, s.begin(ctx, c, []store.CrawlPage{page}, req.IdempotencyKey)
}

// permit refuses what cannot be done or is not allowed, with the paths of issues as they are in the request.
func (s *Service) permit(req trawl.CrawlRequest) error {
	if (req.IgnoreRobotsTxt || req.RobotsUserAgent != "") && !s.MayIgnoreRobots {
		return trawl.Errorf(trawl.Forbidden, "Forbidden").WithDetails(map[string]any{"reason": "This server does not permit ignoreRobotsTxt and robotsUserAgent."})
	}
	err := s.Scraper.Check(trawl.ScrapeRequest{URL: req.URL, ZeroDataRetention: req.ZeroDataRetention, ScrapeOptions: req.ScrapeOptions})
	var e *trawl.Error
	if !errors.As(err, &e) {
		return err
	}
	issues, ok := e.Details.([]trawl.Issue)
	if !ok {
		return err
	}
	for i := range issues {
		issues[i].Path = append([]any{"scrapeOptions"}, issues[i].Path...)
	}
	return trawl.BadRequest(issues)
}

// newCrawl makes the rows of a crawl and of its first page.
func (s *Service) newCrawl(ctx context.Context, caller trawl.Caller, req trawl.CrawlRequest, seed *url.URL) (store.Crawl, store.CrawlPage, error) {
	c, err := s.newRow(ctx, caller, kindCrawl, req.ScrapeOptions)
	if err != nil {
		return c, store.CrawlPage{}, err
	}
	options, err := json.Marshal(req.CrawlOptions)
	if err != nil {
		return c, store.CrawlPage{}, fmt.Errorf("write options: %w", err)
	}
	if c.Webhook, err = notify.Subscribe(req.Webhook, req.BaseURL); err != nil {
		return c, store.CrawlPage{}, err
	}
	c.URL, c.Base, c.Options = req.URL, seed.String(), string(options)
	c.Limit, c.ZeroRetention = int64(req.Limit), req.ZeroDataRetention
	c.Discovered = req.Sitemap == trawl.SitemapSkip
	c.Seen, c.Waiting = 1, 1
	id := identify(seed, samenessOf(req.CrawlOptions))
	return c, newPage(c, candidate{url: req.URL, identity: id}, 0), nil
}

// newRow makes what crawls and batches have in common.
func (s *Service) newRow(ctx context.Context, caller trawl.Caller, kind string, options trawl.ScrapeOptions) (store.Crawl, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return store.Crawl{}, fmt.Errorf("draw an id: %w", err)
	}
	scrapeOptions, err := json.Marshal([]trawl.ScrapeOptions{options})
	if err != nil {
		return store.Crawl{}, fmt.Errorf("write scrape options: %w", err)
	}
	life, err := s.life(ctx, caller.TeamID)
	if err != nil {
		return store.Crawl{}, err
	}
	now := s.Now().UTC()
	return store.Crawl{
		ID: id.String(), TeamID: caller.TeamID, KeyID: caller.KeyID, Kind: kind, Options: "{}", ScrapeOptions: string(scrapeOptions),
		Status: trawl.CrawlScraping, CreatedAt: now, ExpiresAt: now.Add(life).Truncate(time.Second),
	}, nil
}

// life is how long a team can read its results.
func (s *Service) life(ctx context.Context, team string) (time.Duration, error) {
	plan, err := s.Access.PlanOf(ctx, team)
	if err != nil || plan.ResultHours == 0 {
		return s.Life, err
	}
	return time.Duration(plan.ResultHours) * time.Hour, nil
}

// begin writes a new crawl, its first pages, its job and its first event, all or none.
func (s *Service) begin(ctx context.Context, c store.Crawl, pages []store.CrawlPage, key string) error {
	plan, err := s.Access.PlanOf(ctx, c.TeamID)
	if err != nil {
		return err
	}
	err = s.Store.InTx(ctx, func(tx *store.Tx) error {
		if err := s.claimKey(ctx, tx, c, key); err != nil {
			return err
		}
		if err := admit(ctx, tx, c.TeamID, plan, int64(len(pages))); err != nil {
			return err
		}
		if err := tx.InsertCrawl(ctx, c); err != nil {
			return err
		}
		if _, err := tx.AddPages(ctx, pages); err != nil {
			return err
		}
		if err := s.enqueue(ctx, tx, c); err != nil {
			return err
		}
		return s.Notify.Tell(ctx, tx, c.Webhook, event(c, trawl.EventStarted))
	})
	if err != nil {
		return err
	}
	s.note(c)
	return nil
}

// keyLife is how long an idempotency key is remembered.
const keyLife = 24 * time.Hour

func (s *Service) claimKey(ctx context.Context, tx *store.Tx, c store.Crawl, key string) error {
	if key == "" {
		return nil
	}
	now := s.Now()
	taken, err := tx.ClaimKey(ctx, c.TeamID, key, c.ID, now, now.Add(keyLife))
	if err != nil || taken == "" {
		return err
	}
	return trawl.Errorf(trawl.Conflict, "Conflict").WithCode("IDEMPOTENCY_KEY_REUSED").WithDetails(map[string]any{"id": taken})
}

// admit holds a team to the pages it may have waiting.
func admit(ctx context.Context, tx *store.Tx, team string, plan access.Plan, more int64) error {
	if plan.Queued == 0 {
		return nil
	}
	queued, err := tx.QueuedPages(ctx, team)
	if err != nil {
		return err
	}
	if queued+more > plan.Queued {
		return trawl.Errorf(trawl.RateLimited, "Concurrency limit reached").WithCode("QUEUE_FULL").After(10 * time.Second)
	}
	return nil
}

// note puts the job into the team's activity.
func (s *Service) note(c store.Crawl) {
	a := store.Activity{ID: c.ID, TeamID: c.TeamID, KeyID: c.KeyID, Endpoint: namespace(c), Succeeded: true, At: c.CreatedAt}
	if !c.ZeroRetention {
		a.Target = c.URL
	}
	s.Access.Note(a)
}

// namespace is what a kind is called in events and reports.
func namespace(c store.Crawl) string {
	if c.Kind == kindBatch {
		return trawl.EventsOfBatch
	}
	return trawl.EventsOfCrawl
}

func event(c store.Crawl, name string) notify.Event {
	return notify.Event{TeamID: c.TeamID, JobID: c.ID, Namespace: namespace(c), Name: name}
}

func samenessOf(o trawl.CrawlOptions) weburl.Sameness {
	return weburl.Sameness{IgnoreQueryParameters: o.IgnoreQueryParameters, DeduplicateSimilarURLs: o.Similar()}
}
