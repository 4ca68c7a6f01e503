package job

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// Wait returns a job once its state is final, or an error when ctx ends first.
func (q *Queue) Wait(ctx context.Context, id string) (*trawl.Job, error) {
	for {
		ended := q.await(id)
		j, err := q.opt.Store.Job(ctx, id)
		if err != nil || j.State.Final() {
			q.unwait(id, ended)
			return j, err
		}
		select {
		case <-ended:
		case <-time.After(time.Second): // no word reaches us from other processes on SQLite, nor over a broken line
			q.unwait(id, ended)
		case <-ctx.Done():
			q.unwait(id, ended)
			return nil, context.Cause(ctx)
		}
	}
}

// await returns a channel that is closed when the job is said to have ended.
func (q *Queue) await(id string) chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	ended := make(chan struct{})
	q.waiters[id] = append(q.waiters[id], ended)
	return ended
}

func (q *Queue) unwait(id string, ended chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	left := slices.DeleteFunc(q.waiters[id], func(c chan struct{}) bool { return c == ended })
	if len(left) == 0 {
		delete(q.waiters, id)
		return
	}
	q.waiters[id] = left
}

// announce wakes those who wait for these jobs.
func (q *Queue) announce(ids []string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, id := range ids {
		for _, ended := range q.waiters[id] {
			close(ended)
		}
		delete(q.waiters, id)
	}
}

// idsPerNote keeps a note below the 8,000 bytes PostgreSQL allows.
const idsPerNote = 200

// tellEnded has the end of jobs made known on commit: here for all, to other
// processes for the lane in which somebody waits.
func (q *Queue) tellEnded(ctx context.Context, tx *store.Tx, jobs []*trawl.Job) error {
	var ended, watched []string
	for _, j := range jobs {
		if !j.State.Final() {
			continue
		}
		ended = append(ended, j.ID)
		if j.Lane == trawl.LaneInteractive {
			watched = append(watched, j.ID)
		}
	}
	tx.AfterCommit(func() { q.announce(ended) })
	for ids := range slices.Chunk(watched, idsPerNote) {
		if err := tx.Notify(ctx, noteDone+" "+strings.Join(ids, " ")); err != nil {
			return err
		}
	}
	return nil
}
