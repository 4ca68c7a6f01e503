package job

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// Spec describes a job to be enqueued.
type Spec struct {
	ID          string        // lower-case UUID; empty: a new one
	TeamID      string        //
	Kind        string        // required
	Lane        trawl.Lane    // empty: bulk
	Priority    int           // within the team; smaller goes first
	Payload     any           // becomes JSON
	UniqueKey   string        // see Enqueue; empty: no limit
	MaxAttempts int           // 0: 3
	RunAt       time.Time     // not before; zero: now
	Keep        time.Duration // how long after its creation it is remembered; 0: 24 h
}

// Enqueue adds jobs in the transaction that creates what they are about, so
// that neither exists without the other. Workers in this process look at once
// when tx commits.
//
// Where a live job of the same team and kind has a spec's unique key already,
// nothing is added and that job is returned in its place: its ID differs from
// the one asked for.
func (q *Queue) Enqueue(ctx context.Context, tx *store.Tx, specs ...Spec) ([]*trawl.Job, error) {
	jobs := make([]*trawl.Job, len(specs))
	lanes := map[trawl.Lane]bool{}
	for i, spec := range specs {
		j, err := q.newJob(spec)
		if err != nil {
			return nil, fmt.Errorf("enqueue %s: %w", spec.Kind, err)
		}
		jobs[i], lanes[j.Lane] = j, true
	}
	if err := tx.InsertJobs(ctx, jobs...); err != nil {
		return nil, fmt.Errorf("enqueue: %w", err)
	}
	for lane := range lanes {
		tx.AfterCommit(func() { q.wake(lane) })
		if err := tx.Notify(ctx, noteWake+" "+string(lane)); err != nil {
			return nil, fmt.Errorf("enqueue: %w", err)
		}
	}
	return jobs, nil
}

func (q *Queue) newJob(spec Spec) (*trawl.Job, error) {
	if spec.Kind == "" {
		return nil, errors.New("the job has no kind")
	}
	payload, err := json.Marshal(spec.Payload)
	if err != nil {
		return nil, fmt.Errorf("encode payload: %w", err)
	}
	if spec.ID == "" {
		id, err := uuid.NewV7()
		if err != nil {
			return nil, fmt.Errorf("make id: %w", err)
		}
		spec.ID = id.String()
	}
	if spec.Lane == "" {
		spec.Lane = trawl.LaneBulk
	}
	if spec.MaxAttempts <= 0 {
		spec.MaxAttempts = 3
	}
	if spec.Keep <= 0 {
		spec.Keep = 24 * time.Hour
	}
	now := q.now()
	if spec.RunAt.IsZero() {
		spec.RunAt = now
	}
	return &trawl.Job{
		ID: spec.ID, TeamID: spec.TeamID, Kind: spec.Kind, Lane: spec.Lane, Priority: spec.Priority,
		UniqueKey: spec.UniqueKey, State: trawl.JobQueued,
		Payload: bytes.ToValidUTF8(payload, []byte("\ufffd")), MaxAttempts: spec.MaxAttempts,
		RunAt: spec.RunAt, CreatedAt: now, ExpiresAt: now.Add(spec.Keep),
	}, nil
}

// now is the present as a row can hold it: whole milliseconds.
func (q *Queue) now() time.Time { return q.opt.Now().UTC().Truncate(time.Millisecond) }
