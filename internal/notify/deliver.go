package notify

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/job"
	"github.com/trawlhq/trawl/internal/store"
)

// How much is sent at a time.
const (
	perTarget    = 4   // deliveries to one address at once
	deliverRound = 100 // deliveries between two looks into the store
	attemptTime  = 10 * time.Second
)

// Work sends what waits for one target, until nothing is due any more.
func (s *Service) Work(ctx context.Context, j *trawl.Job) (any, error) {
	var p payload
	if err := json.Unmarshal(j.Payload, &p); err != nil {
		return nil, job.Permanent(fmt.Errorf("read webhook job: %w", err))
	}
	for {
		due, err := s.Store.DueDeliveries(ctx, p.Target, s.Now(), deliverRound)
		if err != nil {
			return nil, err
		}
		if len(due) == 0 {
			return nil, s.rest(ctx, j, p.Target)
		}
		if err := s.send(ctx, due); err != nil {
			return nil, err
		}
	}
}

// rest ends the job, or has it come back when the next event is due. Both are
// decided in one transaction, so an event that arrives meanwhile is not missed.
func (s *Service) rest(ctx context.Context, j *trawl.Job, target string) error {
	var next time.Time
	err := s.Store.InTx(ctx, func(tx *store.Tx) (err error) {
		next, err = tx.NextDelivery(ctx, target)
		if err != nil || !next.IsZero() {
			return err
		}
		return s.Queue.Finish(ctx, tx, j, nil)
	})
	if err != nil || next.IsZero() {
		return err
	}
	return job.Snooze(max(next.Sub(s.Now()), 0))
}

// send makes one attempt each, a few at a time, and writes all outcomes down together.
func (s *Service) send(ctx context.Context, due []store.Delivery) error {
	var senders sync.WaitGroup
	line := make(chan *store.Delivery)
	for range min(perTarget, len(due)) {
		senders.Go(func() {
			for d := range line {
				s.attempt(ctx, d)
			}
		})
	}
	for i := range due {
		line <- &due[i]
	}
	close(line)
	senders.Wait()
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx) // what was delivered is written down in any case
	}
	return s.Store.InTx(ctx, func(tx *store.Tx) error {
		for _, d := range due {
			if err := tx.UpdateDelivery(ctx, d); err != nil {
				return err
			}
		}
		return nil
	})
}

// attempt tries once and decides what becomes of the event. An attempt that was
// cut short by our own stopping does not count.
func (s *Service) attempt(ctx context.Context, d *store.Delivery) {
	if ctx.Err() != nil {
		return
	}
	status, err := s.post(ctx, *d)
	if ctx.Err() != nil && err != nil {
		return
	}
	d.Attempts++
	d.Status, d.Problem = status, ""
	now := s.Now()
	switch {
	case err == nil:
		d.State, d.DeliveredAt = store.DeliveryDelivered, now
		return
	case d.Attempts > len(s.Retries) || isFinal(err):
		d.State = store.DeliveryDropped
		s.Log.WarnContext(ctx, "webhook dropped", "webhook", d.ID, "job", d.JobID, "event", d.Event, "attempts", d.Attempts, "status", status, "err", err)
	default:
		d.NextAt = now.Add(s.Retries[d.Attempts-1])
		s.Log.InfoContext(ctx, "webhook will be sent again", "webhook", d.ID, "job", d.JobID, "event", d.Event, "at", d.NextAt, "status", status, "err", err)
	}
	d.Problem = err.Error()
}
