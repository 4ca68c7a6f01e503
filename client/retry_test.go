package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/client"
)

// request is a call whose attempts are counted.
func request(ctx context.Context, c *client.Client, method string) error {
	return c.Do(ctx, client.Call{Method: method, Path: "/v2/thing"})
}

func TestRetryableStatusesAreTriedFiveTimes(t *testing.T) {
	for _, tc := range []struct {
		status   int
		attempts int
	}{
		{400, 1}, {401, 1}, {402, 1}, {403, 1}, {404, 1}, {409, 1}, {413, 1}, {422, 1},
		{408, 5}, {429, 5}, {500, 5}, {502, 5}, {503, 5}, {504, 5},
	} {
		t.Run(fmt.Sprint(tc.status), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				attempts, began := 0, time.Now()
				c := talkingTo(t, func(*http.Request) (*http.Response, error) {
					attempts++
					return answer(tc.status, `{"success":false,"error":"no"}`), nil
				})
				err := request(t.Context(), c, http.MethodPost)
				if err == nil || attempts != tc.attempts {
					t.Errorf("%d attempts, error %v; want %d and an error", attempts, err, tc.attempts)
				}
				// 1 + 2 + 4 + 8 s, and jitter under a second each.
				if took := time.Since(began); tc.attempts == 5 && (took < 15*time.Second || took >= 19*time.Second) {
					t.Errorf("five attempts took %v, want 15 to 19 s", took)
				}
			})
		})
	}
}

func TestRetryAfterIsTheDelay(t *testing.T) {
	for _, tc := range []struct {
		name, header string
		want         time.Duration
	}{
		{"seconds", "Retry-After: 7", 7 * time.Second},
		{"date", "Retry-After: Sat, 01 Jan 2000 00:00:42 GMT", 42 * time.Second}, // bubbles begin at the year 2000
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				attempts, began := 0, time.Now()
				c := talkingTo(t, func(*http.Request) (*http.Response, error) {
					if attempts++; attempts == 1 {
						return answer(429, `{"success":false,"error":"Rate limit exceeded"}`, tc.header), nil
					}
					return answer(200, `{"success":true}`), nil
				})
				if err := request(t.Context(), c, http.MethodPost); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took != tc.want {
					t.Errorf("second attempt after %v, want %v", took, tc.want)
				}
			})
		})
	}
}

func TestServersWordOnRetryingWinsOverTheStatus(t *testing.T) {
	for _, tc := range []struct {
		name, details string
		status        int
		attempts      int
	}{
		{"500 that says no", `{"retryable":false}`, 500, 1},
		{"422 that says yes", `{"retryable":true}`, 422, 5},
		{"500 that says nothing", `{"reason":"x"}`, 500, 5},
		{"issues say nothing", `[{"code":"custom","path":[],"message":"x"}]`, 400, 1},
		{"a word that is no boolean", `{"retryable":"no"}`, 503, 5},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				attempts := 0
				c := talkingTo(t, func(*http.Request) (*http.Response, error) {
					attempts++
					return answer(tc.status, `{"success":false,"error":"no","details":`+tc.details+`}`), nil
				})
				if err := request(t.Context(), c, http.MethodPost); err == nil || attempts != tc.attempts {
					t.Errorf("%d attempts, error %v; want %d and an error", attempts, err, tc.attempts)
				}
			})
		})
	}
}

func TestLostConnectionIsTriedAgainOnlyWhereThatIsSafe(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	reset := &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	for _, tc := range []struct {
		name, method string
		err          error
		attempts     int
	}{
		{"GET, connection refused", http.MethodGet, refused, 5},
		{"GET, connection reset", http.MethodGet, reset, 5},
		{"POST, connection refused: it was never sent", http.MethodPost, refused, 5},
		{"POST, connection reset: it may have been done", http.MethodPost, reset, 1},
		{"DELETE, end of file", http.MethodDelete, io.ErrUnexpectedEOF, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				attempts := 0
				c := talkingTo(t, func(*http.Request) (*http.Response, error) {
					attempts++
					return nil, tc.err
				})
				err := request(t.Context(), c, tc.method)
				var failed *trawl.Error
				if !errors.As(err, &failed) || failed.Kind != trawl.Unavailable || !errors.Is(err, tc.err) || attempts != tc.attempts {
					t.Errorf("%d attempts, error %#v; want %d and kind Unavailable because of %v", attempts, err, tc.attempts, tc.err)
				}
			})
		})
	}
}

func TestContextEndsTheWaiting(t *testing.T) {
	busy := func(*http.Request) (*http.Response, error) {
		return answer(503, `{"success":false,"error":"Service Unavailable"}`, "Retry-After: 60"), nil
	}
	t.Run("a deadline before the next attempt gives the answer at once", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			began := time.Now()
			err := request(ctx, talkingTo(t, busy), http.MethodGet)
			var failed *trawl.Error
			if !errors.As(err, &failed) || failed.RetryAfter != time.Minute || time.Since(began) != 0 {
				t.Errorf("after %v: %v, want the server's answer without a wait", time.Since(began), err)
			}
		})
	})
	t.Run("a cancelled wait gives the answer so far", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(3*time.Second, cancel)
			began := time.Now()
			err := request(ctx, talkingTo(t, busy), http.MethodGet)
			var failed *trawl.Error
			if !errors.As(err, &failed) || failed.Kind != trawl.Unavailable || time.Since(began) != 3*time.Second {
				t.Errorf("after %v: %v, want the server's answer after 3 s", time.Since(began), err)
			}
		})
	})
	t.Run("a request that is cancelled says so", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		c := talkingTo(t, func(r *http.Request) (*http.Response, error) { return nil, r.Context().Err() })
		if err := request(ctx, c, http.MethodGet); !errors.Is(err, context.Canceled) {
			t.Errorf("error = %v, want context.Canceled", err)
		}
	})
}

func TestErrorsComeBackTyped(t *testing.T) {
	for _, tc := range []struct {
		name   string
		status int
		body   string
		want   trawl.Error
	}{
		{"validation", 400, `{"success":false,"code":"BAD_REQUEST","error":"Unrecognized key in body: \"a\"","details":[{"code":"unrecognized_keys","keys":["a"],"path":[],"message":"m"}]}`,
			trawl.Error{Kind: trawl.Invalid, Code: "BAD_REQUEST", Message: `Unrecognized key in body: "a"`,
				Details: []trawl.Issue{{Code: trawl.IssueUnrecognized, Keys: []string{"a"}, Path: []any{}, Message: "m"}}}},
		{"bad key", 401, `{"success":false,"error":"Unauthorized: Invalid token"}`, trawl.Error{Kind: trawl.Unauthorized, Message: "Unauthorized: Invalid token"}},
		{"no credits", 402, `{"success":false,"error":"Payment Required: Insufficient credits"}`, trawl.Error{Kind: trawl.PaymentRequired, Message: "Payment Required: Insufficient credits"}},
		{"forbidden", 403, `{"success":false,"error":"Forbidden"}`, trawl.Error{Kind: trawl.Forbidden, Message: "Forbidden"}},
		{"not found", 404, `{"success":false,"error":"Not Found"}`, trawl.Error{Kind: trawl.NotFound, Message: "Not Found"}},
		{"conflict with an id", 409, `{"success":false,"error":"Conflict","details":{"id":"7"}}`, trawl.Error{Kind: trawl.Conflict, Message: "Conflict", Details: map[string]any{"id": "7"}}},
		{"too large", 413, `{"success":false,"error":"Payload Too Large"}`, trawl.Error{Kind: trawl.TooLarge, Message: "Payload Too Large"}},
		{"schema", 422, `{"success":false,"error":"Unprocessable Entity"}`, trawl.Error{Kind: trawl.Unprocessable, Message: "Unprocessable Entity"}},
		{"site failed", 500, `{"success":false,"error":"x","code":"SCRAPE_SSL_ERROR","details":{"retryable":false}}`,
			trawl.Error{Kind: trawl.SiteFailed, Message: "x", Code: "SCRAPE_SSL_ERROR", Details: map[string]any{"retryable": false}}},
		{"fault of the server", 500, `{"success":false,"error":"Internal Server Error","code":"UNKNOWN_ERROR","details":{"retryable":false}}`,
			trawl.Error{Kind: trawl.Internal, Message: "Internal Server Error", Code: "UNKNOWN_ERROR", Details: map[string]any{"retryable": false}}},
		{"failure that comes as 200", 200, `{"success":false,"error":"x","code":"SCRAPE_DNS_RESOLUTION_ERROR"}`,
			trawl.Error{Kind: trawl.Unresolved, Message: "x", Code: "SCRAPE_DNS_RESOLUTION_ERROR"}},
		{"further fields", 404, `{"success":false,"error":"Not Found","hint":"look"}`, trawl.Error{Kind: trawl.NotFound, Message: "Not Found", Extra: map[string]any{"hint": "look"}}},
		{"a proxy's own page", 418, `<html>`, trawl.Error{Kind: trawl.Upstream, Message: "I'm a teapot"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := talkingTo(t, func(*http.Request) (*http.Response, error) {
				return answer(tc.status, tc.body, "X-Request-Id: r1"), nil
			})
			err := request(t.Context(), c, http.MethodGet)
			var got *trawl.Error
			if !errors.As(err, &got) {
				t.Fatalf("error = %#v, want a *trawl.Error", err)
			}
			if got.Cause == nil {
				t.Error("the cause does not name the status")
			}
			got.Cause = nil
			if diff := cmp.Diff(tc.want, *got); diff != "" {
				t.Errorf("error differs (-want +got):\n%s", diff)
			}
		})
	}
}
