package fetch

import (
	"context"
	"strings"
	"sync"
)

// PerHost lets at most limit fetches of one host run at a time; the others wait
// in line for as long as their context lives.
func PerHost(next Fetcher, limit int) Fetcher {
	lines := &hostLines{limit: limit, lines: map[string]*hostLine{}}
	return Func(func(ctx context.Context, r Request) (*Page, error) {
		leave, err := lines.enter(ctx, strings.ToLower(r.URL.Host))
		if err != nil {
			return nil, err
		}
		defer leave()
		return next.Fetch(ctx, r)
	})
}

// hostLines holds a semaphore for each host that is being fetched, and none for
// the others.
type hostLines struct {
	limit int
	mu    sync.Mutex
	lines map[string]*hostLine
}

type hostLine struct {
	places chan struct{}
	people int // in the line or past it
}

func (h *hostLines) enter(ctx context.Context, host string) (leave func(), err error) {
	line := h.join(host)
	select {
	case line.places <- struct{}{}:
		return func() { <-line.places; h.quit(host, line) }, nil
	case <-ctx.Done():
		h.quit(host, line)
		return nil, contextError(ctx)
	}
}

func (h *hostLines) join(host string) *hostLine {
	h.mu.Lock()
	defer h.mu.Unlock()
	line, ok := h.lines[host]
	if !ok {
		line = &hostLine{places: make(chan struct{}, h.limit)}
		h.lines[host] = line
	}
	line.people++
	return line
}

func (h *hostLines) quit(host string, line *hostLine) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if line.people--; line.people == 0 {
		delete(h.lines, host)
	}
}
