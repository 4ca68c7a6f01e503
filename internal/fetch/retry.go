package fetch

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

const (
	maxTries   = 3 // of one fetch
	firstPause = 250 * time.Millisecond
	maxPause   = 5 * time.Second // a server that wants us to wait longer gets its answer passed on
)

// Retry tries again where that is safe and likely to help: a connection that was
// reset or gave nothing, and the statuses that mean "not now", as far as the
// deadline allows. All our requests are GETs, so a second one changes nothing at
// the target. What comes last is the result.
func Retry(next Fetcher) Fetcher {
	return Func(func(ctx context.Context, r Request) (*Page, error) {
		var tries []Attempt
		for n := 1; ; n++ {
			page, err := next.Fetch(ctx, r)
			pause, again := pauseBefore(page, err, n)
			if !again || n == maxTries || !wait(ctx, pause) {
				return withEarlier(page, err, tries)
			}
			tries = append(tries, triesOf(page, err)...)
		}
	})
}

// pauseBefore says whether a result asks for another try, and how long to wait.
func pauseBefore(page *Page, err error, n int) (time.Duration, bool) {
	pause := firstPause << (n - 1)
	if err != nil {
		d, _, _ := detailsOf(err)
		switch d.BrowserErrorCode {
		case "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE", "ERR_HTTP2_PROTOCOL_ERROR", "ERR_TUNNEL_CONNECTION_FAILED":
			return pause, true
		}
		return 0, false
	}
	switch page.Status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		after, ok := retryAfter(page.Header, page.FetchedAt)
		return after, ok && after <= maxPause
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		return pause, n == 1
	}
	return 0, false
}

// retryAfter reads the header in both its forms.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	text := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second, true
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	return max(0, at.Sub(now)), true
}

// wait pauses, unless the deadline comes first: then it says so at once, and the
// time left belongs to the answer we have.
func wait(ctx context.Context, pause time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= pause {
		return false
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// triesOf lists the attempts behind a result that was not good enough.
func triesOf(page *Page, err error) []Attempt {
	if err != nil {
		return attemptsOf(err)
	}
	tries := append([]Attempt{}, page.Attempts...)
	if last := len(tries) - 1; last >= 0 && tries[last].Reason == "" {
		tries[last].Reason = page.Reason
	}
	return tries
}

// withEarlier puts the tries of earlier rounds before those of the result.
func withEarlier(page *Page, err error, tries []Attempt) (*Page, error) {
	if err != nil {
		return nil, withAttempts(err, tries)
	}
	page.Attempts = append(tries, page.Attempts...)
	return page, nil
}
