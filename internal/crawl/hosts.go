package crawl

import (
	"context"
	"sync"
)

// hosts keeps the pages of one host that are loaded at once to a limit. A host
// has an entry only while somebody loads or waits.
type hosts struct {
	limit int
	mu    sync.Mutex
	lines map[string]*hostLine
}

type hostLine struct {
	places chan struct{}
	people int
}

func newHosts(limit int) *hosts { return &hosts{limit: limit, lines: map[string]*hostLine{}} }

// enter waits for a place; leave gives it back.
func (h *hosts) enter(ctx context.Context, host string) (leave func(), err error) {
	h.mu.Lock()
	line := h.lines[host]
	if line == nil {
		line = &hostLine{places: make(chan struct{}, h.limit)}
		h.lines[host] = line
	}
	line.people++
	h.mu.Unlock()
	quit := func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if line.people--; line.people == 0 {
			delete(h.lines, host)
		}
	}
	select {
	case line.places <- struct{}{}:
		return func() { <-line.places; quit() }, nil
	case <-ctx.Done():
		quit()
		return nil, context.Cause(ctx)
	}
}
