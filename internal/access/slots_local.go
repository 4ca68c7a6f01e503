package access

import (
	"context"
	"sync"
)

// localSlots keeps the slots of one process; who waits longest is served first.
type localSlots struct {
	mu    sync.Mutex
	teams map[string]*teamSlots
}

type teamSlots struct {
	busy    int
	waiting []*slotWaiter
}

type slotWaiter struct {
	limit int
	ready chan struct{}
}

func newLocalSlots() *localSlots { return &localSlots{teams: map[string]*teamSlots{}} }

func (l *localSlots) acquire(ctx context.Context, team string, limit int) (func(), bool, error) {
	l.mu.Lock()
	t := l.teams[team]
	if t == nil {
		t = &teamSlots{}
		l.teams[team] = t
	}
	if len(t.waiting) == 0 && t.busy < limit {
		t.busy++
		l.mu.Unlock()
		return sync.OnceFunc(func() { l.release(team) }), true, nil
	}
	w := &slotWaiter{limit: limit, ready: make(chan struct{})}
	t.waiting = append(t.waiting, w)
	l.mu.Unlock()
	select {
	case <-w.ready:
		return sync.OnceFunc(func() { l.release(team) }), false, nil
	case <-ctx.Done():
		l.abandon(team, w)
		return nil, false, ctx.Err()
	}
}

// abandon takes a waiter out of the line; a slot it was given in the meantime goes on to the next.
func (l *localSlots) abandon(team string, w *slotWaiter) {
	l.mu.Lock()
	t := l.teams[team]
	for i, other := range t.waiting {
		if other == w {
			t.waiting = append(t.waiting[:i], t.waiting[i+1:]...)
			l.mu.Unlock()
			return
		}
	}
	l.mu.Unlock()
	l.release(team)
}

func (l *localSlots) release(team string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.teams[team]
	t.busy--
	for len(t.waiting) > 0 && t.busy < t.waiting[0].limit {
		t.busy++
		close(t.waiting[0].ready)
		t.waiting = t.waiting[1:]
	}
	if t.busy == 0 && len(t.waiting) == 0 {
		delete(l.teams, team)
	}
}

func (l *localSlots) busy(_ context.Context, team string) (int, int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t := l.teams[team]; t != nil {
		return t.busy, len(t.waiting), nil
	}
	return 0, 0, nil
}
