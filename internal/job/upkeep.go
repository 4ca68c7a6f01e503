package job

import (
	"context"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// Cancel stops a job: at once when it waits, else as soon as its worker hears
// of it. Either way it ends as cancelled. One that has ended gives ErrFinished,
// an unknown one store.ErrNotFound.
func (q *Queue) Cancel(ctx context.Context, tx *store.Tx, id string) error {
	jobs, err := tx.LockJobs(ctx, id)
	if err != nil {
		return err
	}
	if len(jobs) == 0 {
		return fmt.Errorf("cancel job %s: %w", id, store.ErrNotFound)
	}
	if err := apply(jobs[0], move{verb: cancel}, q.now()); err != nil {
		return err
	}
	if err := tx.UpdateJobs(ctx, jobs...); err != nil {
		return err
	}
	tx.AfterCommit(func() { q.interrupt([]string{id}, ErrCancelled) })
	if err := tx.Notify(ctx, noteCancel+" "+id); err != nil {
		return err
	}
	return q.tellEnded(ctx, tx, jobs)
}

// interrupt ends the contexts of jobs that run here.
func (q *Queue) interrupt(ids []string, cause error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, id := range ids {
		if held := q.held[id]; held != nil {
			held.cancel(cause)
		}
	}
}

// noticeCancelled looks for cancellations that no note has brought.
func (q *Queue) noticeCancelled(ctx context.Context) error {
	if len(q.running()) == 0 {
		return nil
	}
	ids, err := q.opt.Store.Cancelling(ctx, q.worker)
	if err != nil {
		return err
	}
	q.interrupt(ids, ErrCancelled)
	return nil
}

func (q *Queue) running() []*lease {
	q.mu.Lock()
	defer q.mu.Unlock()
	held := make([]*lease, 0, len(q.held))
	for _, l := range q.held {
		held = append(held, l)
	}
	return held
}

// renew extends the leases of what runs here. What was lost meanwhile, or ran
// out while the database could not be reached, is stopped.
func (q *Queue) renew(ctx context.Context) error {
	running := q.running()
	if len(running) == 0 {
		return nil
	}
	ids := make([]string, len(running))
	for i, l := range running {
		ids[i] = l.job.ID
	}
	until := q.now().Add(q.opt.Lease)
	var tokens map[string]int64
	err := q.opt.Store.InTx(ctx, func(tx *store.Tx) (err error) {
		tokens, err = tx.ExtendLeases(ctx, q.worker, ids, until)
		return err
	})
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, l := range running {
		switch {
		case err == nil && tokens[l.job.ID] == l.job.Lease:
			l.until = until
		case err == nil || q.now().After(l.until):
			l.cancel(ErrLost)
		}
	}
	return err
}

// rescueAtOnce bounds the jobs given back in one transaction.
const rescueAtOnce = 500

// rescue gives jobs of vanished workers back to the queue.
func (q *Queue) rescue(ctx context.Context) error {
	for {
		lost, err := q.opt.Store.JobsLost(ctx, q.now())
		if err != nil || !lost {
			return err
		}
		var found int
		err = q.opt.Store.InTx(ctx, func(tx *store.Tx) error {
			jobs, err := tx.LostJobs(ctx, q.now(), rescueAtOnce)
			if err != nil {
				return err
			}
			found = len(jobs)
			return q.moveAll(ctx, tx, jobs, func(*trawl.Job) []move { return []move{{verb: lose}} })
		})
		if err != nil || found == 0 { // none: another process is at it
			return err
		}
		q.log.Warn("jobs taken back from lost workers", "jobs", found)
		q.heard("") // wakes the lanes
	}
}

// drainTime is how long handlers get to return once they were told to stop.
const drainTime = 10 * time.Second

// drain waits for the handlers, then gives back the jobs of those that do not
// listen. Their late answers are refused like those of any lost worker.
func (q *Queue) drain() {
	deadline, late := time.After(drainTime), false
	stuck := q.running()
	for len(stuck) > 0 && !late {
		select {
		case <-q.lanes[0].wake: // as after every batch of outcomes
		case <-deadline:
			late = true
		}
		stuck = q.running()
	}
	if len(stuck) == 0 {
		return
	}
	batch := make([]outcome, len(stuck))
	for i, l := range stuck {
		q.log.Warn("handler did not stop in time", "job", l.job.ID, "kind", l.job.Kind)
		batch[i] = outcome{lease: l, move: move{verb: release, lease: l.job.Lease}}
	}
	ctx, cancel := context.WithTimeout(context.Background(), claimTime)
	defer cancel()
	if err := q.record(ctx, batch); err != nil {
		q.log.Warn("jobs not given back; their leases will run out", "jobs", len(batch), "error", err)
	}
}
