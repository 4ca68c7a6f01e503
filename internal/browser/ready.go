package browser

import (
	"context"
	"errors"
	"time"
)

// How long a page must have been quiet, network and DOM, before it counts as
// ready. The longer window is for pages that live: they fetch by script, go on
// changing after their load event, or show so little that they are likely the
// shell of an application. A page without scripts is ready when it is loaded.
const (
	calmWindow  = 30 * time.Millisecond
	aliveWindow = 500 * time.Millisecond
	thinText    = 250 // characters; below it a page with a bundle is taken for a shell
	noText      = 20  // and below this, any page with scripts

	// readyBound ends the wait for a page that never becomes quiet.
	readyBound = 10 * time.Second
)

// facts is what page.js tells about the document.
type facts struct {
	Scripts  bool    `json:"scripts"`
	Bundles  bool    `json:"bundles"` // scripts in files of their own
	Frames   bool    `json:"frames"`
	Text     int     `json:"text"`
	Changes  int     `json:"changes"`
	QuietFor float64 `json:"quietFor"` // milliseconds
	Fetched  bool    `json:"fetched"`
}

func (f facts) window() time.Duration {
	switch {
	case !f.Scripts && !f.Frames:
		return 0
	case f.Fetched, f.Changes > 0, f.Text < noText, f.Bundles && f.Text < thinText:
		return aliveWindow
	}
	return calmWindow
}

// settle waits until the page is ready, at most as long as the bound: a page
// that never rests is taken as it is then. Only the end of ctx, of the page or
// of the browser is an error.
func (t *tab) settle(ctx context.Context) error {
	bounded, cancel := context.WithTimeout(ctx, boundWithin(ctx, readyBound))
	defer cancel()
	err := t.rest(bounded)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil
	}
	return err
}

// boundWithin leaves part of what is left of ctx for what comes after.
func boundWithin(ctx context.Context, bound time.Duration) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		bound = min(bound, time.Until(deadline)*6/10)
	}
	return bound
}

// rest waits for the load event, then for quiet; a new document starts it again.
func (t *tab) rest(ctx context.Context) error {
	for {
		err := t.until(ctx, t.main.isShown)
		if err != nil {
			return err
		}
		quiet, err := t.quiet(ctx)
		var moved errPageMoved
		switch {
		case errors.As(err, &moved):
			continue
		case err != nil:
			return err
		case quiet:
			return nil
		}
	}
}

// quiet watches the page for as long as its nature asks for. It reports false
// when something happened meanwhile.
func (t *tab) quiet(ctx context.Context) (bool, error) {
	seen, err := ask[facts](ctx, t, "trawl.facts()")
	if err != nil {
		return false, err
	}
	window := seen.window()
	if window == 0 && t.networkRests(0) {
		return true, nil
	}
	if err := t.awaitNetwork(ctx, window); err != nil {
		return false, err
	}
	seen, err = ask[facts](ctx, t, js("calm", window.Milliseconds(), readyBound.Milliseconds()))
	if err != nil {
		return false, err
	}
	return seen.window() <= window && t.networkRests(window), nil
}

// networkRests reports whether the network has been quiet for the window and
// the document is still the one it was.
func (t *tab) networkRests(window time.Duration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	return t.main.isShown() && !t.traffic.quietAt(window).After(now)
}

// awaitNetwork waits until the network has been quiet for the window.
func (t *tab) awaitNetwork(ctx context.Context, window time.Duration) error {
	for {
		t.mu.Lock()
		left := time.Until(t.traffic.quietAt(window))
		changed := t.changed
		t.mu.Unlock()
		if left <= 0 {
			return nil
		}
		timer := time.NewTimer(left)
		select {
		case <-timer.C:
		case <-changed:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-t.crashed:
			timer.Stop()
			return errCrashed
		case <-t.chromium.conn.lost:
			timer.Stop()
			return errLost
		}
		timer.Stop()
	}
}
