package access

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/trawlhq/trawl/internal/store"
)

// How often the ledger is written, and how much it holds when it cannot be.
const (
	writeEvery    = 200 * time.Millisecond
	maxActivities = 50_000 // older ones are dropped first; what was spent is never dropped
)

// ledger gathers what requests leave behind (credits spent, activity, keys
// used) and writes it in one transaction every moment: a write per request
// would cost more than most requests do.
type ledger struct {
	store *store.Store
	log   *slog.Logger
	now   func() time.Time

	writing sync.Mutex
	shards  [ledgerShards]shard
}

// ledgerShards is in how many parts entries are gathered, so that requests
// rarely wait for each other.
const ledgerShards = 8

type shard struct {
	mu   sync.Mutex
	open pages
}

// pages are the entries not yet written.
type pages struct {
	spent      map[spentKey]int64
	activities []store.Activity
	touched    map[string]time.Time
}

type spentKey struct {
	team, key string
	day       time.Time
}

func newLedger(s *store.Store, log *slog.Logger, now func() time.Time) *ledger {
	l := &ledger{store: s, log: log, now: now}
	for i := range l.shards {
		l.shards[i].open = emptyPages()
	}
	return l
}

// enter has an entry made in one of the parts.
func (l *ledger) enter(entry func(p *pages)) {
	s := &l.shards[rand.IntN(ledgerShards)]
	s.mu.Lock()
	defer s.mu.Unlock()
	entry(&s.open)
}

func emptyPages() pages {
	return pages{spent: map[spentKey]int64{}, touched: map[string]time.Time{}}
}

func (l *ledger) spend(s store.Spent) {
	if s.Credits == 0 {
		return
	}
	day, _ := interval("day", s.Day)
	l.enter(func(p *pages) { p.spent[spentKey{s.TeamID, s.KeyID, day}] += s.Credits })
}

func (l *ledger) note(a store.Activity) {
	l.enter(func(p *pages) {
		if len(p.activities) >= maxActivities/ledgerShards {
			p.activities = p.activities[1:]
		}
		p.activities = append(p.activities, a)
	})
}

func (l *ledger) touch(key string, at time.Time) {
	l.enter(func(p *pages) { p.touched[key] = at })
}

// run writes until ctx ends, and then once more.
func (l *ledger) run(ctx context.Context) error {
	tick := time.NewTicker(writeEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := l.flush(ctx); err != nil && ctx.Err() == nil {
				l.log.WarnContext(ctx, "usage not written, trying again", "err", err)
			}
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			return l.flush(last)
		}
	}
}

// flush writes everything; what could not be written is taken back for the next time.
func (l *ledger) flush(ctx context.Context) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	batch := l.takeAll()
	if len(batch.spent)+len(batch.activities)+len(batch.touched) == 0 {
		return nil
	}
	err := l.store.InTx(ctx, func(tx *store.Tx) error { return batch.write(ctx, tx) })
	if err != nil {
		l.takeBack(batch)
		return fmt.Errorf("write usage: %w", err)
	}
	return nil
}

func (p pages) write(ctx context.Context, tx *store.Tx) error {
	for key, credits := range p.spent {
		if err := tx.AddUsage(ctx, store.Spent{TeamID: key.team, KeyID: key.key, Day: key.day, Credits: credits}); err != nil {
			return err
		}
	}
	if err := tx.InsertActivities(ctx, p.activities); err != nil {
		return err
	}
	return tx.TouchKeys(ctx, p.touched)
}

// takeAll empties all parts into one.
func (l *ledger) takeAll() pages {
	all := emptyPages()
	for i := range l.shards {
		s := &l.shards[i]
		s.mu.Lock()
		part := s.open
		s.open = emptyPages()
		s.mu.Unlock()
		all.add(part)
	}
	return all
}

// takeBack puts a batch that could not be written into the first part.
func (l *ledger) takeBack(batch pages) {
	s := &l.shards[0]
	s.mu.Lock()
	defer s.mu.Unlock()
	batch.add(s.open)
	s.open = batch
	if over := len(s.open.activities) - maxActivities; over > 0 {
		s.open.activities = s.open.activities[over:]
	}
}

// add takes the entries of other pages over.
func (p *pages) add(other pages) {
	for key, credits := range other.spent {
		p.spent[key] += credits
	}
	p.activities = append(p.activities, other.activities...)
	for key, at := range other.touched {
		if p.touched[key].Before(at) {
			p.touched[key] = at
		}
	}
}
