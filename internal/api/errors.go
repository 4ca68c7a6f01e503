package api

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/blob"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/telemetry"
)

// statuses is the only table from a kind of error to a status.
var statuses = map[trawl.Kind]int{
	trawl.Internal:        http.StatusInternalServerError,
	trawl.Invalid:         http.StatusBadRequest,
	trawl.Unauthorized:    http.StatusUnauthorized,
	trawl.PaymentRequired: http.StatusPaymentRequired,
	trawl.Forbidden:       http.StatusForbidden,
	trawl.NotFound:        http.StatusNotFound,
	trawl.TimedOut:        http.StatusRequestTimeout,
	trawl.Conflict:        http.StatusConflict,
	trawl.TooLarge:        http.StatusRequestEntityTooLarge,
	trawl.Unprocessable:   http.StatusUnprocessableEntity,
	trawl.RateLimited:     http.StatusTooManyRequests,
	trawl.Upstream:        http.StatusBadGateway,
	trawl.UpstreamTimeout: http.StatusGatewayTimeout,
	trawl.Unavailable:     http.StatusServiceUnavailable,
	trawl.SiteFailed:      http.StatusInternalServerError,
	trawl.Unresolved:      http.StatusOK, // the contract's one error that is a 200
}

// retryableKinds may work when the same request is sent again later.
var retryableKinds = map[trawl.Kind]bool{
	trawl.Internal: true, trawl.TimedOut: true, trawl.RateLimited: true, trawl.Upstream: true,
	trawl.UpstreamTimeout: true, trawl.Unavailable: true,
}

// retryableCodes are the failures of a site that may pass.
var retryableCodes = map[string]bool{
	"SCRAPE_ALL_ENGINES_FAILED": true, "SCRAPE_RETRY_LIMIT": true,
	"SCRAPE_PDF_ANTIBOT_ERROR": true, "SCRAPE_PDF_PREFETCH_FAILED": true, "SCRAPE_PDF_FETCH_PROXY_ERROR": true,
	"SCRAPE_DOCUMENT_ANTIBOT_ERROR": true, "SCRAPE_DOCUMENT_PREFETCH_FAILED": true, "SCRAPE_DOCUMENT_FETCH_PROXY_ERROR": true,
}

// ErrStopping is the cause with which requests are cancelled that outlast the
// server's patience when it stops: they are answered 503.
var ErrStopping = errors.New("the server is stopping")

// fail turns an error into an answer and gives its status. It is the one place
// where an error is logged.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) int {
	ctx := r.Context()
	if errors.Is(context.Cause(ctx), ErrStopping) {
		err = trawl.Errorf(trawl.Unavailable, "Service Unavailable").Because(err)
	} else if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		s.Log.InfoContext(ctx, "caller left", "path", r.URL.Path)
		return statusCallerLeft
	}
	e := public(err)
	status := statuses[e.Kind]
	if status >= http.StatusInternalServerError && e.Kind != trawl.SiteFailed {
		s.Log.ErrorContext(ctx, "request failed", "path", r.URL.Path, "status", status, "err", err)
	} else if e.Cause != nil {
		s.Log.InfoContext(ctx, "request refused", "path", r.URL.Path, "status", status, "err", err)
	}
	s.setErrorHeaders(w, r, e)
	if err := writeJSON(w, status, errorBody(ctx, e)); err != nil {
		s.Log.ErrorContext(ctx, "write error", "err", err)
	}
	return status
}

// statusCallerLeft is only ever seen in logs and metrics: nobody reads the answer.
const statusCallerLeft = 499

// public gives what the caller may know of an error.
func public(err error) *trawl.Error {
	var e *trawl.Error
	switch {
	case errors.As(err, &e):
		return e
	case store.Unavailable(err) || blob.Unavailable(err):
		return trawl.Errorf(trawl.Unavailable, "Service Unavailable").Because(err)
	case errors.Is(err, context.DeadlineExceeded):
		return trawl.Errorf(trawl.TimedOut, "Request Timeout").WithCode("SCRAPE_TIMEOUT").Because(err)
	default:
		return trawl.Errorf(trawl.Internal, "Internal Server Error").WithCode("UNKNOWN_ERROR").Because(err)
	}
}

func (s *Server) setErrorHeaders(w http.ResponseWriter, r *http.Request, e *trawl.Error) {
	wait := e.RetryAfter
	if wait == 0 && (e.Kind == trawl.Unavailable || e.Kind == trawl.RateLimited) {
		wait = time.Second
	}
	if wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	}
	_, sent := bearer(r)
	if e.Kind == trawl.Unauthorized || e.Kind == trawl.RateLimited && !sent {
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+s.baseURL(r)+`/.well-known/oauth-protected-resource"`)
	}
}

// errorReply is the one error format.
type errorReply struct {
	Success bool   `json:"success"`
	Error   string `json:"error"`
	Code    string `json:"code,omitempty"`
	Details any    `json:"details,omitempty"`
}

// errorBody writes an error for its caller; the few with further fields are written as a map.
func errorBody(ctx context.Context, e *trawl.Error) any {
	details := errorDetails(ctx, e)
	if len(e.Extra) == 0 {
		return errorReply{Error: e.Message, Code: e.Code, Details: details}
	}
	body := map[string]any{"success": false, "error": e.Message, "code": e.Code, "details": details}
	maps.Copy(body, e.Extra)
	return body
}

// errorDetails adds what callers rely on to what the error says itself: whether
// to try again on every coded error, the request id on every fault.
func errorDetails(ctx context.Context, e *trawl.Error) any {
	details, ok := detailMap(e.Details)
	if !ok {
		return e.Details
	}
	if _, said := details["retryable"]; e.Code != "" && !said {
		details["retryable"] = retryableKinds[e.Kind] || retryableCodes[e.Code]
	}
	if status := statuses[e.Kind]; status >= http.StatusInternalServerError {
		details["requestId"] = telemetry.RequestID(ctx)
	}
	if len(details) == 0 {
		return nil
	}
	return details
}

// detailMap gives details that are an object, or none, as a map to add to.
func detailMap(details any) (map[string]any, bool) {
	switch details := details.(type) {
	case nil:
		return map[string]any{}, true
	case map[string]any:
		return maps.Clone(details), true
	case []trawl.Issue:
		return nil, false
	}
	data, err := json.Marshal(details)
	if err != nil {
		return nil, false
	}
	var object map[string]any
	return object, json.Unmarshal(data, &object) == nil && object != nil
}
