package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
)

// actionFailure is why an action could not be done, as a code.
type actionFailure struct {
	code   string
	detail string
}

func (f actionFailure) Error() string { return f.code + ": " + f.detail }

// How long an action waits for what it needs to appear.
const (
	waitSelectorWithin = 30 * time.Second // an explicit wait
	appearWithin       = 2 * time.Second  // anything else that names a selector
)

// actionError is what the caller reads. The message ends with the code.
func actionError(ctx context.Context, index int, a Action, err error) error {
	if ctx.Err() != nil || isLoss(err) {
		return err
	}
	code := "ACTION_FAILED"
	var failure actionFailure
	if errors.As(err, &failure) {
		code = failure.code
	}
	return trawl.Errorf(trawl.SiteFailed, "Action %d (%s) failed: %s", index, a.Type, code).
		WithCode("SCRAPE_ACTION_ERROR").
		WithDetails(map[string]any{"actionIndex": index, "actionType": a.Type, "actionErrorCode": code, "retryable": false}).
		Because(err)
}

// act does one action.
func (t *tab) act(ctx context.Context, a Action, results *ActionResults) error {
	switch a.Type {
	case "wait":
		return t.actWait(ctx, a)
	case "click":
		return t.actClick(ctx, a)
	case "write":
		return t.actWrite(ctx, a)
	case "press":
		return t.actPress(ctx, a)
	case "scroll":
		return t.actScroll(ctx, a)
	case "screenshot":
		shot, err := t.shoot(ctx, Shot{FullPage: a.FullPage, Quality: a.Quality, Viewport: a.Viewport})
		if err != nil {
			return err
		}
		results.Screenshots = append(results.Screenshots, *shot)
	case "scrape":
		var page Result
		if err := t.capture(ctx, Request{}, &page); err != nil {
			return err
		}
		results.Scrapes = append(results.Scrapes, Scrape{URL: page.URL, HTML: page.HTML})
	case "executeJavascript":
		value, err := t.execute(ctx, a.Script)
		if err != nil {
			return err
		}
		results.JavascriptReturns = append(results.JavascriptReturns, value)
		return t.follow(ctx)
	case "pdf":
		printed, err := t.print(ctx, a)
		if err != nil {
			return err
		}
		results.PDFs = append(results.PDFs, printed)
	default:
		return actionFailure{"UNKNOWN_ACTION", fmt.Sprintf("no action is called %q", a.Type)}
	}
	return nil
}

func (t *tab) actWait(ctx context.Context, a Action) error {
	if a.Selector == "" {
		return t.sleep(ctx, time.Duration(a.Milliseconds)*time.Millisecond)
	}
	err := t.await(ctx, a.Selector, waitSelectorWithin)
	var failure actionFailure
	if errors.As(err, &failure) && failure.code != "INVALID_SELECTOR" {
		failure.code = "TIMEOUT"
		return failure
	}
	return err
}

// await waits until the selector shows something. A page that navigates
// meanwhile is waited for as well.
func (t *tab) await(ctx context.Context, selector string, within time.Duration) error {
	deadline := time.Now().Add(boundWithin(ctx, within))
	for {
		left := time.Until(deadline)
		code, err := ask[string](ctx, t, js("visible", selector, max(left, 0).Milliseconds()))
		var moved errPageMoved
		switch {
		case errors.As(err, &moved) && left > 0:
			if err := t.settle(ctx); err != nil {
				return err
			}
		case err != nil:
			return err
		case code != "":
			return actionFailure{code, selector}
		default:
			return nil
		}
	}
}

func (t *tab) actScroll(ctx context.Context, a Action) error {
	sign := 1
	if a.Direction == "up" {
		sign = -1
	}
	if a.Selector != "" {
		if err := t.await(ctx, a.Selector, appearWithin); err != nil {
			return err
		}
	}
	code, err := ask[string](ctx, t, js("scroll", a.Selector, sign))
	if err != nil {
		return err
	}
	if code != "" {
		return actionFailure{code, a.Selector}
	}
	_, err = ask[any](ctx, t, "trawl.frames()")
	return err
}

// follow lets the effect of an action show: where it led to another page, that
// page is waited for.
func (t *tab) follow(ctx context.Context) error {
	_, err := ask[any](ctx, t, "trawl.frames()")
	var moved errPageMoved
	if err != nil && !errors.As(err, &moved) {
		return err
	}
	t.mu.Lock()
	left := moved.cause != nil || t.main.navigating || !t.main.loaded
	t.mu.Unlock()
	if !left {
		return nil
	}
	return t.settle(ctx)
}
