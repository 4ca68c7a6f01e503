package access

import (
	"context"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// window is the length of a rate window. It is fixed, not sliding: cheap to
// share between processes, and Retry-After is simply its end.
const window = time.Minute

// Rate is what a caller is told about its bucket.
type Rate struct {
	Limit     int
	Remaining int
	Reset     time.Time
}

// Allow counts a request against its class. Rejected requests count too. A class
// without a limit gives the zero Rate.
func (a *Service) Allow(ctx context.Context, id Identity, class string) (Rate, error) {
	limit := id.Plan.RPM[class]
	if limit == 0 {
		return Rate{}, nil
	}
	return a.hit(ctx, "rate "+id.Team.ID+" "+class, limit)
}

func (a *Service) hit(ctx context.Context, bucket string, limit int) (Rate, error) {
	now := a.now()
	starts := now.Truncate(window)
	rate := Rate{Limit: limit, Reset: starts.Add(window)}
	used, err := a.rates.hit(ctx, bucket, starts)
	if err != nil {
		return rate, err
	}
	rate.Remaining = max(0, limit-int(used))
	if used > int64(limit) {
		return rate, errRate(rate.Reset.Sub(now))
	}
	return rate, nil
}

// errRate is the answer to too many requests.
func errRate(wait time.Duration) *trawl.Error {
	return trawl.Errorf(trawl.RateLimited, "Rate limit exceeded").WithCode("RATE_LIMITED").After(wait).
		WithDetails(map[string]any{"retryable": true})
}

// rateLimiter counts requests in a window.
type rateLimiter interface {
	hit(ctx context.Context, bucket string, starts time.Time) (used int64, err error)
}

// localRates counts in memory.
type localRates struct {
	mu     sync.Mutex
	starts time.Time
	used   map[string]int64
}

func newLocalRates() *localRates { return &localRates{used: map[string]int64{}} }

func (l *localRates) hit(_ context.Context, bucket string, starts time.Time) (int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if starts.After(l.starts) { // a new minute: all buckets are empty again
		l.starts = starts
		clear(l.used)
	}
	l.used[bucket]++
	return l.used[bucket], nil
}

// sharedRates counts in the database that all processes share.
type sharedRates struct{ store *store.Store }

func (s *sharedRates) hit(ctx context.Context, bucket string, starts time.Time) (int64, error) {
	used, _, err := s.store.Take(ctx, store.Meter{Name: bucket, Starts: starts, Ends: starts.Add(window)}, 1)
	return used, err
}
