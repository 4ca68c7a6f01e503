package store

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Group writes small changes of many requests together. A transaction costs a
// wait for the disk; a hundred changes in one cost the same wait once.
//
// A change handed over with Later is written within moments, and survives
// everything but the death of the process in these moments. While the database
// cannot be written, changes wait and Failing says why: callers refuse new work
// instead of piling it up.
type Group struct {
	store *Store
	log   *slog.Logger
	queue chan change

	mu      sync.Mutex
	failing error
}

// change is one thing to be written: whatever fn does, or a finished scrape.
// Scrapes come by the thousand, so those of one transaction share a statement.
type change struct {
	fn     func(ctx context.Context, tx *Tx) error
	scrape *Scrape
}

// The shape of a group.
const (
	groupQueue = 8192                  // changes that may wait
	groupBatch = 4096                  // changes in one transaction: the slower the disk, the more each wait for it carries
	groupPause = 10 * time.Millisecond // how long the first change waits for company
	groupRetry = time.Second           // how soon a failed batch is tried again
)

// NewGroup makes a group; Run must be running for anything to be written.
func NewGroup(s *Store, log *slog.Logger) *Group {
	return &Group{store: s, log: log, queue: make(chan change, groupQueue)}
}

// Later has fn run in one of the next transactions. fn may be run again when a
// transaction fails, so it must change nothing but the database.
func (g *Group) Later(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	return g.enqueue(ctx, change{fn: fn})
}

// ScrapeLater has a finished scrape recorded in one of the next transactions,
// after what fn does in the same one.
func (g *Group) ScrapeLater(ctx context.Context, row Scrape, fn func(ctx context.Context, tx *Tx) error) error {
	return g.enqueue(ctx, change{fn: fn, scrape: &row})
}

func (g *Group) enqueue(ctx context.Context, c change) error {
	select {
	case g.queue <- c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Failing tells why nothing can be written at the moment; nil: it can.
func (g *Group) Failing() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.failing
}

func (g *Group) setFailing(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.failing = err
}

// Run writes until ctx ends, and then what is left.
func (g *Group) Run(ctx context.Context) error {
	for {
		select {
		case first := <-g.queue:
			pause(ctx, groupPause)
			g.write(ctx, g.gather(first))
		case <-ctx.Done():
			return g.drain(ctx)
		}
	}
}

// drain writes what is left when the process stops.
func (g *Group) drain(ctx context.Context) error {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	for {
		select {
		case first := <-g.queue:
			if err := g.commit(last, g.gather(first)); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

func (g *Group) gather(first change) []change {
	batch := []change{first}
	for len(batch) < groupBatch {
		select {
		case c := <-g.queue:
			batch = append(batch, c)
		default:
			return batch
		}
	}
	return batch
}

// write commits a batch, however long the database takes to come back.
func (g *Group) write(ctx context.Context, batch []change) {
	for {
		err := g.commit(context.WithoutCancel(ctx), batch)
		if err == nil || !Unavailable(err) {
			g.setFailing(nil)
			return
		}
		if g.Failing() == nil {
			g.log.Error("database cannot be written, holding back", "changes", len(batch), "err", err)
		}
		g.setFailing(err)
		pause(ctx, groupRetry)
		if ctx.Err() != nil {
			return // stopping with a dead database: these changes are lost, and the log says so
		}
	}
}

// commit writes a batch in one transaction. A change that the database refuses
// for what it is must not take the others with it, so then each gets its own.
func (g *Group) commit(ctx context.Context, batch []change) error {
	err := g.store.InTx(ctx, func(tx *Tx) error { return tx.carryOut(ctx, batch) })
	if err == nil || Unavailable(err) || len(batch) == 1 {
		if err != nil && !Unavailable(err) {
			g.log.Error("change not written", "err", err)
		}
		return err
	}
	for _, c := range batch {
		if err := g.commit(ctx, []change{c}); Unavailable(err) {
			return err
		}
	}
	return nil
}

func (tx *Tx) carryOut(ctx context.Context, batch []change) error {
	var scrapes []Scrape
	for _, c := range batch {
		if c.fn != nil {
			if err := c.fn(ctx, tx); err != nil {
				return err
			}
		}
		if c.scrape != nil {
			scrapes = append(scrapes, *c.scrape)
		}
	}
	return tx.InsertScrapes(ctx, scrapes...)
}

// pause waits, or returns early when ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
