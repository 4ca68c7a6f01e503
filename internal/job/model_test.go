package job

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

// Two workers, a clock and whoever cancels do as they please, in any order;
// the rows must always be what a simple model in memory says they are.
func TestQueueBehavesLikeItsModel(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		round := 0
		rapid.Check(t, func(rt *rapid.T) {
			round++
			m := newModel(t, rt, s, trawl.Lane(fmt.Sprint("round", round)))
			rt.Repeat(map[string]func(*rapid.T){
				"enqueue": m.enqueue,
				"claim":   m.claim,
				"end":     m.end,
				"cancel":  m.cancel,
				"wait":    m.passTime,
				"renew":   m.renew,
				"rescue":  m.rescue,
				"":        m.check,
			})
			m.endEverything(rt)
		})
	})
}

const modelLimit = 2 // jobs of a team at once

// model is what ought to be.
type model struct {
	t       *testing.T
	store   *store.Store
	now     time.Time
	lane    trawl.Lane
	workers []*Queue
	jobs    []*modelJob
	held    []modelLease // every lease ever given, so that old ones can be used again
}

type modelJob struct {
	id, team, unique string
	state            trawl.JobState
	worker           int // index of the one that holds it
	token            int64
	until, runAt     time.Time
	attempt, lost    int
	cancelling       bool
	result           string
	results          int // how often one was accepted
}

type modelLease struct {
	job    *modelJob
	worker int
	row    *trawl.Job
}

func newModel(t *testing.T, rt *rapid.T, s *store.Store, name trawl.Lane) *model {
	m := &model{t: t, store: s, now: time.UnixMilli(1_800_000_000_000).UTC(), lane: name}
	for range 2 {
		q := New(Options{Store: s, Log: quiet(), Now: func() time.Time { return m.now },
			TeamLimit: func(string, trawl.Lane) int { return modelLimit }})
		q.Handle("k", Handler{})
		q.lanes = []*lane{{name: name, wake: make(chan struct{}, 1)}} // rounds share a database but not a lane
		m.workers = append(m.workers, q)
	}
	return m
}

func (m *model) enqueue(rt *rapid.T) {
	team := rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "team")
	unique := rapid.SampledFrom([]string{"", "", "x"}).Draw(rt, "unique")
	delay := time.Duration(rapid.IntRange(0, 1).Draw(rt, "delay")) * 7 * time.Second
	if unique != "" {
		unique += string(m.lane)
	}
	job := enqueue(m.t, m.workers[0], Spec{TeamID: team, Kind: "k", Lane: m.lane, UniqueKey: unique, RunAt: m.now.Add(delay), MaxAttempts: 2})[0]
	for _, j := range m.jobs {
		if unique != "" && j.team == team && j.unique == unique && !j.state.Final() {
			if job.ID != j.id {
				rt.Fatalf("a second live job with key %s", unique)
			}
			return
		}
	}
	m.jobs = append(m.jobs, &modelJob{id: job.ID, team: team, unique: unique, state: trawl.JobQueued, runAt: m.now.Add(delay)})
}

func (m *model) claim(rt *rapid.T) {
	w := rapid.IntRange(0, 1).Draw(rt, "worker")
	free := rapid.IntRange(1, 4).Draw(rt, "free")
	due, running := map[string]int{}, map[string]int{}
	for _, j := range m.jobs {
		if j.state == trawl.JobRunning {
			running[j.team]++
		}
		if j.state == trawl.JobQueued && !j.runAt.After(m.now) {
			due[j.team]++
		}
	}
	possible := 0
	for team, n := range due {
		possible += min(n, modelLimit-running[team])
	}
	rows, err := m.workers[w].claim(m.t.Context(), m.workers[w].lanes[0], free)
	if err != nil {
		rt.Fatal(err)
	}
	if len(rows) != min(free, possible) {
		rt.Fatalf("claimed %d jobs with %d slots and %d possible", len(rows), free, possible)
	}
	for _, row := range rows {
		j := m.find(rt, row.ID)
		if j.state != trawl.JobQueued || j.runAt.After(m.now) {
			rt.Fatalf("claimed a job that is %s and due %v from now", j.state, j.runAt.Sub(m.now))
		}
		j.state, j.worker, j.until = trawl.JobRunning, w, m.now.Add(m.workers[w].opt.Lease)
		j.token++
		j.attempt++
		m.held = append(m.held, modelLease{job: j, worker: w, row: row})
	}
}

// end has a worker write down how it ended a lease it has, or once had.
func (m *model) end(rt *rapid.T) {
	if len(m.held) == 0 {
		rt.Skip("nothing was ever claimed")
	}
	h := rapid.SampledFrom(m.held).Draw(rt, "lease")
	v := rapid.SampledFrom([]verb{complete, fail, retry, snooze, release}).Draw(rt, "verb")
	mine := h.job.state == trawl.JobRunning && h.job.token == h.row.Lease
	result := fmt.Sprintf(`"%s %d"`, h.row.ID, h.row.Lease)
	step := move{verb: v, lease: h.row.Lease}
	switch v {
	case complete:
		step.result = []byte(result)
	case fail, retry:
		step.failure = &trawl.Failure{Message: "no"}
	case snooze:
		step.at = m.now.Add(5 * time.Second)
	}
	inOwnTx := v == complete && rapid.Bool().Draw(rt, "in its own transaction")
	if err := m.write(h, step, inOwnTx); (err != nil) != (inOwnTx && !mine) || (err != nil && !errors.Is(err, ErrLost)) {
		rt.Fatalf("%s by the holder = %v: %v", v, mine, err)
	}
	if mine {
		h.job.leave(v, step, result, m.now)
	}
}

func (m *model) write(h modelLease, step move, inOwnTx bool) error {
	q, ctx := m.workers[h.worker], m.t.Context()
	if !inOwnTx {
		return q.record(ctx, []outcome{{lease: &lease{job: h.row}, move: step}})
	}
	return m.store.InTx(ctx, func(tx *store.Tx) error { return q.Finish(ctx, tx, h.row, step.result) })
}

func (j *modelJob) leave(v verb, step move, result string, now time.Time) {
	if v == complete {
		j.result = result
		j.results++
	}
	switch {
	case j.cancelling:
		j.state = trawl.JobCancelled
	case v == complete:
		j.state = trawl.JobCompleted
	case v == fail:
		j.state = trawl.JobFailed
	default:
		j.state, j.runAt = trawl.JobQueued, now
		if v == snooze {
			j.runAt = step.at
		}
		if v != retry {
			j.attempt--
		}
	}
}

func (m *model) cancel(rt *rapid.T) {
	if len(m.jobs) == 0 {
		rt.Skip("no jobs")
	}
	j := rapid.SampledFrom(m.jobs).Draw(rt, "job")
	err := cancelJob(m.t, m.workers[0], j.id)
	if j.state.Final() != errors.Is(err, ErrFinished) || (err != nil && !j.state.Final()) {
		rt.Fatalf("cancelling a job that is %s = %v", j.state, err)
	}
	switch j.state {
	case trawl.JobQueued:
		j.state = trawl.JobCancelled
	case trawl.JobRunning:
		j.cancelling = true
	}
}

func (m *model) passTime(rt *rapid.T) {
	m.now = m.now.Add(time.Duration(rapid.IntRange(1, 10).Draw(rt, "seconds")) * time.Second)
}

func (m *model) renew(rt *rapid.T) {
	w := rapid.IntRange(0, 1).Draw(rt, "worker")
	q := m.workers[w]
	q.held = map[string]*lease{}
	stopped := map[string]bool{}
	for _, h := range m.held { // later leases of a job replace earlier ones
		if h.worker == w {
			q.held[h.row.ID] = &lease{job: h.row, cancel: func(error) { stopped[h.row.ID] = true }}
		}
	}
	if err := q.renew(m.t.Context()); err != nil {
		rt.Fatal(err)
	}
	for id, l := range q.held {
		j := m.find(rt, id)
		mine := j.state == trawl.JobRunning && j.worker == w && j.token == l.job.Lease
		if stopped[id] == mine {
			rt.Fatalf("held = %v, yet stopped = %v", mine, stopped[id])
		}
		if mine {
			j.until = m.now.Add(q.opt.Lease)
		}
	}
}

func (m *model) rescue(rt *rapid.T) {
	w := rapid.IntRange(0, 1).Draw(rt, "worker")
	if err := m.workers[w].rescue(m.t.Context()); err != nil {
		rt.Fatal(err)
	}
	for _, j := range m.jobs {
		if j.state == trawl.JobRunning && j.until.Before(m.now) {
			j.lost++
			j.leave(lose, move{}, "", m.now)
		}
	}
}

// check compares every row with the model.
func (m *model) check(rt *rapid.T) {
	running := map[string]int{}
	for _, j := range m.jobs {
		row, err := m.store.Job(m.t.Context(), j.id)
		if err != nil {
			rt.Fatal(err)
		}
		want := fmt.Sprint(j.state, j.attempt, j.lost, j.token, j.result, j.cancelling && j.state == trawl.JobRunning, j.runAt)
		got := fmt.Sprint(row.State, row.Attempt, row.Lost, row.Lease, string(row.Result), row.Cancelling, row.RunAt)
		if got != want {
			rt.Fatalf("row is\n%s, the model says\n%s", got, want)
		}
		if j.state == trawl.JobRunning {
			running[j.team]++
			if !row.LeaseUntil.Equal(j.until) || row.Worker != m.workers[j.worker].worker {
				rt.Fatalf("lease is until %v, the model says %v", row.LeaseUntil, j.until)
			}
		}
		if j.results > 1 || running[j.team] > modelLimit {
			rt.Fatalf("%d results, %d jobs of a team at once", j.results, running[j.team])
		}
	}
}

func (m *model) find(rt *rapid.T, id string) *modelJob {
	for _, j := range m.jobs {
		if j.id == id {
			return j
		}
	}
	rt.Fatalf("job %s is none of ours", id)
	return nil
}

// endEverything leaves nothing alive that the next round's rescue could meet.
func (m *model) endEverything(rt *rapid.T) {
	m.now = m.now.Add(time.Hour)
	m.rescueAll(rt)
	for _, j := range m.jobs {
		if !j.state.Final() {
			if err := cancelJob(m.t, m.workers[0], j.id); err != nil {
				rt.Fatal(err)
			}
		}
	}
}

func (m *model) rescueAll(rt *rapid.T) {
	if err := m.workers[0].rescue(m.t.Context()); err != nil {
		rt.Fatal(err)
	}
	for _, j := range m.jobs {
		if j.state == trawl.JobRunning {
			j.lost++
			j.leave(lose, move{}, "", m.now)
		}
	}
}
