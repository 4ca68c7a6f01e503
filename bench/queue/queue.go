// Package queue measures how many empty jobs a second pass through the queue,
// from the transaction that enqueues them to the one that writes their end.
package queue

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/job"
	"github.com/trawlhq/trawl/internal/store"
)

// postgresVariable has the address of a database to measure on, as
// scripts/with-postgres sets it.
const postgresVariable = "TRAWL_TEST_POSTGRES"

// Suites returns the measurements of the queue.
func Suites() []suite.Suite {
	return []suite.Suite{{Name: "queue", Run: run}}
}

func run(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	dir, err := os.MkdirTemp("", "trawl-bench-queue-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	results, err := measure(ctx, env, store.Options{DataDir: dir})
	if err != nil {
		return nil, fmt.Errorf("measure queue on SQLite: %w", err)
	}
	address := os.Getenv(postgresVariable)
	if address == "" {
		results[0].Note += "; PostgreSQL not measured: run through scripts/with-postgres"
		return results, nil
	}
	opt, drop, err := freshSchema(ctx, address)
	if err != nil {
		return nil, err
	}
	more, err := measure(ctx, env, opt)
	if err := errors.Join(err, drop()); err != nil {
		return nil, fmt.Errorf("measure queue on PostgreSQL: %w", err)
	}
	return append(results, more...), nil
}

// The measurements are made with as many workers and teams as a busy single machine has.
const (
	slots   = 64
	teams   = 20
	callers = 16
)

func measure(ctx context.Context, env suite.Env, opt store.Options) ([]suite.Result, error) {
	s, err := store.Open(ctx, opt)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	bulk, single, trips := 20_000, 4_000, 200
	if env.Quick {
		bulk, single, trips = 4_000, 800, 40
	}
	b := newBench(s)
	stop := b.start(ctx)
	defer stop()

	name := "queue." + s.Database()
	inBulk, err := b.rate(ctx, bulk, 100)
	if err != nil {
		return nil, err
	}
	oneByOne, err := b.rate(ctx, single, 1)
	if err != nil {
		return nil, err
	}
	trip, err := b.roundTrip(ctx, trips)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(env.Log, "%s: %.0f jobs/s in hundreds, %.0f one by one, %v there and back\n", name, inBulk, oneByOne, trip)
	return []suite.Result{
		{Name: name + ".bulk", Value: inBulk, Unit: "jobs/s", Note: fmt.Sprintf("enqueued in hundreds, %d teams, %d workers", teams, slots)},
		{Name: name + ".single", Value: oneByOne, Unit: "jobs/s", Note: fmt.Sprintf("a transaction per job, %d callers", callers)},
		{Name: name + ".trip", Value: float64(trip.Microseconds()) / 1000, Unit: "ms", Lower: true, Note: "enqueue, work, answer; median, idle queue"},
	}, nil
}

// bench is a queue whose handler only counts.
type bench struct {
	store *store.Store
	queue *job.Queue
	calls atomic.Int64
}

func newBench(s *store.Store) *bench {
	b := &bench{store: s}
	b.queue = job.New(job.Options{Store: s, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Interactive: slots, Bulk: slots})
	b.queue.Handle("empty", job.Handler{Work: func(context.Context, *trawl.Job) (any, error) {
		b.calls.Add(1)
		return nil, nil
	}})
	return b
}

func (b *bench) start(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() { _ = b.queue.Run(ctx) }) // returns nothing else
	return func() { cancel(); wg.Wait() }
}

// rate enqueues n jobs in batches from several callers and waits until all are completed.
func (b *bench) rate(ctx context.Context, n, batch int) (float64, error) {
	before, err := b.completed(ctx)
	if err != nil {
		return 0, err
	}
	called, began := b.calls.Load(), time.Now()
	errs := make([]error, callers)
	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() {
			for i := c * batch; i < n && errs[c] == nil; i += callers * batch {
				_, errs[c] = b.enqueue(ctx, trawl.LaneBulk, i, min(batch, n-i))
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return 0, err
	}
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for done := before; done < before+int64(n); { // counting rows is slow: first all handlers must have been called
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-ticker.C:
		}
		if b.calls.Load()-called < int64(n) {
			continue
		}
		if done, err = b.completed(ctx); err != nil {
			return 0, err
		}
	}
	return float64(n) / time.Since(began).Seconds(), nil
}

func (b *bench) enqueue(ctx context.Context, lane trawl.Lane, first, n int) (jobs []*trawl.Job, err error) {
	specs := make([]job.Spec, n)
	for i := range specs {
		specs[i] = job.Spec{TeamID: fmt.Sprint("team", (first+i)%teams), Kind: "empty", Lane: lane}
	}
	err = b.store.InTx(ctx, func(tx *store.Tx) error {
		jobs, err = b.queue.Enqueue(ctx, tx, specs...)
		return err
	})
	return jobs, err
}

func (b *bench) completed(ctx context.Context) (n int64, err error) {
	counts, err := b.store.JobCounts(ctx, "")
	for _, c := range counts {
		if c.State == trawl.JobCompleted {
			n += c.Jobs
		}
	}
	return n, err
}

// roundTrip is the median time from asking to the answer when nothing else is going on.
func (b *bench) roundTrip(ctx context.Context, n int) (time.Duration, error) {
	took := make([]time.Duration, n)
	for i := range took {
		began := time.Now()
		jobs, err := b.enqueue(ctx, trawl.LaneInteractive, i, 1)
		if err != nil {
			return 0, err
		}
		if _, err := b.queue.Wait(ctx, jobs[0].ID); err != nil {
			return 0, err
		}
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	return took[n/2], nil
}

// freshSchema makes an empty place in the database and returns how to remove it.
func freshSchema(ctx context.Context, address string) (store.Options, func() error, error) {
	u, err := url.Parse(address)
	if err != nil {
		return store.Options{}, nil, fmt.Errorf("read %s: %w", postgresVariable, err)
	}
	db, err := sql.Open("pgx", address)
	if err != nil {
		return store.Options{}, nil, err
	}
	schema := "bench_" + strings.ToLower(rand.Text())
	if _, err := db.ExecContext(ctx, "CREATE SCHEMA "+schema); err != nil {
		return store.Options{}, nil, errors.Join(err, db.Close())
	}
	q := u.Query()
	q.Set("search_path", schema)
	u.RawQuery = q.Encode()
	drop := func() error {
		_, err := db.ExecContext(context.WithoutCancel(ctx), "DROP SCHEMA "+schema+" CASCADE")
		return errors.Join(err, db.Close())
	}
	return store.Options{DatabaseURL: u.String()}, drop, nil
}
