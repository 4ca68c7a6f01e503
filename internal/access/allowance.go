package access

import (
	"context"
	"sync"

	"github.com/trawlhq/trawl/internal/store"
)

// allowance is credits this process has taken from the meters but not given to
// a request yet. A transaction per request would cost more than most requests
// do; so a meter is asked for some more than is needed, the fewer the closer it
// is to its limit, and the rest is handed out from here. What was taken counts
// as used, so all processes together never give out more than the limit; a
// process that dies takes what it held with it.
type allowance struct {
	store  *store.Store
	mu     sync.Mutex
	refill sync.Mutex // one goes to the store, the others wait for what it brings
	held   map[string]*holding
}

type holding struct {
	meter store.Meter
	left  int64
}

// mostAhead bounds what is taken ahead of need from one meter.
const mostAhead = 1000

func newAllowance(s *store.Store) *allowance {
	return &allowance{store: s, held: map[string]*holding{}}
}

// take takes n from all meters, or tells which one is at its limit.
func (a *allowance) take(ctx context.Context, meters []store.Meter, n int64) (full *store.Meter, err error) {
	if a.fromHeld(meters, n) {
		return nil, nil
	}
	a.refill.Lock()
	defer a.refill.Unlock()
	if a.fromHeld(meters, n) {
		return nil, nil
	}
	granted, full, err := a.store.TakeAhead(ctx, meters, n, mostAhead)
	if err != nil || full != nil {
		return full, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, m := range meters {
		a.of(m).left += granted[i] - n
	}
	return nil, nil
}

// fromHeld takes n from what is held of every meter, if there is enough of each.
func (a *allowance) fromHeld(meters []store.Meter, n int64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, m := range meters {
		if a.of(m).left < n {
			return false
		}
	}
	for _, m := range meters {
		a.of(m).left -= n
	}
	return true
}

// give puts back what a request did not use.
func (a *allowance) give(meters []store.Meter, n int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, m := range meters {
		a.of(m).left += n
	}
}

// leftOf tells how much of a meter is held here.
func (a *allowance) leftOf(m store.Meter) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.of(m).left
}

// returnAll gives everything back to the store: the process is stopping.
func (a *allowance) returnAll(ctx context.Context) error {
	a.mu.Lock()
	held := a.held
	a.held = map[string]*holding{}
	a.mu.Unlock()
	for _, h := range held {
		if h.left == 0 {
			continue
		}
		if err := a.store.Give(ctx, []store.Meter{h.meter}, h.left); err != nil {
			return err
		}
	}
	return nil
}

// of gives what is held of a meter. Windows that have ended are forgotten on the way.
func (a *allowance) of(m store.Meter) *holding {
	key := m.ID()
	h, ok := a.held[key]
	if !ok {
		for other, old := range a.held {
			if old.meter.Name == m.Name && old.meter.Starts.Before(m.Starts) {
				delete(a.held, other)
			}
		}
		h = &holding{meter: m}
		a.held[key] = h
	}
	return h
}
