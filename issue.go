package trawl

import (
	"fmt"
	"strings"
)

// The codes of an Issue.
const (
	IssueType         = "invalid_type"
	IssueValue        = "invalid_value"
	IssueFormat       = "invalid_format"
	IssueUnion        = "invalid_union"
	IssueTooSmall     = "too_small"
	IssueTooBig       = "too_big"
	IssueUnrecognized = "unrecognized_keys"
	IssueCustom       = "custom"
)

// Issue is one thing that is wrong with a request, and where.
type Issue struct {
	Code      string   `json:"code"`
	Path      []any    `json:"path"` // keys and indices from the root of the body
	Message   string   `json:"message"`
	Keys      []string `json:"keys,omitempty"`      // unrecognized_keys: which
	Expected  string   `json:"expected,omitempty"`  // invalid_type: what should stand there
	Values    []any    `json:"values,omitempty"`    // invalid_value: what may stand there
	Format    string   `json:"format,omitempty"`    // invalid_format: what it should look like
	Minimum   *float64 `json:"minimum,omitempty"`   // too_small
	Maximum   *float64 `json:"maximum,omitempty"`   // too_big
	Inclusive *bool    `json:"inclusive,omitempty"` // whether the bound itself is allowed
	Origin    string   `json:"origin,omitempty"`    // what was measured: number, string, array
}

// CustomIssue is an issue that no schema can express; its message becomes the
// answer's "error" when it is the first one.
func CustomIssue(message string, path ...any) Issue {
	return Issue{Code: IssueCustom, Path: at(path), Message: message}
}

// URLIssue is what is wrong with an address field.
func URLIssue(message string, path ...any) Issue {
	return Issue{Code: IssueFormat, Format: "url", Path: at(path), Message: message}
}

// at keeps an empty path an empty array on the wire, never null.
func at(path []any) []any {
	if path == nil {
		return []any{}
	}
	return path
}

// BadRequest gathers issues into the one error a caller sees. Which string
// stands in "error" is decided by the first rule that fits: keys we do not
// know, an address that is none, a custom message, or plain "Bad Request".
func BadRequest(issues []Issue) *Error {
	return &Error{Kind: Invalid, Code: "BAD_REQUEST", Message: badRequestMessage(issues), Details: issues}
}

func badRequestMessage(issues []Issue) string {
	var unknown []string
	invalidURL := false
	for _, issue := range issues {
		for _, key := range issue.Keys {
			unknown = append(unknown, fmt.Sprintf("%q", key))
		}
		invalidURL = invalidURL || isURLPath(issue.Path)
	}
	switch {
	case len(unknown) > 0:
		return "Unrecognized key in body: " + strings.Join(unknown, ", ")
	case invalidURL:
		return "Invalid URL"
	case len(issues) > 0 && issues[0].Code == IssueCustom:
		return issues[0].Message
	default:
		return "Bad Request"
	}
}

// isURLPath tells the paths `url` and `urls[i]` from all others.
func isURLPath(path []any) bool {
	if len(path) == 0 {
		return false
	}
	return path[0] == "url" && len(path) == 1 || path[0] == "urls" && len(path) <= 2
}
