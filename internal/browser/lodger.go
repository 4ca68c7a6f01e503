package browser

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// lodger is a browser in use by the pool, and how worn it is.
type lodger struct {
	*chromium
	seat   *seat
	memory atomic.Int64 // bytes of its processes, as last measured
	heavy  atomic.Bool  // a page of it was ended for its memory

	mu      sync.Mutex
	busy    int
	pages   int
	used    time.Time // when a render last began or ended
	retired bool
	closed  bool
	ahead   chan *tab // will bring a tab opened for the next render; nil: none is
}

func (b *lodger) entered() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.busy++
	b.pages++
	b.used = time.Now()
}

func (b *lodger) left() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.busy--
	b.used = time.Now()
	b.closeIfDone()
}

// retire says that nothing new should begin here.
func (b *lodger) retire() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.retired = true
	b.closeIfDone()
}

// closeIfDone ends a retired browser once it is empty, and a lost one at once.
func (b *lodger) closeIfDone() {
	if b.closed || !b.retired || b.busy > 0 && !b.isLost() {
		return
	}
	b.closed = true
	b.seat.pool.closing.Go(func() {
		if err := b.close(); err != nil {
			b.seat.pool.opts.Logger.Warn("browser left something behind", "error", err)
		}
	})
}

// isWorn reports whether the browser should be replaced before the next render.
func (b *lodger) isWorn() bool {
	opts := b.seat.pool.opts
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.retired || b.isLost() {
		return true
	}
	return b.pages > 0 && (b.pages >= opts.RecyclePages ||
		time.Since(b.began) > opts.RecycleAge || b.memory.Load() > opts.RecycleMemory)
}

// isBusy reports whether a render is under way here.
func (b *lodger) isBusy() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.busy > 0
}

// isIdle reports whether nobody has used the browser for long.
func (b *lodger) isIdle() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.busy == 0 && time.Since(b.used) > b.seat.pool.opts.IdleAfter
}

// tab gives a fresh tab: the one opened ahead when there is one, or is about
// to be.
func (b *lodger) tab(ctx context.Context) (*tab, error) {
	b.mu.Lock()
	ahead := b.ahead
	b.ahead = nil
	b.mu.Unlock()
	if ahead == nil {
		return b.openTab(ctx)
	}
	select {
	case t, ok := <-ahead:
		if ok {
			return t, nil
		}
		return b.openTab(ctx) // it failed; perhaps this one does not
	case <-ctx.Done():
		b.mu.Lock()
		b.ahead = ahead // for the next
		b.mu.Unlock()
		return nil, ctx.Err()
	}
}

func (b *lodger) openTab(ctx context.Context) (*tab, error) {
	proxy, err := b.seat.proxy()
	if err != nil {
		return nil, err
	}
	t, err := openTab(ctx, b.chromium, proxy.Grant(), true)
	if err != nil && !b.isLost() && ctx.Err() == nil {
		b.retire() // a browser that cannot open a tab is no use
	}
	if err != nil {
		return nil, fmt.Errorf("open tab: %w", err)
	}
	return t, nil
}

// openAhead opens a tab for the next render, unless one is there. It is called
// when a render is over: beside one, it would only slow it down.
func (b *lodger) openAhead() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ahead != nil || b.retired || b.isLost() {
		return
	}
	ahead := make(chan *tab, 1)
	b.ahead = ahead
	pool := b.seat.pool
	pool.work.Go(func() {
		defer close(ahead)
		ctx, cancel := context.WithTimeout(pool.life, closeWithin)
		defer cancel()
		if t, err := b.openTab(ctx); err == nil {
			ahead <- t
		}
	})
}
