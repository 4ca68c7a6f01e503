package job

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
)

func TestMovesAreThoseOfTheDrawing(t *testing.T) {
	now := time.UnixMilli(1_000_000).UTC()
	queued := trawl.Job{ID: "j", State: trawl.JobQueued, Lease: 4, Attempt: 1}
	running := trawl.Job{ID: "j", State: trawl.JobRunning, Lease: 5, Attempt: 2, Worker: "w", LeaseUntil: now.Add(time.Second)}
	cancelling := running
	cancelling.Cancelling = true
	worn := running
	worn.Lost = maxLost
	completed := trawl.Job{ID: "j", State: trawl.JobCompleted, Lease: 5, Attempt: 2, Result: json.RawMessage(`1`)}

	for _, tc := range []struct {
		name    string
		job     trawl.Job
		move    move
		state   trawl.JobState
		attempt int
		refused error
	}{
		{"a queued job is claimed", queued, move{verb: claim, worker: "w"}, trawl.JobRunning, 2, nil},
		{"a queued job is cancelled at once", queued, move{verb: cancel}, trawl.JobCancelled, 1, nil},
		{"a queued job cannot be completed", queued, move{verb: complete, lease: 4}, trawl.JobQueued, 1, ErrLost},
		{"a queued job has no lease to lose", queued, move{verb: lose}, trawl.JobQueued, 1, errNotDrawn},
		{"a running job is completed by its worker", running, move{verb: complete, lease: 5}, trawl.JobCompleted, 2, nil},
		{"a running job is not completed by an earlier worker", running, move{verb: complete, lease: 4}, trawl.JobRunning, 2, ErrLost},
		{"a running job is failed by its worker", running, move{verb: fail, lease: 5}, trawl.JobFailed, 2, nil},
		{"a running job is not failed by an earlier worker", running, move{verb: fail, lease: 4}, trawl.JobRunning, 2, ErrLost},
		{"a retry charges the attempt", running, move{verb: retry, lease: 5}, trawl.JobQueued, 2, nil},
		{"a snooze does not", running, move{verb: snooze, lease: 5}, trawl.JobQueued, 1, nil},
		{"nor does a release", running, move{verb: release, lease: 5}, trawl.JobQueued, 1, nil},
		{"nor does a lost worker", running, move{verb: lose}, trawl.JobQueued, 1, nil},
		{"a job that lost too many workers fails", worn, move{verb: lose}, trawl.JobFailed, 2, nil},
		{"a running job is not claimed again", running, move{verb: claim}, trawl.JobRunning, 2, errNotDrawn},
		{"cancelling a running job only marks it", running, move{verb: cancel}, trawl.JobRunning, 2, nil},
		{"a marked job ends cancelled when completed", cancelling, move{verb: complete, lease: 5}, trawl.JobCancelled, 2, nil},
		{"a marked job ends cancelled when released", cancelling, move{verb: release, lease: 5}, trawl.JobCancelled, 2, nil},
		{"a marked job ends cancelled when lost", cancelling, move{verb: lose}, trawl.JobCancelled, 2, nil},
		{"a completed job is not completed again", completed, move{verb: complete, lease: 5}, trawl.JobCompleted, 2, ErrLost},
		{"a completed job is not cancelled", completed, move{verb: cancel}, trawl.JobCompleted, 2, ErrFinished},
		{"a completed job is not claimed", completed, move{verb: claim}, trawl.JobCompleted, 2, ErrFinished},
	} {
		t.Run(tc.name, func(t *testing.T) {
			j := tc.job
			err := apply(&j, tc.move, now)
			if !errors.Is(err, tc.refused) || (err == nil) != (tc.refused == nil) {
				t.Fatalf("apply = %v, want %v", err, tc.refused)
			}
			if j.State != tc.state || j.Attempt != tc.attempt {
				t.Errorf("job is %s after %d attempts, want %s after %d", j.State, j.Attempt, tc.state, tc.attempt)
			}
			if (j.State != trawl.JobRunning) && (j.Worker != "" || !j.LeaseUntil.IsZero()) {
				t.Errorf("a job that is %s has worker %q and a lease until %v", j.State, j.Worker, j.LeaseUntil)
			}
			if tc.refused == nil && j.State.Final() && j.FinishedAt != now {
				t.Errorf("the end is at %v, want %v", j.FinishedAt, now)
			}
		})
	}
}
