package job

import (
	"context"
	"fmt"

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
