package job

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

// soon is longer than anything here may take.
const soon = 20 * time.Second

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

func enqueue(t *testing.T, q *Queue, specs ...Spec) []*trawl.Job {
	t.Helper()
	var jobs []*trawl.Job
	err := q.opt.Store.InTx(t.Context(), func(tx *store.Tx) (err error) {
		jobs, err = q.Enqueue(t.Context(), tx, specs...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func cancelJob(t *testing.T, q *Queue, id string) error {
	t.Helper()
	return q.opt.Store.InTx(t.Context(), func(tx *store.Tx) error { return q.Cancel(t.Context(), tx, id) })
}

func wait(t *testing.T, q *Queue, id string) *trawl.Job {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	j, err := q.Wait(ctx, id)
	if err != nil {
		t.Fatalf("wait for job: %v", err)
	}
	return j
}

// run starts the queue and returns what stops it; the end of the test does too.
func run(t *testing.T, q *Queue) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := q.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	stop = func() { cancel(); wg.Wait() }
	t.Cleanup(stop)
	return stop
}

func TestWork(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := New(Options{Store: s, Log: quiet(), Interactive: 4, Bulk: 4, Poll: 20 * time.Millisecond})
		again := func(int) time.Duration { return 0 }
		q.Handle("echo", Handler{Work: func(_ context.Context, j *trawl.Job) (any, error) { return j.Payload, nil }})
		q.Handle("third time", Handler{Backoff: again, Work: func(_ context.Context, j *trawl.Job) (any, error) {
			if j.Attempt < 3 {
				return nil, errors.New("not yet")
			}
			return j.Attempt, nil
		}})
		q.Handle("refuse", Handler{Work: func(context.Context, *trawl.Job) (any, error) {
			return nil, Permanent(trawl.Errorf(trawl.NotFound, "Not Found").WithCode("GONE").WithDetails([]string{"x"}).Because(io.EOF))
		}})
		q.Handle("never", Handler{Backoff: again, Work: func(context.Context, *trawl.Job) (any, error) { return nil, io.EOF }})
		q.Handle("panic", Handler{Backoff: again, Work: func(context.Context, *trawl.Job) (any, error) { panic("boom") }})
		q.Handle("unspeakable", Handler{Work: func(context.Context, *trawl.Job) (any, error) { return make(chan int), nil }})
		q.Handle("slow", Handler{Timeout: time.Millisecond, Work: func(ctx context.Context, _ *trawl.Job) (any, error) {
			<-ctx.Done()
			return nil, Permanent(ctx.Err())
		}})
		var naps atomic.Int64
		q.Handle("sleepy", Handler{Work: func(_ context.Context, j *trawl.Job) (any, error) {
			if naps.Add(1) < 5 { // more often than it has attempts
				return nil, Snooze(time.Millisecond)
			}
			return "awake", nil
		}})
		run(t, q)

		for _, tc := range []struct {
			kind    string
			state   trawl.JobState
			result  string
			attempt int
			failure string // part of it, as JSON
		}{
			{"echo", trawl.JobCompleted, `{"n":1}`, 1, ""},
			{"third time", trawl.JobCompleted, `3`, 3, ""},
			{"refuse", trawl.JobFailed, ``, 1, `"code":"GONE","details":["x"],"cause":"EOF"`},
			{"never", trawl.JobFailed, ``, 3, `"message":"Internal Server Error","cause":"EOF"`},
			{"panic", trawl.JobFailed, ``, 3, `job_test.go`},
			{"unspeakable", trawl.JobFailed, ``, 1, `encode result`},
			{"slow", trawl.JobFailed, ``, 1, `deadline exceeded`},
			{"sleepy", trawl.JobCompleted, `"awake"`, 1, ""},
		} {
			t.Run(tc.kind, func(t *testing.T) {
				for _, lane := range []trawl.Lane{trawl.LaneInteractive, trawl.LaneBulk} {
					spec := Spec{TeamID: "t", Kind: tc.kind, Lane: lane, Payload: map[string]int{"n": 1}}
					j := wait(t, q, enqueue(t, q, spec)[0].ID)
					failure := ""
					if j.Failure != nil {
						text, _ := json.Marshal(j.Failure)
						failure = string(text)
					}
					if j.State != tc.state || string(j.Result) != tc.result || j.Attempt != tc.attempt ||
						!strings.Contains(failure, tc.failure) || (tc.failure == "") != (failure == "") {
						t.Errorf("%s in lane %s is %s after %d attempts with result %s and failure %s",
							tc.kind, lane, j.State, j.Attempt, j.Result, failure)
					}
				}
			})
		}
	})
}

func TestFailureComesBackAsTheErrorItWas(t *testing.T) {
	was := trawl.Errorf(trawl.TooLarge, "Payload Too Large").WithCode("X").WithDetails(map[string]int{"max": 1}).After(time.Second)
	j := &trawl.Job{State: trawl.JobFailed, Failure: failureOf(was)}
	var is *trawl.Error
	if !errors.As(j.Err(), &is) {
		t.Fatalf("Err = %v, want a *trawl.Error", j.Err())
	}
	details, _ := json.Marshal(is.Details)
	if is.Kind != was.Kind || is.Message != was.Message || is.Code != was.Code || is.RetryAfter != was.RetryAfter || string(details) != `{"max":1}` {
		t.Errorf("Err = %+v, want %+v", is, was)
	}
}

func TestEnqueueHappensWithTheRestOfItsTransactionOrNotAtAll(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := New(Options{Store: s})
		var id string
		err := s.InTx(t.Context(), func(tx *store.Tx) error {
			jobs, err := q.Enqueue(t.Context(), tx, Spec{Kind: "k"})
			if err != nil {
				return err
			}
			id = jobs[0].ID
			return io.EOF
		})
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		if _, err := s.Job(t.Context(), id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("job of a failed transaction: %v, want ErrNotFound", err)
		}
	})
}

func TestUniqueKeyHoldsAmongLiveJobsOfATeam(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := New(Options{Store: s})
		spec := Spec{TeamID: "a", Kind: "k", UniqueKey: "x"}
		first := enqueue(t, q, spec)[0]
		other := spec
		other.TeamID = "b"
		got := enqueue(t, q, spec, other, other, Spec{TeamID: "a", Kind: "k"}, Spec{TeamID: "a", Kind: "k"})
		if got[0].ID != first.ID {
			t.Error("a second live job has the same key")
		}
		if got[1].ID == first.ID || got[2].ID != got[1].ID {
			t.Error("in another team the key is not its own, or given twice in one call")
		}
		if got[3].ID == got[4].ID {
			t.Error("jobs without a key became one")
		}
		if err := cancelJob(t, q, first.ID); err != nil {
			t.Fatal(err)
		}
		if enqueue(t, q, spec)[0].ID == first.ID {
			t.Error("an ended job keeps its key")
		}
	})
}

func TestCancel(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := New(Options{Store: s, Log: quiet(), Interactive: 2, Poll: 100 * time.Millisecond})
		started := make(chan string, 10)
		q.Handle("long", Handler{Work: func(ctx context.Context, j *trawl.Job) (any, error) {
			started <- j.ID
			<-ctx.Done()
			return nil, context.Cause(ctx)
		}})
		elsewhere := New(Options{Store: s}) // a process that only takes requests
		run(t, q)

		for _, tc := range []struct {
			name string
			by   *Queue
		}{{"in the same process", q}, {"from another process", elsewhere}} {
			t.Run("of a running job reaches it within a second, "+tc.name, func(t *testing.T) {
				id := enqueue(t, q, Spec{Kind: "long", Lane: trawl.LaneInteractive})[0].ID
				<-started
				began := time.Now()
				if err := cancelJob(t, tc.by, id); err != nil {
					t.Fatal(err)
				}
				if j := wait(t, q, id); j.State != trawl.JobCancelled {
					t.Errorf("job is %s, want cancelled", j.State)
				}
				if took := time.Since(began); took > time.Second {
					t.Errorf("it took %v", took)
				}
			})
		}
		t.Run("of a waiting job ends it at once", func(t *testing.T) {
			id := enqueue(t, q, Spec{Kind: "nobody's"})[0].ID
			if err := cancelJob(t, elsewhere, id); err != nil {
				t.Fatal(err)
			}
			if j, _ := s.Job(t.Context(), id); j.State != trawl.JobCancelled {
				t.Errorf("job is %s, want cancelled", j.State)
			}
			if err := cancelJob(t, q, id); !errors.Is(err, ErrFinished) {
				t.Errorf("cancelling again = %v, want ErrFinished", err)
			}
		})
		t.Run("of an unknown job", func(t *testing.T) {
			if err := cancelJob(t, q, "no such"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("Cancel = %v, want ErrNotFound", err)
			}
		})
	})
}

func TestOutcomeTheDatabaseRefusesHoldsUpNobody(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := New(Options{Store: s, Log: quiet(), Poll: time.Millisecond})
		q.Handle("k", Handler{})
		jobs := enqueue(t, q, Spec{Kind: "k"}, Spec{Kind: "k"}, Spec{Kind: "k"})
		claimed, err := q.claim(t.Context(), q.lanes[1], 3)
		if err != nil || len(claimed) != 3 {
			t.Fatalf("claim = %v, %v", claimed, err)
		}
		var batch []outcome
		for _, j := range claimed {
			batch = append(batch, outcome{lease: &lease{job: j, lane: q.lanes[1]}, move: move{verb: complete, lease: j.Lease}})
		}
		batch[1].move.verb, batch[1].move.failure = fail, &trawl.Failure{Details: json.RawMessage(`{`)} // cannot be encoded
		q.settle(t.Context(), batch)
		want := []trawl.JobState{trawl.JobCompleted, trawl.JobFailed, trawl.JobCompleted}
		for i := range jobs {
			if j, err := s.Job(t.Context(), jobs[i].ID); err != nil || j.State != want[i] {
				t.Errorf("job %d is %s, %v, want %s", i, j.State, err, want[i])
			}
		}
	})
}

func TestTextThatIsNoUTF8IsMended(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := New(Options{Store: s, Log: quiet(), Bulk: 1, Poll: 20 * time.Millisecond})
		q.Handle("k", Handler{Work: func(_ context.Context, j *trawl.Job) (any, error) { return json.RawMessage("\"a\xffb\\u0000\""), nil }})
		run(t, q)
		j := wait(t, q, enqueue(t, q, Spec{Kind: "k", Payload: json.RawMessage("\"\xff\"")})[0].ID)
		if want := "\"a\ufffdb\\u0000\""; j.State != trawl.JobCompleted || string(j.Result) != want || string(j.Payload) != "\"\ufffd\"" {
			t.Errorf("job is %s with payload %s and result %s, want %s", j.State, j.Payload, j.Result, want)
		}
	})
}

func TestQueueOutlivesALostConnection(t *testing.T) {
	t.Parallel()
	line := storetest.NewLine(t, storetest.Postgres(t))
	s := storetest.Open(t, line.Options)
	q := New(Options{Store: s, Log: quiet(), Bulk: 2, Poll: 50 * time.Millisecond})
	started, goOn := make(chan struct{}), make(chan struct{})
	var runs atomic.Int64
	q.Handle("during", Handler{Work: func(context.Context, *trawl.Job) (any, error) {
		runs.Add(1)
		close(started)
		<-goOn
		return "done", nil
	}})
	q.Handle("after", Handler{Work: func(context.Context, *trawl.Job) (any, error) { return nil, nil }})
	run(t, q)
	during := enqueue(t, q, Spec{Kind: "during"})[0].ID
	<-started
	line.Cut()
	close(goOn)
	if err := s.Ping(t.Context()); !store.Unavailable(err) {
		t.Errorf("Ping over a cut line = %v, want an error that says unavailable", err)
	}
	line.Mend()
	if j := wait(t, q, during); j.State != trawl.JobCompleted || string(j.Result) != `"done"` || runs.Load() != 1 {
		t.Errorf("job is %s with %s after %d runs, want it done in one", j.State, j.Result, runs.Load())
	}
	if j := wait(t, q, enqueue(t, q, Spec{Kind: "after"})[0].ID); j.State != trawl.JobCompleted {
		t.Errorf("the next job is %s", j.State)
	}
}

func TestStoppingGivesJobsBackAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := New(Options{Store: s, Log: quiet(), Bulk: 1})
		started := make(chan struct{})
		q.Handle("long", Handler{Work: func(ctx context.Context, _ *trawl.Job) (any, error) {
			close(started)
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		stop := run(t, q)
		id := enqueue(t, q, Spec{Kind: "long"})[0].ID
		<-started
		stop()
		j, err := s.Job(t.Context(), id)
		if err != nil || j.State != trawl.JobQueued || j.Attempt != 0 || j.RunAt.After(time.Now()) {
			t.Errorf("job is %+v, %v, want queued, due, and no attempt charged", j, err)
		}
	})
}

func TestSlowWorkerCannotOverwriteItsSuccessor(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		now := time.Now()
		clock := func() time.Time { return now }
		slow, next := New(Options{Store: s, Log: quiet(), Now: clock}), New(Options{Store: s, Log: quiet(), Now: clock})
		ctx := t.Context()
		take := func(q *Queue) *trawl.Job {
			q.Handle("k", Handler{})
			jobs, err := q.claim(ctx, q.lanes[1], 1)
			if err != nil || len(jobs) != 1 {
				t.Fatalf("claim = %v, %v", jobs, err)
			}
			return jobs[0]
		}
		id := enqueue(t, slow, Spec{Kind: "k"})[0].ID
		first := take(slow)
		now = now.Add(slow.opt.Lease + time.Second)
		if err := next.rescue(ctx); err != nil {
			t.Fatal(err)
		}
		second := take(next)

		finish := func(q *Queue, j *trawl.Job, result string) error {
			return s.InTx(ctx, func(tx *store.Tx) error { return q.Finish(ctx, tx, j, result) })
		}
		if err := finish(slow, first, "from the slow one"); !errors.Is(err, ErrLost) {
			t.Errorf("Finish by the slow worker = %v, want ErrLost", err)
		}
		late := outcome{lease: &lease{job: first}, move: move{verb: complete, lease: first.Lease, result: json.RawMessage(`"late"`)}}
		if err := slow.record(ctx, []outcome{late}); err != nil {
			t.Fatal(err)
		}
		if j, _ := s.Job(ctx, id); j.State != trawl.JobRunning || j.Worker != next.worker {
			t.Errorf("the slow worker's answer made the job %s of %s", j.State, j.Worker)
		}
		if err := finish(next, second, "from its successor"); err != nil {
			t.Fatal(err)
		}
		if err := slow.record(ctx, []outcome{late}); err != nil {
			t.Fatal(err)
		}
		if j, _ := s.Job(ctx, id); j.State != trawl.JobCompleted || string(j.Result) != `"from its successor"` || j.Lost != 1 {
			t.Errorf("job is %s with %s after losing %d workers", j.State, j.Result, j.Lost)
		}
	})
}

func TestWorkerThatLostItsLeaseIsStopped(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := New(Options{Store: s, Log: quiet(), Bulk: 1, Lease: 300 * time.Millisecond})
		causes := make(chan error, 10)
		var runs atomic.Int64
		q.Handle("k", Handler{Work: func(ctx context.Context, j *trawl.Job) (any, error) {
			if runs.Add(1) > 1 {
				return "second", nil
			}
			// As if another process had taken it for dead.
			err := s.InTx(ctx, func(tx *store.Tx) error {
				rows, err := tx.LockJobs(ctx, j.ID)
				if err != nil {
					return err
				}
				if err := apply(rows[0], move{verb: lose}, time.Now()); err != nil {
					return err
				}
				return tx.UpdateJobs(ctx, rows...)
			})
			if err != nil {
				t.Error(err)
			}
			<-ctx.Done()
			causes <- context.Cause(ctx)
			return "first", nil
		}})
		run(t, q)
		id := enqueue(t, q, Spec{Kind: "k"})[0].ID
		if cause := <-causes; !errors.Is(cause, ErrLost) {
			t.Errorf("the handler was stopped because of %v, want ErrLost", cause)
		}
		if j := wait(t, q, id); string(j.Result) != `"second"` {
			t.Errorf("result is %s, want that of the second worker", j.Result)
		}
	})
}

func TestLeaseIsRenewedWhileTheHandlerWorks(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := New(Options{Store: s, Log: quiet(), Bulk: 1, Lease: 3 * time.Second})
		q.Handle("k", Handler{Work: func(ctx context.Context, j *trawl.Job) (any, error) {
			ticker := time.NewTicker(20 * time.Millisecond)
			defer ticker.Stop()
			for renewals, until := 0, j.LeaseUntil; renewals < 2; {
				select {
				case <-ctx.Done():
					return nil, context.Cause(ctx)
				case <-ticker.C:
				}
				row, err := s.Job(ctx, j.ID)
				if err != nil {
					return nil, err
				}
				if row.LeaseUntil.After(until) {
					renewals, until = renewals+1, row.LeaseUntil
				}
			}
			return nil, nil
		}})
		run(t, q)
		j := wait(t, q, enqueue(t, q, Spec{Kind: "k", MaxAttempts: 1})[0].ID)
		if j.State != trawl.JobCompleted {
			t.Errorf("job is %s with %+v, want it completed after two renewals", j.State, j.Failure)
		}
	})
}

func TestPickUpAndWaitDoNotPoll(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := New(Options{Store: s, Log: quiet(), Interactive: 1, Poll: time.Hour})
		q.Handle("k", Handler{Work: func(context.Context, *trawl.Job) (any, error) { return nil, nil }})
		run(t, q)
		began := time.Now()
		for range 20 {
			wait(t, q, enqueue(t, q, Spec{Kind: "k", Lane: trawl.LaneInteractive})[0].ID)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("20 jobs one after the other took %v", took)
		}
	})
}

func TestWaitInAnotherProcessHearsOfTheEnd(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := New(Options{Store: s, Log: quiet(), Interactive: 1, Poll: 20 * time.Millisecond})
		q.Handle("k", Handler{Work: func(context.Context, *trawl.Job) (any, error) { return 7, nil }})
		asking := New(Options{Store: s})
		run(t, q)
		run(t, asking)
		if j := wait(t, asking, enqueue(t, asking, Spec{Kind: "k", Lane: trawl.LaneInteractive})[0].ID); string(j.Result) != "7" {
			t.Errorf("result is %s, want 7", j.Result)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if _, err := asking.Wait(ctx, enqueue(t, asking, Spec{Kind: "nobody's"})[0].ID); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Wait = %v, want the end of its context", err)
		}
		if len(asking.waiters) != 0 {
			t.Errorf("%d waiters are left behind", len(asking.waiters))
		}
	})
}

func TestCountsByTeamLaneAndState(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := New(Options{Store: s})
		jobs := enqueue(t, q, Spec{TeamID: "a", Kind: "k"}, Spec{TeamID: "a", Kind: "k"}, Spec{TeamID: "b", Kind: "k", Lane: trawl.LaneInteractive})
		if err := cancelJob(t, q, jobs[0].ID); err != nil {
			t.Fatal(err)
		}
		all, err := s.JobCounts(t.Context(), "")
		if err != nil || len(all) != 3 {
			t.Fatalf("JobCounts = %v, %v", all, err)
		}
		one, err := s.JobCounts(t.Context(), "b")
		if err != nil || len(one) != 1 || one[0] != (store.JobCount{TeamID: "b", Lane: trawl.LaneInteractive, State: trawl.JobQueued, Jobs: 1}) {
			t.Errorf("JobCounts of b = %v, %v", one, err)
		}
	})
}
