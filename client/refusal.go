package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/trawlhq/trawl"
)

// refusal reads an answer that is no success, or gives nil for one that is. A
// success is a 200 whose body does not deny it: a few failures come as 200 with
// "success": false, and a few answers have no such field at all.
func refusal(resp *http.Response, body []byte) error {
	var fields map[string]json.RawMessage
	badJSON := json.Unmarshal(body, &fields)
	denied := bytes.Equal(fields["success"], []byte("false"))
	if resp.StatusCode == http.StatusOK && !denied {
		return nil
	}
	failed := &trawl.Error{
		Message:    http.StatusText(resp.StatusCode),
		RetryAfter: retryAfter(resp.Header.Get("Retry-After"), time.Now()),
		Cause:      fmt.Errorf("server answered %d to request %q", resp.StatusCode, resp.Header.Get("X-Request-Id")),
	}
	if badJSON != nil {
		failed.Cause = fmt.Errorf("server answered %d and no JSON: %w", resp.StatusCode, badJSON)
	}
	fill(failed, fields)
	failed.Kind = kind(resp.StatusCode, failed.Code)
	return &refused{failed: failed, status: resp.StatusCode}
}

// fill takes the fields of the envelope over. One of an unexpected type is left
// out: the status already says that the request failed.
func fill(failed *trawl.Error, fields map[string]json.RawMessage) {
	for name, value := range fields {
		switch name {
		case "success":
		case "error":
			_ = json.Unmarshal(value, &failed.Message)
		case "code":
			_ = json.Unmarshal(value, &failed.Code)
		case "details":
			failed.Details = details(value)
		default:
			if failed.Extra == nil {
				failed.Extra = map[string]any{}
			}
			failed.Extra[name] = plain(value)
		}
	}
}

// details gives validation issues in their own type, everything else as JSON has it.
func details(value json.RawMessage) any {
	var issues []trawl.Issue
	if json.Unmarshal(value, &issues) == nil && issues != nil {
		return issues
	}
	return plain(value)
}

// plain gives a value as package json has it: maps, slices, strings, numbers.
func plain(value json.RawMessage) any {
	var v any
	_ = json.Unmarshal(value, &v) // it is part of a body that was valid JSON
	return v
}

// kind is the api package's table read backwards.
func kind(status int, code string) trawl.Kind {
	switch status {
	case http.StatusOK:
		return trawl.Unresolved
	case http.StatusBadRequest:
		return trawl.Invalid
	case http.StatusUnauthorized:
		return trawl.Unauthorized
	case http.StatusPaymentRequired:
		return trawl.PaymentRequired
	case http.StatusForbidden:
		return trawl.Forbidden
	case http.StatusNotFound:
		return trawl.NotFound
	case http.StatusRequestTimeout:
		return trawl.TimedOut
	case http.StatusConflict:
		return trawl.Conflict
	case http.StatusRequestEntityTooLarge:
		return trawl.TooLarge
	case http.StatusUnprocessableEntity:
		return trawl.Unprocessable
	case http.StatusTooManyRequests:
		return trawl.RateLimited
	case http.StatusInternalServerError:
		if code != "" && code != "UNKNOWN_ERROR" {
			return trawl.SiteFailed
		}
		return trawl.Internal
	case http.StatusServiceUnavailable:
		return trawl.Unavailable
	case http.StatusGatewayTimeout:
		return trawl.UpstreamTimeout
	}
	return trawl.Upstream // 502, and what only something between us and the server would say
}

// retryAfter reads the header in both forms HTTP has: seconds, or a date.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil {
		return time.Duration(min(max(seconds, 0), int(maxRetryAfter/time.Second))) * time.Second
	}
	if date, err := http.ParseTime(header); err == nil {
		return min(max(date.Sub(now), 0), maxRetryAfter)
	}
	return 0
}

// maxRetryAfter bounds what is believed of a header; nothing we send asks for more than ten minutes.
const maxRetryAfter = 24 * time.Hour
