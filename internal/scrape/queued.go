package scrape

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/job"
	"github.com/trawlhq/trawl/internal/store"
)

// JobKind is the kind of jobs that are one scrape.
const JobKind = "scrape"

// Queued is a Scraper without a browser of its own: it hands each scrape to
// whatever worker shares the database, and waits for the answer.
type Queued struct {
	*Service // reads results, which are in the shared store
	Queue    *job.Queue
}

// payload is a scrape on its way to a worker.
type payload struct {
	Caller  trawl.Caller        `json:"caller"`
	Request trawl.ScrapeRequest `json:"request"`
}

// Scrape has a worker do it. When the caller leaves, the worker is told.
func (q *Queued) Scrape(ctx context.Context, req trawl.ScrapeRequest) (*trawl.Document, error) {
	caller := trawl.CallerFrom(ctx)
	var queued []*trawl.Job
	err := q.Store.InTx(ctx, func(tx *store.Tx) (err error) {
		queued, err = q.Queue.Enqueue(ctx, tx, job.Spec{
			TeamID: caller.TeamID, Kind: JobKind, Lane: trawl.LaneInteractive, MaxAttempts: 1,
			Payload: payload{caller, req}, Keep: time.Hour,
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, req.Deadline()+time.Second)
	defer cancel()
	done, err := q.Queue.Wait(waiting, queued[0].ID)
	if err != nil {
		q.abandon(ctx, queued[0].ID)
		return nil, timeoutOf(waiting, ctx, err)
	}
	return documentOf(done)
}

// abandon cancels a scrape nobody waits for any more.
func (q *Queued) abandon(ctx context.Context, id string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := q.Store.InTx(ctx, func(tx *store.Tx) error { return q.Queue.Cancel(ctx, tx, id) })
	if err != nil && !errors.Is(err, job.ErrFinished) {
		q.Log.WarnContext(ctx, "abandoned scrape not cancelled", "job", id, "err", err)
	}
}

func documentOf(j *trawl.Job) (*trawl.Document, error) {
	if j.State == trawl.JobFailed && j.Lost > 0 {
		return nil, trawl.Errorf(trawl.SiteFailed, "The scrape was given up after too many tries.").WithCode("SCRAPE_RETRY_LIMIT").Because(j.Err())
	}
	if err := j.Err(); err != nil {
		return nil, err
	}
	if j.State == trawl.JobCancelled {
		return nil, trawl.Errorf(trawl.SiteFailed, "The scrape was cancelled.").WithCode("SCRAPE_JOB_CANCELLED")
	}
	var doc trawl.Document
	if err := json.Unmarshal(j.Result, &doc); err != nil {
		return nil, fmt.Errorf("read the worker's answer: %w", err)
	}
	return &doc, nil
}

// Work is the worker's side of Queued.
func (s *Service) Work(ctx context.Context, j *trawl.Job) (any, error) {
	var p payload
	if err := json.Unmarshal(j.Payload, &p); err != nil {
		return nil, job.Permanent(fmt.Errorf("read scrape job: %w", err))
	}
	doc, err := s.Scrape(trawl.WithCaller(ctx, p.Caller), p.Request)
	if err != nil && ctx.Err() == nil {
		return nil, job.Permanent(err) // the caller waits: they decide whether to try again
	}
	return doc, err
}
