package trawl

import (
	"fmt"
	"time"
)

// Kind says what went wrong in the words of the domain. The api package holds
// the only table from a kind to an HTTP status.
type Kind int

// The kinds of failure a caller can meet.
const (
	Internal        Kind = iota // a fault of ours: the zero value, so a forgotten kind is never blamed on the caller
	Invalid                     // the request cannot be right as it stands
	Unauthorized                // no key, or not a valid one
	PaymentRequired             // no credits left
	Forbidden                   // the key, the team or the operator's policy does not permit it
	NotFound                    // no such thing, or none that this team may see
	TimedOut                    // the caller's own time limit passed
	Conflict                    // the state of the thing does not allow it
	TooLarge                    // the body is over the limit
	Unprocessable               // a schema is invalid, or nothing could be made that satisfies it
	RateLimited                 // too many requests, or too much at once
	Upstream                    // a part behind us gave an answer we cannot use
	UpstreamTimeout             // a part behind us gave no answer in time
	Unavailable                 // not now; the same request may work later
	SiteFailed                  // the target could not be brought or understood: our answer about it is an error with a code
	Unresolved                  // the target's host name has no address
)

// Error is the one error type that reaches callers. Everything else stays in the log.
type Error struct {
	Kind       Kind           // decides the status
	Message    string         // becomes "error"; callers match on it, so it is contract
	Code       string         // becomes "code" where one is set
	Details    any            // becomes "details": an array of issues, or an object
	Extra      map[string]any // further fields of the answer, beside "error"; few have any
	RetryAfter time.Duration  // becomes the header of that name; zero: none
	Cause      error          // for the log, never for the caller; Unwrap gives it
}

// Errorf makes an error whose message the caller reads exactly as written.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// WithCode sets the machine code.
func (e *Error) WithCode(code string) *Error {
	e.Code = code
	return e
}

// WithDetails sets what becomes "details".
func (e *Error) WithDetails(details any) *Error {
	e.Details = details
	return e
}

// After sets how long the caller should wait before the next try.
func (e *Error) After(d time.Duration) *Error {
	e.RetryAfter = d
	return e
}

// Because records the cause for the log.
func (e *Error) Because(cause error) *Error {
	e.Cause = cause
	return e
}

// Error gives the message, and the cause behind it where there is one: this is
// the text of the log line, not of the answer.
func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Message + ": " + e.Cause.Error()
	}
	return e.Message
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }
