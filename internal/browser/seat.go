package browser

import (
	"context"
	"sync"
	"time"
)

// seat is the place of one browser in the pool. It is empty until somebody
// needs it, and again after its lodger was lost or retired.
type seat struct {
	pool     *Pool
	endpoint string // empty: a browser of ours
	reserved int    // renders that were sent here; guarded by pool.mu

	mu     sync.Mutex // held while a browser is being started, so that one is enough
	lodger *lodger
}

// makeSeats makes one seat per endpoint, or per local browser.
func (p *Pool) makeSeats() []*seat {
	var seats []*seat
	for _, endpoint := range p.opts.Endpoints {
		seats = append(seats, &seat{pool: p, endpoint: endpoint})
	}
	for len(p.opts.Endpoints) == 0 && len(seats) < p.opts.MaxBrowsers {
		seats = append(seats, &seat{pool: p})
	}
	return seats
}

// rank orders seats for the next render: running and least busy first, then
// empty, then full.
func (s *seat) rank(room int) int {
	switch {
	case s.reserved >= room:
		return 1_000_000
	case s.reserved == 0 && s.sitting() == nil:
		return 1_000
	}
	return s.reserved
}

// sitting is the browser now in the seat, or nil.
func (s *seat) sitting() *lodger {
	if !s.mu.TryLock() {
		return nil // one is being started
	}
	defer s.mu.Unlock()
	return s.lodger
}

// take gives the seat's browser, starting one where needed.
func (s *seat) take(ctx context.Context) (*lodger, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lodger != nil && s.lodger.isWorn() {
		s.evict()
	}
	if s.lodger == nil {
		c, err := s.start(ctx)
		if err != nil {
			return nil, err
		}
		s.pool.started.Add(1)
		s.lodger = &lodger{chromium: c, seat: s, used: time.Now()}
	}
	s.lodger.entered()
	return s.lodger, nil
}

// evict takes the browser out of the seat; it ends when its last tab does.
func (s *seat) evict() {
	if !s.lodger.isLost() {
		s.pool.recycled.Add(1)
	}
	s.lodger.retire()
	s.lodger = nil
}

// clear empties the seat, if that browser still sits in it.
func (s *seat) clear(b *lodger) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lodger == b {
		s.evict()
	}
}

// start brings a browser up. It lives as long as the pool, not as the caller.
func (s *seat) start(ctx context.Context) (*chromium, error) {
	if s.endpoint != "" {
		proxy, err := s.pool.proxies.forEndpoint(s.endpoint)
		if err != nil {
			return nil, err
		}
		return connectChromium(ctx, s.endpoint, proxy.Addr())
	}
	proxy, err := s.pool.proxies.local()
	if err != nil {
		return nil, err
	}
	dir, err := newRunDir(s.pool.opts.DataDir)
	if err != nil {
		return nil, err
	}
	c, err := s.pool.launch(ctx, launch{userData: dir.userData(), proxy: proxy.Addr()}, dir)
	if err != nil {
		_ = dir.remove() // the start failed; that is the news
		return nil, err
	}
	return c, nil
}

// launch fills in the program and starts it.
func (p *Pool) launch(ctx context.Context, l launch, dir *runDir) (*chromium, error) {
	path, err := FindExecutable(p.opts.Path)
	if err != nil {
		return nil, err
	}
	l.executable = path
	began := time.Now()
	c, err := launchChromium(ctx, l, dir)
	if err != nil {
		return nil, err
	}
	p.opts.Logger.Info("browser started", "path", path, "pid", c.process.cmd.Process.Pid, "took", time.Since(began))
	return c, nil
}

// vacate ends the browser in the seat, if there is one.
func (s *seat) vacate() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lodger != nil {
		s.evict()
	}
}
