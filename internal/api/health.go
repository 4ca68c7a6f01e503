package api

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// checkTime is how long a part may take to show that it works.
const checkTime = 3 * time.Second

// healthz says that the process is alive, nothing more.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) error {
	return reply(w, map[string]any{"success": true, "status": "alive"})
}

// partState is what /readyz says of one part.
type partState struct {
	OK     bool   `json:"ok"`
	Detail string `json:"detail,omitempty"`
	Error  string `json:"error,omitempty"`
}

// readyz really uses every part the server needs, and names the one that fails.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) error {
	parts, ready := s.verify(r.Context())
	status, word := http.StatusOK, "ready"
	if !ready {
		status, word = http.StatusServiceUnavailable, "not ready"
		w.Header().Set("Retry-After", "1")
	}
	return writeJSON(w, status, map[string]any{"success": ready, "status": word, "parts": parts})
}

// verify runs all checks at once: the slowest decides how long it takes.
func (s *Server) verify(ctx context.Context) (parts map[string]partState, ready bool) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	states := make([]partState, len(s.Checks))
	var wg sync.WaitGroup
	for i, check := range s.Checks {
		wg.Go(func() {
			detail, err := check.Verify(ctx)
			states[i] = partState{OK: err == nil, Detail: detail}
			if err != nil {
				states[i].Error = err.Error()
			}
		})
	}
	wg.Wait()
	parts, ready = map[string]partState{}, true
	for i, check := range s.Checks {
		parts[check.Name] = states[i]
		ready = ready && states[i].OK
	}
	return parts, ready
}

// metrics answers GET /metrics.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) error {
	s.Metrics.Handler().ServeHTTP(w, r)
	return nil
}
