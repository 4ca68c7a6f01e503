package job

import (
	"context"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// running is what this process works on.
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
	if err := q.record(context.Background(), batch); err != nil {
		q.log.Warn("jobs not given back; their leases will run out", "jobs", len(batch), "error", err)
	}
}
