package access

import (
	"context"
	"fmt"
	"log/slog"
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

	mu      sync.Mutex
	writing sync.Mutex
	open    pages
}

// pages are the entries not yet written.
type pages struct {
	spent      map[spentKey]int64
	back       []giveBack
	activities []store.Activity
	touched    map[string]time.Time
}

type spentKey struct {
	team, key string
	day       time.Time
}

type giveBack struct {
	meters  []store.Meter
	credits int64
}

func newLedger(s *store.Store, log *slog.Logger, now func() time.Time) *ledger {
	return &ledger{store: s, log: log, now: now, open: emptyPages()}
}

func emptyPages() pages {
	return pages{spent: map[spentKey]int64{}, touched: map[string]time.Time{}}
}

func (l *ledger) spend(s store.Spent) {
	if s.Credits == 0 {
		return
	}
	day, _ := interval("day", s.Day)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open.spent[spentKey{s.TeamID, s.KeyID, day}] += s.Credits
}

func (l *ledger) giveBack(meters []store.Meter, credits int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open.back = append(l.open.back, giveBack{meters, credits})
}

func (l *ledger) note(a store.Activity) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.open.activities) >= maxActivities {
		l.open.activities = l.open.activities[1:]
	}
	l.open.activities = append(l.open.activities, a)
}

func (l *ledger) touch(key string, at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open.touched[key] = at
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
	l.mu.Lock()
	batch := l.open
	l.open = emptyPages()
	l.mu.Unlock()
	if len(batch.spent)+len(batch.back)+len(batch.activities)+len(batch.touched) == 0 {
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
	for _, b := range p.back {
		if err := tx.Give(ctx, b.meters, b.credits); err != nil {
			return err
		}
	}
	for _, a := range p.activities {
		if err := tx.InsertActivity(ctx, a); err != nil {
			return err
		}
	}
	return tx.TouchKeys(ctx, p.touched)
}

func (l *ledger) takeBack(batch pages) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, credits := range batch.spent {
		l.open.spent[key] += credits
	}
	l.open.back = append(batch.back, l.open.back...)
	l.open.activities = append(batch.activities, l.open.activities...)
	if over := len(l.open.activities) - maxActivities; over > 0 {
		l.open.activities = l.open.activities[over:]
	}
	for key, at := range batch.touched {
		if l.open.touched[key].Before(at) {
			l.open.touched[key] = at
		}
	}
}
