package trawl

import (
	"encoding/json"
	"time"
)

// JobState says where a job is in its life. The moves between the states are
// drawn and made in internal/job/state.go.
type JobState string

// The states of a job. The last three are final.
const (
	JobQueued    JobState = "queued"    // waits for its time, a free worker, or its team's turn
	JobRunning   JobState = "running"   // leased by a worker
	JobCompleted JobState = "completed" // done; has its result
	JobFailed    JobState = "failed"    // given up; has its failure
	JobCancelled JobState = "cancelled" // stopped by someone
)

// Final reports whether a job in this state never changes again.
func (s JobState) Final() bool {
	return s == JobCompleted || s == JobFailed || s == JobCancelled
}

// Lane separates work somebody waits for from work that may take its time.
// Each lane has workers of its own, so neither holds up the other.
type Lane string

// The lanes.
const (
	LaneInteractive Lane = "interactive"
	LaneBulk        Lane = "bulk"
)

// Job is one piece of durable work.
type Job struct {
	ID          string          // UUID version 7, lower case
	TeamID      string          // who pays for it, and whose turn it is
	Kind        string          // which handler works on it: "crawl", "webhook", …
	Lane        Lane            // which workers take it
	Priority    int             // within a team; smaller goes first, 0 is usual
	UniqueKey   string          // at most one live job of a team and kind has it; empty: no such limit
	State       JobState        //
	Payload     json.RawMessage // what to do, as its kind understands it
	Result      json.RawMessage // what came of it; nil: nothing to say
	Failure     *Failure        // how the latest attempt failed; nil: it did not
	Attempt     int             // attempts charged so far: those that failed, and the running one
	MaxAttempts int             // after so many failed attempts it is given up
	Lost        int             // how often its worker vanished
	Lease       int64           // fencing token: grows with every claim; a write under an older one is refused
	LeaseUntil  time.Time       // when others may take it over; zero unless running
	Worker      string          // the process that holds the lease; empty unless running
	Cancelling  bool            // it runs, and was asked to stop
	RunAt       time.Time       // not before
	CreatedAt   time.Time       //
	StartedAt   time.Time       // first claim; zero: not yet
	FinishedAt  time.Time       // zero unless its state is final
	ExpiresAt   time.Time       // when the row may be removed
}

// Failure is an error as a job keeps it, so that another process can give the
// caller the same answer.
type Failure struct {
	Kind       Kind            `json:"kind,omitempty"`
	Message    string          `json:"message"`
	Code       string          `json:"code,omitempty"`
	Details    json.RawMessage `json:"details,omitempty"`
	RetryAfter time.Duration   `json:"retryAfter,omitempty"`
	Cause      string          `json:"cause,omitempty"` // for the log, never for the caller
	Stack      string          `json:"stack,omitempty"` // where the handler panicked
}

// Err returns why the job failed, as the error its handler gave, or nil when
// it did not fail.
func (j *Job) Err() error {
	if j.State != JobFailed || j.Failure == nil {
		return nil
	}
	f := j.Failure
	err := Errorf(f.Kind, "%s", f.Message).WithCode(f.Code).After(f.RetryAfter)
	if len(f.Details) > 0 {
		err = err.WithDetails(f.Details)
	}
	if f.Cause != "" {
		err = err.Because(causeText(f.Cause))
	}
	return err
}

// causeText is the text of an error that happened in another process.
type causeText string

func (c causeText) Error() string { return string(c) }

// Schedule is work that comes again: at each due time it makes a job.
type Schedule struct {
	ID          string          // chosen by its maker, e.g. the id of the monitor it belongs to
	TeamID      string          //
	Kind        string          // of the jobs it makes
	Lane        Lane            // of the jobs it makes; empty: bulk
	Priority    int             // of the jobs it makes
	Payload     json.RawMessage // of the jobs it makes
	MaxAttempts int             // of the jobs it makes; 0: the queue's default
	Keep        time.Duration   // how long its jobs are kept; 0: the queue's default
	Spec        string          // when, in its maker's words, e.g. a cron line; empty: Every counts
	Every       time.Duration   // time between runs when there is no Spec
	NextRun     time.Time       //
	LastRun     time.Time       // zero: never yet
	Paused      bool            // it makes no jobs
	Problem     string          // why the queue paused it: its next time could not be told
}
