package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	"github.com/trawlhq/trawl"
)

// The seed's guidance on retries.
const (
	maxAttempts = 5
	maxBackoff  = 30 * time.Second
	maxJitter   = time.Second
)

// retry runs one attempt after another until one succeeds, fails for good, the
// attempts are used up, or ctx ends. The error is that of the last attempt.
func retry(ctx context.Context, attempt func() error) error {
	for n := 0; ; n++ {
		err := attempt()
		if err == nil || n == maxAttempts-1 || !retryable(err) {
			return finished(err)
		}
		if !pause(ctx, delay(n, err)) {
			return finished(err)
		}
	}
}

// delay is how long to wait after attempt n (counted from zero) failed: as long
// as the server says, else doubling from one second up to a cap, plus jitter so
// that many clients do not come back at the same moment.
func delay(n int, err error) time.Duration {
	var failed *trawl.Error
	if errors.As(err, &failed) && failed.RetryAfter > 0 {
		return failed.RetryAfter
	}
	return min(time.Second<<n, maxBackoff) + rand.N(maxJitter)
}

// pause waits and reports whether another attempt makes sense. A wait that would
// outlast the context's deadline is not begun: the caller learns now what went
// wrong instead of later that time is up.
func pause(ctx context.Context, d time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= d {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// retryable tells whether the same request may work later. The server's own
// word decides where it gave one, then the status.
func retryable(err error) bool {
	var broken *lost
	if errors.As(err, &broken) {
		return broken.safe
	}
	var answer *refused
	if !errors.As(err, &answer) {
		return false
	}
	if details, ok := answer.failed.Details.(map[string]any); ok {
		if said, ok := details["retryable"].(bool); ok {
			return said
		}
	}
	switch answer.status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// refused is an answer that says no. It exists while retries are decided;
// callers get the *trawl.Error inside.
type refused struct {
	failed *trawl.Error
	status int
}

func (r *refused) Error() string { return r.failed.Error() }
func (r *refused) Unwrap() error { return r.failed }

// lost is a request without a whole answer. Sending it again is safe when it
// changes nothing or never reached the server: a second POST could do the work
// of the first once more.
type lost struct {
	safe bool
	err  error
}

func (l *lost) Error() string { return l.err.Error() }
func (l *lost) Unwrap() error { return l.err }

// neverSent tells errors of opening a connection from those of using one.
func neverSent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// finished turns what the attempts used among themselves into what callers get.
func finished(err error) error {
	var answer *refused
	if errors.As(err, &answer) {
		return answer.failed
	}
	var broken *lost
	if errors.As(err, &broken) {
		return trawl.Errorf(trawl.Unavailable, "Service Unavailable").Because(broken.err)
	}
	return err
}
