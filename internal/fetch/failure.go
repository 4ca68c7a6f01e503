package fetch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/trawlhq/trawl"
)

// Details is what a failure tells about itself: the "details" of the answer.
type Details struct {
	BrowserErrorCode string    `json:"browserErrorCode,omitempty"` // Chromium's name for it
	Retryable        bool      `json:"retryable"`
	Origin           string    `json:"origin,omitempty"` // target_site or provider_proxy
	Attempts         []Attempt `json:"attempts,omitempty"`
}

// siteError is a failure of the target (or of the proxy before it), named as
// Chromium names it whichever engine met it.
func siteError(netError, message string) *trawl.Error {
	d := Details{BrowserErrorCode: netError, Origin: "target_site"}
	if netError == "ERR_TUNNEL_CONNECTION_FAILED" || netError == "ERR_PROXY_CONNECTION_FAILED" {
		d.Retryable, d.Origin = true, "provider_proxy"
	}
	return trawl.Errorf(trawl.SiteFailed, "%s", message).WithCode("SCRAPE_SITE_ERROR").WithDetails(d)
}

func tlsError(message string) *trawl.Error {
	return trawl.Errorf(trawl.SiteFailed, "%s", message).WithCode("SCRAPE_SSL_ERROR").WithDetails(Details{Origin: "target_site"})
}

func timedOut(cause error) *trawl.Error {
	return trawl.Errorf(trawl.TimedOut, "Request Timeout").WithCode("SCRAPE_TIMEOUT").WithDetails(Details{Retryable: true}).Because(cause)
}

// allFailed is the answer when no engine brought the page.
func allFailed(message string) *trawl.Error {
	return trawl.Errorf(trawl.SiteFailed, "%s", message).WithCode("SCRAPE_ALL_ENGINES_FAILED").WithDetails(Details{Retryable: true})
}

// contextError tells a caller who left from a time limit that passed. It gives
// nil while the context lives.
func contextError(ctx context.Context) error {
	err := ctx.Err()
	if errors.Is(err, context.DeadlineExceeded) {
		return timedOut(err)
	}
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	return nil
}

// detailsOf gives the details of a failure; ok is false for errors of another
// kind. The browser and the guard write theirs as plain maps.
func detailsOf(err error) (d Details, e *trawl.Error, ok bool) {
	if !errors.As(err, &e) {
		return Details{}, nil, false
	}
	switch details := e.Details.(type) {
	case Details:
		d = details
	case map[string]any:
		d.BrowserErrorCode, _ = details["browserErrorCode"].(string)
		d.Retryable, _ = details["retryable"].(bool)
		d.Origin, _ = details["origin"].(string)
		d.Attempts, _ = details["attempts"].([]Attempt)
	}
	return d, e, true
}

// withAttempts puts tries made earlier before those an error already lists. What
// else its details say stays.
func withAttempts(err error, earlier []Attempt) error {
	d, e, ok := detailsOf(err)
	if !ok || len(earlier) == 0 {
		return err
	}
	failed := *e
	d.Attempts = slices.Concat(earlier, d.Attempts)
	failed.Details = d
	if others, isMap := e.Details.(map[string]any); isMap {
		others = maps.Clone(others)
		others["attempts"] = d.Attempts
		failed.Details = others
	}
	return &failed
}

// attemptsOf lists the tries that led to an error.
func attemptsOf(err error) []Attempt {
	d, _, _ := detailsOf(err)
	return d.Attempts
}

// reasonOf is the short form of an error for the attempt list: its code, never
// its cause.
func reasonOf(err error) string {
	d, e, ok := detailsOf(err)
	switch {
	case !ok && errors.Is(err, context.Canceled):
		return "cancelled"
	case !ok:
		return "error"
	case d.BrowserErrorCode != "":
		return d.BrowserErrorCode
	case e.Code != "":
		return e.Code
	}
	return e.Message
}
