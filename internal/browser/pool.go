package browser

import (
	"context"
	"errors"
	"time"
)

// Stats is a count of what the pool has and had.
type Stats struct {
	Slots    int   // renders possible at once
	Busy     int   // under way
	Waiting  int   // in line for a slot
	Browsers int   // running
	Memory   int64 // bytes of all local browsers, as last measured
	Renders  int64 // since the start
	Started  int64 // browsers, since the start
	Crashes  int64 // tabs and browsers lost
	Recycled int64 // browsers replaced before they were lost
}

// Stats tells what the pool has and had.
func (p *Pool) Stats() Stats {
	s := Stats{
		Slots: cap(p.slots), Busy: len(p.slots), Renders: p.renders.Load(),
		Started: p.started.Load(), Crashes: p.crashes.Load(), Recycled: p.recycled.Load(),
	}
	p.mu.Lock()
	s.Waiting = p.waiting
	p.mu.Unlock()
	for _, seat := range p.seats {
		if b := seat.sitting(); b != nil {
			s.Browsers++
			s.Memory += b.memory.Load()
		}
	}
	return s
}

// Healthy reports whether a render could be made: a running browser answers,
// or one could be started.
func (p *Pool) Healthy(ctx context.Context) error {
	for _, seat := range p.seats {
		if b := seat.sitting(); b != nil && !b.isLost() {
			return b.ping(ctx)
		}
	}
	if len(p.opts.Endpoints) > 0 {
		return p.reachEndpoint(ctx)
	}
	_, err := FindExecutable(p.opts.Path)
	return err
}

func (p *Pool) reachEndpoint(ctx context.Context) error {
	var errs []error
	for _, endpoint := range p.opts.Endpoints {
		c, err := connectChromium(ctx, endpoint, "")
		if err == nil {
			return c.close()
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// enter waits for a slot.
func (p *Pool) enter(ctx context.Context) error {
	p.mu.Lock()
	p.waiting++
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		p.waiting--
		p.mu.Unlock()
	}()
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *Pool) leave() { <-p.slots }

// checkOut finds a browser with room: the least busy of the running ones, and
// a further one only when they are full.
func (p *Pool) checkOut(ctx context.Context) (*lodger, error) {
	p.mu.Lock()
	best := p.seats[0]
	for _, s := range p.seats {
		if s.rank(p.opts.PagesPerBrowser) < best.rank(p.opts.PagesPerBrowser) {
			best = s
		}
	}
	best.reserved++
	p.mu.Unlock()
	b, err := best.take(ctx)
	if err != nil {
		p.unreserve(best)
		return nil, err
	}
	return b, nil
}

func (p *Pool) unreserve(s *seat) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.reserved--
}

// giveBack ends a render: the tab is closed beside the caller's way, and its
// slot is free when that is done.
func (p *Pool) giveBack(b *lodger, t *tab, err error) {
	if isLoss(err) {
		p.crashes.Add(1)
	}
	p.work.Go(func() {
		b.openAhead()
		if t != nil {
			p.closeTab(b, t)
		}
		b.left()
		p.unreserve(b.seat)
		p.leave()
	})
}

// closeWithin is how long a browser may take to close a tab before it is
// taken to be stuck, and replaced.
const closeWithin = 5 * time.Second

func (p *Pool) closeTab(b *lodger, t *tab) {
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	if err := t.close(ctx); err != nil && !b.isLost() {
		p.opts.Logger.Warn("tab did not close, replacing its browser", "error", err)
		b.retire()
	}
}
