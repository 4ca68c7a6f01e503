// Package job is durable work: it outlives the process that asked for it and
// the one that was doing it.
//
// A job is a row. A worker leases it, renews the lease while it works, and
// writes the outcome under the lease's token; a worker that vanishes stops
// renewing, and another takes the job over. The token grows with each lease,
// so one that was only slow cannot overwrite its successor. The states and
// their moves are in state.go; how a lane's next jobs are chosen is in claim.go.
//
// Work is done at least once and has exactly one result. A handler whose
// effects must not happen twice either makes them in the transaction in which
// it calls Finish, or makes them repeatable.
package job

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// Options say where the jobs are and how many are worked on here.
type Options struct {
	Store       *store.Store
	Log         *slog.Logger  // nil: slog.Default()
	Interactive int           // jobs of that lane worked on at once; 0: this process takes none
	Bulk        int           // the same for the bulk lane
	Lease       time.Duration // how long a vanished worker's jobs stay untouched; 0: 15 s
	Poll        time.Duration // how often to look for what nobody told us; 0: 500 ms

	// TeamLimit is the most jobs of a team that may run at once in a lane, in
	// all processes together; 0: no limit. It must not use the store: it is
	// asked in the middle of a transaction. Nil: no limits.
	TeamLimit func(teamID string, lane trawl.Lane) int

	// NextRun tells when a schedule with a Spec comes next after a moment.
	// Nil: such schedules are paused.
	NextRun func(s *trawl.Schedule, after time.Time) (time.Time, error)

	Now func() time.Time // nil: time.Now
}

// Queue takes jobs in and works on those it has handlers for.
type Queue struct {
	opt      Options
	log      *slog.Logger
	worker   string // names this process in the leases it holds
	handlers map[string]Handler
	lanes    []*lane
	outcomes chan outcome

	mu      sync.Mutex
	held    map[string]*lease          // by job id: what runs here
	waiters map[string][]chan struct{} // by job id: who waits for its end
}

// lane is one line of waiting jobs as this process sees it.
type lane struct {
	name  trawl.Lane
	slots int           // jobs worked on at once; 0: none
	wake  chan struct{} // holds one token: look again
	busy  int           // guarded by Queue.mu
	turn  string        // the team served last; only its dispatcher reads and writes it
}

// New returns a queue. It works on nothing until Run.
func New(opt Options) *Queue {
	if opt.Log == nil {
		opt.Log = slog.Default()
	}
	if opt.Lease <= 0 {
		opt.Lease = 15 * time.Second
	}
	if opt.Poll <= 0 {
		opt.Poll = 500 * time.Millisecond
	}
	if opt.TeamLimit == nil {
		opt.TeamLimit = func(string, trawl.Lane) int { return 0 }
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	q := &Queue{
		opt:      opt,
		log:      opt.Log,
		worker:   uuid.NewString(),
		handlers: map[string]Handler{},
		outcomes: make(chan outcome, opt.Interactive+opt.Bulk),
		held:     map[string]*lease{},
		waiters:  map[string][]chan struct{}{},
	}
	q.lanes = []*lane{
		{name: trawl.LaneInteractive, slots: opt.Interactive, wake: make(chan struct{}, 1)},
		{name: trawl.LaneBulk, slots: opt.Bulk, wake: make(chan struct{}, 1)},
	}
	return q
}

// Handler works on the jobs of one kind.
type Handler struct {
	// Work does the job. Its result becomes the job's, as JSON; nil: none. An
	// error means another attempt, unless it is Permanent, a Snooze, or the
	// attempts are used up. When ctx ends, Work must return soon:
	// context.Cause says why (ErrCancelled, ErrLost, ErrStopping).
	Work func(ctx context.Context, j *trawl.Job) (result any, err error)

	Timeout time.Duration                   // for one attempt; 0: none
	Backoff func(attempt int) time.Duration // wait before the next attempt; nil: Backoff
}

// Handle says who works on the jobs of a kind. All calls come before Run.
func (q *Queue) Handle(kind string, h Handler) {
	if h.Backoff == nil {
		h.Backoff = Backoff
	}
	q.handlers[kind] = h
}

// Run works on jobs until ctx ends. Then it stops the handlers, gives their
// jobs back to the queue and returns.
func (q *Queue) Run(ctx context.Context) error {
	var dispatchers, helpers sync.WaitGroup
	helping, stopHelping := context.WithCancel(context.WithoutCancel(ctx))
	defer stopHelping()
	helpers.Go(func() { q.finish(helping) })
	helpers.Go(func() { q.every(helping, q.opt.Lease/3, q.renew) })
	helpers.Go(func() { q.every(helping, q.opt.Poll, q.noticeCancelled) })
	helpers.Go(func() { q.opt.Store.Listen(helping, q.heard) })

	for _, l := range q.lanes {
		if l.slots > 0 {
			dispatchers.Go(func() { q.dispatch(ctx, l) })
		}
	}
	if len(q.handlers) > 0 {
		dispatchers.Go(func() { q.every(ctx, q.opt.Lease/3, q.rescue) })
		dispatchers.Go(func() { q.every(ctx, q.opt.Poll, q.startScheduled) })
	}
	<-ctx.Done()
	dispatchers.Wait()
	q.drain()
	stopHelping()
	helpers.Wait()
	return nil
}

// stepTime bounds what the queue does at once with the database. It is shorter
// than a lease, so that a worker cut off from the database stops in time.
const stepTime = 10 * time.Second

// every calls fn now and then, until ctx ends. What fails is tried again next time.
func (q *Queue) every(ctx context.Context, pause time.Duration, fn func(ctx context.Context) error) {
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		step, cancel := context.WithTimeout(ctx, stepTime)
		if err := fn(step); err != nil && ctx.Err() == nil {
			q.log.Warn("queue upkeep failed", "error", err)
		}
		cancel()
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
