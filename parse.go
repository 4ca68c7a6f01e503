package trawl

import (
	"context"
	"io"
)

// FileParser turns a file into a document.
type FileParser interface {
	Parse(ctx context.Context, file File, options ParseOptions) (*Document, error)
}

// Uploads lets a caller send a file first and have it parsed later. The slot's
// reference is the credential: whoever has it may fill the slot.
type Uploads interface {
	// OpenSlot makes a place for one file.
	OpenSlot(ctx context.Context, req UploadRequest) (*UploadSlot, error)
	// Upload fills a slot; again and again, until it is parsed.
	Upload(ctx context.Context, id, ref string, content io.Reader) error
	// ParseUploaded parses what a slot holds, and removes the slot.
	ParseUploaded(ctx context.Context, req UploadedRequest) (*Document, error)
}

// MaxFileSize is how large a file may be, in bytes.
const MaxFileSize = 50 << 20

// File is a file that somebody sent.
type File struct {
	Name        string    // as its sender calls it
	ContentType string    // as its sender says; may be empty or wrong
	Size        int64     // bytes
	Content     io.Reader // read once
}

// ParseOptions say what is made of a file. They are those of a scrape, so that
// callers need not know two sets; what only makes sense for a page is accepted
// where it is harmless and refused where it would change the answer.
type ParseOptions struct {
	ZeroDataRetention bool `json:"zeroDataRetention,omitempty" doc:"Store nothing: no result to read again."`
	ScrapeOptions
}

// UploadedRequest is the JSON body of POST /v2/parse.
type UploadedRequest struct {
	UploadRef string `json:"uploadRef" schema:"required" doc:"Reference of a slot that was filled."`
	ParseOptions
}

// UploadRequest is the body of POST /v2/parse/upload-url.
type UploadRequest struct {
	Filename          string `json:"filename" schema:"required,minLength=1,maxLength=512" doc:"Name of the file; its ending says what it is."`
	ContentType       string `json:"contentType,omitempty" schema:"minLength=1,maxLength=255" doc:"Media type, for a name without an ending."`
	DeclaredSizeBytes int64  `json:"declaredSizeBytes,omitempty" schema:"min=1,max=52428800" doc:"Size of the file, if it is known."`
}

// UploadQuery is the query of PUT /v2/parse/upload/{uploadId}.
type UploadQuery struct {
	UploadRef string `json:"uploadRef" doc:"Reference of the slot."`
}

// UploadSlot is a place for one file, for a short while.
type UploadSlot struct {
	ID           string            `json:"-"`
	UploadURL    string            `json:"uploadUrl"`
	UploadRef    string            `json:"uploadRef"`
	Method       string            `json:"method"`
	Headers      map[string]string `json:"headers"`
	ExpiresAt    Timestamp         `json:"expiresAt"`
	MaxSizeBytes int64             `json:"maxSizeBytes"`
}

// UploadReply answers POST /v2/parse/upload-url.
type UploadReply struct {
	Success bool        `json:"success"`
	Data    *UploadSlot `json:"data"`
}

// Bounds of a parse.
const (
	DefaultParseTimeout = 120_000 // milliseconds
	maxParseTimeout     = 300_000
)

// Validate gives the issues that no schema expresses. Combinations of formats
// need no look: those that a scrape refuses have a refused format in them.
func (o ParseOptions) Validate() []Issue {
	var issues []Issue
	for _, unknown := range []struct {
		key  string
		sent bool
	}{{"threatProtection", o.ThreatProtection != nil}, {"toolDetail", o.ToolDetail != nil}} {
		if unknown.sent {
			issues = append(issues, Issue{Code: IssueUnrecognized, Path: []any{}, Keys: []string{unknown.key}, Message: `Unrecognized key: "` + unknown.key + `"`})
		}
	}
	if o.Wants(FormatRawBase64) {
		issues = append(issues, CustomIssue("The rawBase64 format is not supported for parse uploads", "formats"))
	}
	return issues
}

// Refused gives why a file cannot be parsed with these options; the first
// reason wins. Nil: it can.
func (o ParseOptions) Refused() error {
	for _, rule := range []struct {
		meets  bool
		reason string
	}{
		{len(o.Actions) > 0, "Parse uploads do not support actions."},
		{o.Wants(FormatScreenshot), "Parse uploads do not support screenshot output."},
		{o.Wants(FormatBranding), "Parse uploads do not support branding output."},
		{o.Wants(FormatChangeTracking), "Parse uploads do not support change tracking."},
		{o.Wants(FormatAudio), "Parse uploads do not support audio output."},
		{o.Wants(FormatVideo), "Parse uploads do not support video output."},
		{o.Wants(FormatProduct), "Parse uploads do not support product output."},
		{o.Wants(FormatMenu), "Parse uploads do not support menu output."},
		{o.Wants(FormatDeterministicJSON), "Parse uploads do not support deterministicJson output."},
		{o.WaitFor > 0, "Parse uploads do not support waitFor."},
		{o.Location != nil, "Parse uploads do not support location overrides."},
		{o.Mobile, "Parse uploads do not support mobile rendering."},
		{o.Stealth(), "Parse uploads only support proxy values of auto or basic."},
	} {
		if rule.meets {
			return Errorf(Invalid, "%s", rule.reason).WithCode("PARSE_UNSUPPORTED_OPTIONS")
		}
	}
	return nil
}

// Effective gives the options that mean something for a file, and only those.
func (o ParseOptions) Effective() ScrapeOptions {
	timeout := min(o.Timeout, maxParseTimeout)
	if timeout == 0 {
		timeout = DefaultParseTimeout
	}
	return ScrapeOptions{
		Formats: o.Formats, Parsers: o.Parsers, OnlyMainContent: o.OnlyMainContent, OnlyCleanContent: o.OnlyCleanContent,
		IncludeTags: o.IncludeTags, ExcludeTags: o.ExcludeTags, RemoveBase64Images: o.RemoveBase64Images,
		RedactPII: o.RedactPII, AuditMetadata: o.AuditMetadata, Timeout: timeout,
	}
}
