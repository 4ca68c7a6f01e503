package crawl

import (
	"context"
	"errors"
	"strconv"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/job"
	"github.com/trawlhq/trawl/internal/store"
)

// CancelCrawl stops a crawl. Its documents can be read until it expires.
func (s *Service) CancelCrawl(ctx context.Context, id string) error {
	return s.cancel(ctx, id, kindCrawl)
}

// CancelBatch stops a batch. Its documents can be read until it expires.
func (s *Service) CancelBatch(ctx context.Context, id string) error {
	return s.cancel(ctx, id, kindBatch)
}

func (s *Service) cancel(ctx context.Context, id, kind string) error {
	c, err := s.read(ctx, id, kind)
	if err != nil {
		return err
	}
	return s.Store.InTx(ctx, func(tx *store.Tx) error {
		// Jobs before crawls, as everywhere: two orders would wait for each other.
		jobs, err := tx.LiveJobs(ctx, c.TeamID, JobKind, partKeys(c.ID)...)
		if err != nil {
			return err
		}
		for _, j := range jobs {
			if err := s.Queue.Cancel(ctx, tx, j); err != nil && !errors.Is(err, job.ErrFinished) && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		c, err := tx.LockCrawl(ctx, c.ID)
		if err != nil {
			return err
		}
		switch c.Status {
		case trawl.CrawlCancelled:
			return nil
		case trawl.CrawlCompleted, trawl.CrawlFailed:
			return trawl.Errorf(trawl.Conflict, "Conflict").WithCode("JOB_ALREADY_FINISHED")
		}
		return s.end(ctx, tx, c, trawl.CrawlCancelled, "The job was cancelled.")
	})
}

// end closes a crawl that does not come to its end by itself.
func (s *Service) end(ctx context.Context, tx *store.Tx, c store.Crawl, status, why string) error {
	dropped, err := tx.DropWaiting(ctx, c.ID)
	if err != nil {
		return err
	}
	c.Waiting -= dropped
	c.Status, c.FinishedAt = status, s.Now()
	ev := event(c, trawl.EventCancelled)
	if status == trawl.CrawlFailed {
		c.Error, ev.Name = why, trawl.EventFailed
	}
	ev.Error, ev.Seq = why, c.Done+1
	if err := s.Notify.Tell(ctx, tx, c.Webhook, ev); err != nil {
		return err
	}
	return tx.UpdateCrawl(ctx, c)
}

// giveUp ends a crawl that can never run; one that has documents counts as completed.
func (s *Service) giveUp(ctx context.Context, id string, why error) error {
	s.Log.ErrorContext(ctx, "crawl given up", "crawl", id, "err", why)
	return s.Store.InTx(ctx, func(tx *store.Tx) error {
		c, err := tx.LockCrawl(ctx, id)
		if err != nil || c.Status != trawl.CrawlScraping {
			return err
		}
		status := trawl.CrawlFailed
		if c.Done > 0 {
			status = trawl.CrawlCompleted
		}
		return s.end(ctx, tx, c, status, "The job could not be run.")
	})
}

// partKey is the unique key of a job: there is one job for each part of a crawl.
func partKey(id string, part int) string {
	if part == 0 {
		return id
	}
	return id + "/" + strconv.Itoa(part)
}

func partKeys(id string) []string {
	keys := make([]string, helpers+1)
	for i := range keys {
		keys[i] = partKey(id, i)
	}
	return keys
}
