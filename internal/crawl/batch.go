package crawl

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/notify"
	"github.com/trawlhq/trawl/internal/store"
)

// StartBatch takes a list of pages in, or adds it to an earlier batch.
func (s *Service) StartBatch(ctx context.Context, req trawl.BatchRequest) (*trawl.BatchStarted, error) {
	urls, invalid, err := s.sift(req)
	if err != nil {
		return nil, err
	}
	answer := &trawl.BatchStarted{Success: true}
	if req.SkipsInvalid() {
		answer.InvalidURLs = &invalid
	}
	caller := trawl.CallerFrom(ctx)
	left, err := s.Access.Remaining(ctx, caller)
	if err != nil {
		return nil, err
	}
	if left < int64(len(urls)) {
		return nil, access.ErrCredits()
	}
	if req.AppendToID != "" {
		answer.ID, err = s.append(ctx, caller, req, urls)
		return answer, err
	}
	c, err := s.newRow(ctx, caller, kindBatch, req.ScrapeOptions)
	if err != nil {
		return nil, err
	}
	if c.Webhook, err = notify.Subscribe(req.Webhook, req.BaseURL); err != nil {
		return nil, err
	}
	options, err := json.Marshal(trawl.CrawlOptions{MaxConcurrency: req.MaxConcurrency})
	if err != nil {
		return nil, fmt.Errorf("write options: %w", err)
	}
	c.Options, c.ZeroRetention, c.Discovered = string(options), req.ZeroDataRetention, true
	c.URL = urls[0]
	pages := s.line(&c, urls, 0)
	answer.ID = c.ID
	return answer, s.begin(ctx, c, pages, req.IdempotencyKey)
}

// sift takes out what cannot be scraped, or refuses all because of it.
func (s *Service) sift(req trawl.BatchRequest) (urls, invalid []string, err error) {
	urls, invalid = make([]string, 0, len(req.URLs)), []string{}
	for i, u := range req.URLs {
		err := s.Scraper.Check(trawl.ScrapeRequest{URL: u, ZeroDataRetention: req.ZeroDataRetention, ScrapeOptions: req.ScrapeOptions})
		if err == nil {
			urls = append(urls, u)
			continue
		}
		_, badURL := s.ParseURL(u)
		if !isAboutAddress(err, badURL) {
			return nil, nil, err // the options are wrong, for every address
		}
		if !req.SkipsInvalid() {
			if badURL != nil {
				return nil, nil, trawl.BadRequest([]trawl.Issue{trawl.URLIssue(badURL.Error(), "urls", i)})
			}
			return nil, nil, err
		}
		invalid = append(invalid, u)
	}
	if len(urls) == 0 {
		return nil, nil, trawl.Errorf(trawl.Invalid, "No valid URLs provided").WithCode("BAD_REQUEST")
	}
	return urls, invalid, nil
}

// isAboutAddress tells a refusal of one address from one of the whole request.
func isAboutAddress(err, badURL error) bool {
	if badURL != nil {
		return true
	}
	var e *trawl.Error
	return errors.As(err, &e) && (e.Code == "UNSUPPORTED_SITE" || e.Code == "unsafe_domain_blocked")
}

// line makes the pages of a batch, behind those it has.
func (s *Service) line(c *store.Crawl, urls []string, options int) []store.CrawlPage {
	pages := make([]store.CrawlPage, len(urls))
	for i, u := range urls {
		p := candidate{url: u}
		binary.BigEndian.PutUint64(p.identity[8:], uint64(c.Seen)) // a page of a batch is only ever itself
		pages[i] = newPage(*c, p, c.Seen)
		pages[i].Options = options
		c.Seen++
	}
	c.Waiting += int64(len(urls))
	c.Limit += int64(len(urls))
	return pages
}

// append adds pages to a batch; one that was completed goes on.
func (s *Service) append(ctx context.Context, caller trawl.Caller, req trawl.BatchRequest, urls []string) (string, error) {
	if _, err := s.read(ctx, req.AppendToID, kindBatch); err != nil {
		return "", err
	}
	plan, err := s.Access.PlanOf(ctx, caller.TeamID)
	if err != nil {
		return "", err
	}
	var id string
	err = s.Store.InTx(ctx, func(tx *store.Tx) error {
		c, err := tx.LockCrawl(ctx, req.AppendToID)
		if err != nil {
			return err
		}
		id = c.ID
		if c.Status == trawl.CrawlCancelled || c.Status == trawl.CrawlFailed {
			return trawl.Errorf(trawl.Conflict, "Conflict").WithCode("JOB_ALREADY_FINISHED")
		}
		if err := s.claimKey(ctx, tx, c, req.IdempotencyKey); err != nil {
			return err
		}
		if err := admit(ctx, tx, c.TeamID, plan, int64(len(urls))); err != nil {
			return err
		}
		return s.extend(ctx, tx, c, req.ScrapeOptions, urls)
	})
	return id, err
}

func (s *Service) extend(ctx context.Context, tx *store.Tx, c store.Crawl, options trawl.ScrapeOptions, urls []string) error {
	var list []trawl.ScrapeOptions
	if err := json.Unmarshal([]byte(c.ScrapeOptions), &list); err != nil {
		return fmt.Errorf("read scrape options: %w", err)
	}
	text, err := json.Marshal(append(list, options))
	if err != nil {
		return fmt.Errorf("write scrape options: %w", err)
	}
	c.ScrapeOptions = string(text)
	// Failed pages gave their place up; the new ones must not take it.
	c.Limit = c.Done + c.Leased + c.Waiting
	pages := s.line(&c, urls, len(list))
	c.Status, c.FinishedAt = trawl.CrawlScraping, time.Time{}
	if _, err := tx.AddPages(ctx, pages); err != nil {
		return err
	}
	if err := tx.UpdateCrawl(ctx, c); err != nil {
		return err
	}
	return s.enqueue(ctx, tx, c)
}
