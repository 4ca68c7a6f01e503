package job

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// finishAtOnce bounds the jobs ended in one transaction.
const finishAtOnce = 256

// finish writes outcomes down until ctx ends. While one transaction is being
// committed the next outcomes gather, so the busier the queue the larger the batches.
func (q *Queue) finish(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case first := <-q.outcomes:
			q.settle(ctx, q.gather(first))
		}
	}
}

// gather takes what is there without waiting.
func (q *Queue) gather(first outcome) []outcome {
	batch := []outcome{first}
	for len(batch) < finishAtOnce {
		select {
		case next := <-q.outcomes:
			batch = append(batch, next)
		default:
			return batch
		}
	}
	return batch
}

// settle writes a batch down and frees its slots.
func (q *Queue) settle(ctx context.Context, batch []outcome) {
	q.insist(ctx, batch)
	q.mu.Lock()
	for _, o := range batch {
		if q.held[o.lease.job.ID] == o.lease {
			delete(q.held, o.lease.job.ID)
		}
		o.lease.lane.busy--
	}
	q.mu.Unlock()
	for _, l := range q.lanes { // slots are free, and teams at their limit may go on
		q.wake(l.name)
	}
}

// patience is how often a batch is tried that fails for no reason known to pass.
const patience = 3

// insist tries until the database takes the batch or ctx ends. It may take as
// long as it wants: if the leases run out meanwhile, the moves are refused.
func (q *Queue) insist(ctx context.Context, batch []outcome) {
	for tries := 1; ; tries++ {
		err := q.record(ctx, batch)
		if err == nil {
			return
		}
		q.log.Warn("recording outcomes failed", "jobs", len(batch), "error", err)
		if tries >= patience && !store.Unavailable(err) && !errors.Is(err, context.DeadlineExceeded) {
			q.isolate(ctx, batch, err)
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(q.opt.Poll):
		}
	}
}

// isolate deals with outcomes among which is one that the database will never
// take, so that it does not hold up the others: its job fails for that reason.
func (q *Queue) isolate(ctx context.Context, batch []outcome, reason error) {
	if len(batch) > 1 {
		for _, o := range batch {
			q.insist(ctx, []outcome{o})
		}
		return
	}
	o := batch[0]
	failure := &trawl.Failure{Message: "Internal Server Error", Cause: "record outcome: " + reason.Error()}
	o.move = move{verb: fail, lease: o.move.lease, failure: failure}
	if err := q.record(ctx, []outcome{o}); err != nil {
		q.log.Error("job left to its lease", "job", o.lease.job.ID, "error", err)
	}
}

func (q *Queue) record(ctx context.Context, batch []outcome) error {
	ctx, cancel := context.WithTimeout(ctx, stepTime)
	defer cancel()
	moves := make(map[string][]move, len(batch))
	var ids []string
	for _, o := range batch {
		ids = append(ids, o.lease.job.ID)
		moves[o.lease.job.ID] = append(moves[o.lease.job.ID], o.move)
	}
	return q.opt.Store.InTx(ctx, func(tx *store.Tx) error {
		jobs, err := tx.LockJobs(ctx, ids...)
		if err != nil {
			return err
		}
		return q.moveAll(ctx, tx, jobs, func(j *trawl.Job) []move { return moves[j.ID] })
	})
}

// moveAll makes moves on locked jobs and writes down those that changed. A
// worker's move on a job it has lost is dropped: the successor's counts.
func (q *Queue) moveAll(ctx context.Context, tx *store.Tx, jobs []*trawl.Job, moves func(*trawl.Job) []move) error {
	var changed []*trawl.Job
	for _, j := range jobs {
		moved := false
		for _, m := range moves(j) {
			err := apply(j, m, q.now())
			if err != nil && !errors.Is(err, ErrLost) {
				return err
			}
			if err != nil {
				q.log.Debug("outcome dropped", "error", err) // also after Finish, where it has been written down
				continue
			}
			moved = true
		}
		if moved {
			changed = append(changed, j)
		}
	}
	if err := tx.UpdateJobs(ctx, changed...); err != nil {
		return err
	}
	return q.tellEnded(ctx, tx, changed)
}

// Finish completes a job within the handler's own transaction, so that its
// effects and its end are one. It fails with ErrLost when the worker no longer
// holds the job; then tx must be rolled back. The handler returns nil afterwards.
func (q *Queue) Finish(ctx context.Context, tx *store.Tx, j *trawl.Job, result any) error {
	verb, text, err := encode(result)
	if err != nil {
		return err
	}
	held, err := q.Hold(ctx, tx, j)
	if err != nil {
		return err
	}
	if err := apply(held, move{verb: verb, lease: j.Lease, result: text}, q.now()); err != nil {
		return err
	}
	if err := tx.UpdateJobs(ctx, held); err != nil {
		return err
	}
	return q.tellEnded(ctx, tx, []*trawl.Job{held})
}

// Hold makes sure, until tx ends, that j is still this worker's: what the
// handler writes in tx cannot collide with a successor's. Otherwise ErrLost.
func (q *Queue) Hold(ctx context.Context, tx *store.Tx, j *trawl.Job) (*trawl.Job, error) {
	rows, err := tx.LockJobs(ctx, j.ID)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 || rows[0].State != trawl.JobRunning || rows[0].Lease != j.Lease {
		return nil, fmt.Errorf("hold job %s: %w", j.ID, ErrLost)
	}
	return rows[0], nil
}
