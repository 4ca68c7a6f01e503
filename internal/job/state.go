package job

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
)

// The life of a job. Only move changes a state, and it refuses whatever is not drawn here.
//
//	enqueue             claim                    complete
//	────────▶ queued ──────────────▶ running ──────────────▶ completed
//	           │  ▲                   │ │ │       fail
//	           │  │  retry, snooze,   │ │ └────────────────▶ failed
//	           │  └───release, lose───┘ │
//	           │ cancel                 │ cancel: goes on, marked as cancelling;
//	           ▼                        ▼ then whatever ends the lease
//	       cancelled ◀──────────────────┘
//
// "lose" becomes "fail" for a job that has lost too many workers.

// verb is an arrow of the drawing.
type verb string

const (
	claim    verb = "claim"    // a worker takes it
	complete verb = "complete" // the worker is done
	fail     verb = "fail"     // the worker gives up for good
	retry    verb = "retry"    // the attempt failed; another follows
	snooze   verb = "snooze"   // the worker wants to look again later; no attempt is charged
	release  verb = "release"  // the worker stops; the job does not
	lose     verb = "lose"     // the lease ran out
	cancel   verb = "cancel"   // somebody does not want it any more
)

// move is one step along an arrow.
type move struct {
	verb    verb
	lease   int64           // token of the mover; looked at for the worker's own moves
	worker  string          // claim: who takes it
	at      time.Time       // claim: end of the lease; retry, snooze: not before
	result  json.RawMessage // complete
	failure *trawl.Failure  // fail, retry
}

// Why a move was refused.
var (
	ErrLost     = errors.New("lease lost")           // the worker no longer holds the job
	ErrFinished = errors.New("job already finished") // its state is final
	errNotDrawn = errors.New("no such move")
)

// maxLost is how many workers may vanish over one job. Far more than the
// restarts a healthy job meets, and an end for one that kills its worker.
const maxLost = 25

// apply makes one move, or leaves the job as it is and says why not.
func apply(j *trawl.Job, m move, now time.Time) error {
	if j.State.Final() {
		if m.verb.byWorker() {
			return fmt.Errorf("%s job %s: %w", m.verb, j.ID, ErrLost)
		}
		return fmt.Errorf("%s job %s: %w", m.verb, j.ID, ErrFinished)
	}
	if m.verb.byWorker() && (j.State != trawl.JobRunning || j.Lease != m.lease) {
		return fmt.Errorf("%s job %s: %w", m.verb, j.ID, ErrLost)
	}
	switch {
	case m.verb == claim && j.State == trawl.JobQueued:
		take(j, m, now)
	case m.verb == cancel && j.State == trawl.JobQueued:
		end(j, trawl.JobCancelled, now)
	case m.verb == cancel:
		j.Cancelling = true
	case m.verb != claim && j.State == trawl.JobRunning:
		endLease(j, m, now)
	default:
		return fmt.Errorf("%s job %s, which is %s: %w", m.verb, j.ID, j.State, errNotDrawn)
	}
	return nil
}

// byWorker reports whether the move belongs to whoever holds the lease.
func (v verb) byWorker() bool {
	switch v {
	case complete, fail, retry, snooze, release:
		return true
	}
	return false
}

func take(j *trawl.Job, m move, now time.Time) {
	j.State, j.Worker, j.LeaseUntil = trawl.JobRunning, m.worker, m.at
	j.Lease++
	j.Attempt++
	if j.StartedAt.IsZero() {
		j.StartedAt = now
	}
}

// endLease makes the moves out of running.
func endLease(j *trawl.Job, m move, now time.Time) {
	j.Worker, j.LeaseUntil = "", time.Time{}
	if m.verb == complete {
		j.Result, j.Failure = m.result, nil
	}
	if m.failure != nil {
		j.Failure = m.failure
	}
	if m.verb == lose {
		j.Lost++
	}
	switch {
	case j.Cancelling: // whoever cancelled was told that it ends as cancelled
		end(j, trawl.JobCancelled, now)
	case m.verb == complete:
		end(j, trawl.JobCompleted, now)
	case m.verb == fail:
		end(j, trawl.JobFailed, now)
	case m.verb == lose && j.Lost > maxLost:
		j.Failure = &trawl.Failure{Message: "Internal Server Error", Cause: fmt.Sprintf("lost %d workers", j.Lost)}
		end(j, trawl.JobFailed, now)
	default:
		requeue(j, m, now)
	}
}

func end(j *trawl.Job, final trawl.JobState, now time.Time) {
	j.State, j.FinishedAt, j.Cancelling = final, now, false
}

func requeue(j *trawl.Job, m move, now time.Time) {
	j.State, j.RunAt = trawl.JobQueued, m.at
	if j.RunAt.IsZero() {
		j.RunAt = now
	}
	if m.verb != retry {
		j.Attempt-- // it was nobody's fault, so it does not count
	}
}
