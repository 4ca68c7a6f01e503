package access

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl/internal/store"
)

// The lease of a shared slot: a process that dies holds its slots no longer than this.
const (
	slotLease = 60 * time.Second
	slotBeat  = slotLease / 3
)

// sharedSlots keeps the slots in the database that all processes share.
type sharedSlots struct {
	store   *store.Store
	now     func() time.Time
	log     *slog.Logger
	mu      sync.Mutex
	waiting map[string]int
}

func (s *sharedSlots) acquire(ctx context.Context, team string, limit int) (func(), bool, error) {
	id := uuid.NewString()
	for attempt := 0; ; attempt++ {
		now := s.now()
		ok, err := s.store.TakeSlot(ctx, team, id, limit, now, now.Add(slotLease))
		if err != nil {
			return nil, false, err
		}
		if ok {
			return s.hold(id), attempt == 0, nil
		}
		if err := s.pause(ctx, team, attempt); err != nil {
			return nil, false, err
		}
	}
}

// pause waits a little longer after each attempt, and never in step with others.
func (s *sharedSlots) pause(ctx context.Context, team string, attempt int) error {
	s.count(team, 1)
	defer s.count(team, -1)
	most := min(10<<min(attempt, 4), 100)
	timer := time.NewTimer(time.Duration(most/2+rand.IntN(most/2+1)) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *sharedSlots) count(team string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting == nil {
		s.waiting = map[string]int{}
	}
	s.waiting[team] += n
	if s.waiting[team] == 0 {
		delete(s.waiting, team)
	}
}

// hold keeps the lease alive until the slot is released.
func (s *sharedSlots) hold(id string) func() {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(slotBeat)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if err := s.store.KeepSlot(ctx, id, s.now().Add(slotLease)); err != nil && ctx.Err() == nil {
					s.log.Warn("slot not renewed", "slot", id, "err", err)
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return sync.OnceFunc(func() {
		stop()
		<-done
		freeing, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := s.store.GiveSlot(freeing, id); err != nil {
			s.log.Warn("slot not freed, its lease will run out", "slot", id, "err", err)
		}
	})
}

func (s *sharedSlots) busy(ctx context.Context, team string) (int, int, error) {
	busy, err := s.store.BusySlots(ctx, team, s.now())
	s.mu.Lock()
	defer s.mu.Unlock()
	return busy, s.waiting[team], err
}
