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

	mu       sync.Mutex
	lodger   *lodger
	starting *start // nil: no browser is being started
}

// start is a browser on its way up. It goes on when the render that wanted it
// gives up: the next one will want it too.
type start struct {
	done chan struct{}
	err  error // valid once done
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
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lodger
}

// take gives the seat's browser, waiting for one to start where needed.
func (s *seat) take(ctx context.Context) (*lodger, error) {
	for {
		b, starting := s.lookOrStart()
		if b != nil {
			return b, nil
		}
		select {
		case <-starting.done:
			if starting.err != nil {
				return nil, starting.err
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// lookOrStart gives the browser in the seat, entered, or the start to wait for.
func (s *seat) lookOrStart() (*lodger, *start) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lodger != nil && s.lodger.isWorn() {
		s.evict()
	}
	if s.lodger != nil {
		s.lodger.entered()
		return s.lodger, nil
	}
	if s.starting == nil {
		s.starting = &start{done: make(chan struct{})}
		s.pool.work.Go(s.fill)
	}
	return nil, s.starting
}

// fill starts a browser and puts it into the seat.
func (s *seat) fill() {
	c, err := s.launch(s.pool.life)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.pool.started.Add(1)
		s.lodger = &lodger{chromium: c, seat: s, used: time.Now()}
	}
	s.starting.err = err
	close(s.starting.done)
	s.starting = nil
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

// launch brings a browser up, or joins a remote one.
func (s *seat) launch(ctx context.Context) (*chromium, error) {
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

// launch finds the program and starts it.
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
