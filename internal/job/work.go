package job

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"github.com/trawlhq/trawl"
)

// Why a handler's context ended, as context.Cause tells. ErrLost is the third.
var (
	ErrCancelled = errors.New("job cancelled")
	ErrStopping  = errors.New("worker stopping")
)

// lease is a job that runs in this process.
type lease struct {
	job    *trawl.Job
	lane   *lane
	until  time.Time // as far as we know; guarded by Queue.mu
	cancel context.CancelCauseFunc
}

// outcome is how a lease ends.
type outcome struct {
	lease *lease
	move  move
}

// start works on a claimed job in a goroutine of its own.
func (q *Queue) start(ctx context.Context, l *lane, j *trawl.Job) {
	// Its end is given a reason, so ctx itself must not end it first.
	working, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	held := &lease{job: j, lane: l, until: j.LeaseUntil, cancel: cancel}
	q.mu.Lock()
	if old := q.held[j.ID]; old != nil { // we were too slow, and are our own successor
		old.cancel(ErrLost)
	}
	q.held[j.ID] = held
	l.busy++
	q.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { cancel(ErrStopping) })
	go func() {
		defer stop()
		defer cancel(nil)
		given := *j // the handler may scribble on its own copy
		result, err := q.work(working, &given)
		q.outcomes <- outcome{lease: held, move: q.decide(working, j, result, err)}
	}()
}

// work calls the handler and turns a panic into an error.
func (q *Queue) work(ctx context.Context, j *trawl.Job) (result any, err error) {
	h := q.handlers[j.Kind]
	if h.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, h.Timeout)
		defer cancel()
	}
	defer func() {
		if p := recover(); p != nil {
			err = &panicked{value: p, stack: string(debug.Stack())}
		}
	}()
	return h.Work(ctx, j)
}

// decide says what the handler's answer means for the job.
func (q *Queue) decide(ctx context.Context, j *trawl.Job, result any, err error) move {
	m := move{lease: j.Lease}
	if err == nil {
		m.verb, m.result, err = encode(result)
		if err == nil {
			return m
		}
	}
	if later, ok := errors.AsType[*snoozed](err); ok {
		m.verb, m.at = snooze, q.now().Add(later.by)
		return m
	}
	cause := context.Cause(ctx)
	if errors.Is(cause, ErrStopping) || errors.Is(cause, ErrLost) || errors.Is(cause, ErrCancelled) {
		m.verb = release // a cancelled job is marked in its row, and ends as it is released
		return m
	}
	m.failure = failureOf(err)
	m.verb = retry
	if _, ok := errors.AsType[*permanent](err); ok || j.Attempt >= j.MaxAttempts {
		m.verb = fail
		q.log.Warn("job failed", "job", j.ID, "kind", j.Kind, "attempt", j.Attempt, "error", err)
		return m
	}
	m.at = q.now().Add(q.handlers[j.Kind].Backoff(j.Attempt))
	q.log.Info("job will be retried", "job", j.ID, "kind", j.Kind, "attempt", j.Attempt, "at", m.at, "error", err)
	return m
}

func encode(result any) (verb, json.RawMessage, error) {
	if result == nil {
		return complete, nil, nil
	}
	text, err := json.Marshal(result)
	if err != nil {
		return "", nil, Permanent(fmt.Errorf("encode result: %w", err))
	}
	return complete, bytes.ToValidUTF8(text, []byte("\ufffd")), nil // PostgreSQL takes no other text
}

// Backoff is the usual wait before the next attempt: a second, doubled each
// time, at most ten minutes, give or take a tenth so that jobs which failed
// together do not come back together.
func Backoff(attempt int) time.Duration {
	wait := 10 * time.Minute
	if attempt < 11 {
		wait = min(wait, time.Second<<max(attempt-1, 0))
	}
	return time.Duration(float64(wait) * (0.9 + 0.2*rand.Float64()))
}

// Permanent marks an error that another attempt would meet again.
func Permanent(err error) error { return &permanent{err} }

type permanent struct{ error }

func (p *permanent) Unwrap() error { return p.error }

// Snooze, returned by a handler, has the job looked at again after d. It is
// not a failed attempt.
func Snooze(d time.Duration) error { return &snoozed{by: d} }

type snoozed struct{ by time.Duration }

func (s *snoozed) Error() string { return "snoozed for " + s.by.String() }

type panicked struct {
	value any
	stack string
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// failureOf keeps what a caller may read and, apart from it, what the operator needs.
func failureOf(err error) *trawl.Failure {
	if p, ok := errors.AsType[*panicked](err); ok {
		return &trawl.Failure{Message: "Internal Server Error", Cause: p.Error(), Stack: p.stack}
	}
	known, ok := errors.AsType[*trawl.Error](err)
	if !ok {
		return &trawl.Failure{Message: "Internal Server Error", Cause: err.Error()}
	}
	f := &trawl.Failure{Kind: known.Kind, Message: known.Message, Code: known.Code, RetryAfter: known.RetryAfter}
	if known.Cause != nil {
		f.Cause = known.Cause.Error()
	}
	if known.Details != nil {
		f.Details, _ = json.Marshal(known.Details) // details that are no JSON could not be answered either
	}
	return f
}
