package trawl

import (
	"context"
	"encoding/json"
	"time"
)

// Scraper turns one address into one document.
type Scraper interface {
	Scrape(ctx context.Context, req ScrapeRequest) (*Document, error)
	// Scraped gives the document of an earlier scrape of the same team.
	Scraped(ctx context.Context, id string) (*Document, error)
}

// ScrapeRequest is the body of POST /v2/scrape.
type ScrapeRequest struct {
	URL               string `json:"url" schema:"required" doc:"Address of the page; http:// is put before one that has no scheme."`
	ZeroDataRetention bool   `json:"zeroDataRetention,omitempty" doc:"Store nothing: no cache entry, no result to read again, no change history."`
	ScrapeOptions
}

// ScrapeOptions say how a page is brought and what is made of it. Scrape takes
// them beside its own fields; crawl, search and others as scrapeOptions.
type ScrapeOptions struct {
	Formats             *[]Format         `json:"formats,omitempty" schema:"default=[\"markdown\"]" doc:"What the document should hold; an empty list gives metadata only."`
	Headers             map[string]string `json:"headers,omitempty" doc:"Sent to the target. Switches the cache off."`
	IncludeTags         []string          `json:"includeTags,omitempty" doc:"CSS selectors; only what they match is kept."`
	ExcludeTags         []string          `json:"excludeTags,omitempty" doc:"CSS selectors; what they match is removed. Written *text* it is a regular expression over tag names and attributes."`
	OnlyMainContent     *bool             `json:"onlyMainContent,omitempty" schema:"default=true" doc:"Drop navigation, headers, footers, sidebars, advertisements and the like."`
	OnlyCleanContent    bool              `json:"onlyCleanContent,omitempty" schema:"default=false" doc:"Also let the model remove boilerplate from the markdown."`
	Timeout             int               `json:"timeout,omitempty" schema:"min=1000" doc:"Milliseconds for the whole request, waiting included. At most 300000 when absent."`
	WaitFor             int               `json:"waitFor,omitempty" schema:"min=0,max=60000,default=0" doc:"Extra milliseconds after the page has loaded."`
	Mobile              bool              `json:"mobile,omitempty" schema:"default=false" doc:"Behave like a telephone."`
	Parsers             *[]Parser         `json:"parsers,omitempty" schema:"default=[\"pdf\",\"image\"]" doc:"Which files are read; an empty list: none."`
	Actions             []Action          `json:"actions,omitempty" doc:"Steps in the browser before the page is captured; 50 at most."`
	Location            *Location         `json:"location,omitempty" doc:"Where the request should seem to come from."`
	SkipTLSVerification *bool             `json:"skipTlsVerification,omitempty" doc:"Accept invalid certificates. Default: true, but false with headers or actions."`
	RemoveBase64Images  *bool             `json:"removeBase64Images,omitempty" schema:"default=true" doc:"Leave embedded images out of the markdown."`
	FastMode            bool              `json:"fastMode,omitempty" schema:"default=false" doc:"Plain HTTP, unless a format or an action needs a browser."`
	BlockAds            *bool             `json:"blockAds,omitempty" schema:"default=true" doc:"Block advertisements, trackers and cookie banners."`
	Proxy               string            `json:"proxy,omitempty" schema:"enum=basic|stealth|enhanced|auto,default=auto" doc:"Which way out; enhanced means stealth."`
	MaxAge              *int64            `json:"maxAge,omitempty" schema:"min=0,default=172800000" doc:"Accept a stored copy of at most this age, in milliseconds."`
	MinAge              *int64            `json:"minAge,omitempty" schema:"min=0" doc:"Only a stored copy of at least this age will do; never fetches."`
	StoreInCache        *bool             `json:"storeInCache,omitempty" schema:"default=true" doc:"Keep the page for later requests."`
	Lockdown            bool              `json:"lockdown,omitempty" schema:"default=false" doc:"Answer from the cache or not at all; nothing goes out."`
	RedactPII           *Redaction        `json:"redactPII,omitempty" doc:"Remove personal data from the text."`
	Profile             *Profile          `json:"profile,omitempty" doc:"A browser profile that outlives the request."`
	ThreatProtection    *ThreatProtection `json:"threatProtection,omitempty" doc:"Addresses that must not be fetched."`
	AuditMetadata       *AuditMetadata    `json:"auditMetadata,omitempty" doc:"Written to the audit log."`
	DomainTools         json.RawMessage   `json:"domainTools,omitempty" doc:"Accepted and ignored."`
	ToolDetail          json.RawMessage   `json:"toolDetail,omitempty" doc:"Accepted and ignored."`
	UseMock             json.RawMessage   `json:"useMock,omitempty" doc:"Accepted and ignored."`
}

// Location is where a request should seem to come from.
type Location struct {
	Country   string   `json:"country,omitempty"`
	Languages []string `json:"languages,omitempty"`
}

// Profile names a browser profile.
type Profile struct {
	Name        string `json:"name"`
	SaveChanges *bool  `json:"saveChanges,omitempty"` // nil: true
}

// ThreatProtection lists hosts that must not, or may, be fetched.
type ThreatProtection struct {
	Mode        string   `json:"mode" schema:"required,enum=off|manual-only|normal|zscaler"`
	Blacklist   []string `json:"blacklist,omitempty"`
	Whitelist   []string `json:"whitelist,omitempty"`
	BlockedTLDs []string `json:"blockedTlds,omitempty"`
}

// AuditMetadata says on whose behalf a request is made.
type AuditMetadata struct {
	Username string `json:"username,omitempty"`
}

// Redaction says which personal data is removed and how. On the wire true means all defaults.
type Redaction struct {
	Off          bool     `json:"-"`
	Mode         string   `json:"mode,omitempty"`
	Entities     []string `json:"entities,omitempty"`
	ReplaceStyle string   `json:"replaceStyle,omitempty"`
}

// UnmarshalJSON takes the boolean and the object.
func (r *Redaction) UnmarshalJSON(data []byte) error {
	var on bool
	if json.Unmarshal(data, &on) == nil {
		*r = Redaction{Off: !on}
		return nil
	}
	type plain Redaction
	return json.Unmarshal(data, (*plain)(r))
}

// MarshalJSON writes the switch when it is off, so that off stays off.
func (r Redaction) MarshalJSON() ([]byte, error) {
	if r.Off {
		return []byte("false"), nil
	}
	type plain Redaction
	return json.Marshal(plain(r))
}

// Parser says how one kind of file is read. On the wire it is a bare name or an object.
type Parser struct {
	Type         string `json:"type"`
	Mode         string `json:"mode,omitempty"`     // pdf: fast, auto, ocr; empty: auto
	MaxPages     int    `json:"maxPages,omitempty"` // pdf; 0: all
	Pages        *bool  `json:"pages,omitempty"`    // pdf: fill Document.Pages
	PageMarkdown bool   `json:"pageMarkdown,omitempty"`
	Blocks       bool   `json:"blocks,omitempty"`      // pdf: fill Document.Blocks
	PageMarkers  bool   `json:"pageMarkers,omitempty"` // pdf: mark the page borders in the markdown
}

// UnmarshalJSON takes the bare name and the object.
func (p *Parser) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		*p = Parser{}
		return json.Unmarshal(data, &p.Type)
	}
	type plain Parser
	return json.Unmarshal(data, (*plain)(p))
}

// WantsPages tells whether the text of each page is asked for; the older name
// counts only where the newer one is absent.
func (p Parser) WantsPages() bool {
	if p.Pages != nil {
		return *p.Pages
	}
	return p.PageMarkdown
}

// Bounds and defaults of a scrape.
const (
	MaxScrapeTime   = 300 * time.Second // when the caller names no timeout
	DefaultMaxAge   = 48 * time.Hour
	lockdownMaxAge  = 2 * 365 * 24 * time.Hour
	halfTimeoutText = "waitFor must not exceed half of timeout"
)

// Validate gives the issues that no schema expresses.
func (r ScrapeRequest) Validate() []Issue { return r.ScrapeOptions.Validate() }

// Validate gives the issues that no schema expresses.
func (o ScrapeOptions) Validate() []Issue {
	issues := checkFormats(o.FormatList())
	if o.Timeout > 0 && o.WaitFor > o.Timeout/2 {
		issues = append(issues, CustomIssue(halfTimeoutText, "waitFor"))
	}
	issues = append(issues, checkActions(o.Actions, o.WaitFor)...)
	return append(issues, o.Location.validate()...)
}

// validate checks the country; the schema leaves it open because of its letter case.
func (l *Location) validate() []Issue {
	if l == nil || l.Country == "" || isCountry(l.Country) {
		return nil
	}
	return []Issue{CustomIssue("Invalid country code. Please use a valid ISO 3166-1 alpha-2 country code.", "location", "country")}
}

// FormatList gives the formats asked for: markdown when the caller said nothing.
func (o ScrapeOptions) FormatList() []Format {
	if o.Formats == nil {
		return []Format{{Type: FormatMarkdown}}
	}
	return *o.Formats
}

// Format gives the first format of that name.
func (o ScrapeOptions) Format(name string) (Format, bool) {
	for _, f := range o.FormatList() {
		if f.Type == name {
			return f, true
		}
	}
	return Format{}, false
}

// Wants tells whether a format is asked for.
func (o ScrapeOptions) Wants(name string) bool {
	_, ok := o.Format(name)
	return ok
}

// Parser gives how files of a kind are read, and whether they are read at all.
func (o ScrapeOptions) Parser(kind string) (Parser, bool) {
	if o.Parsers == nil {
		return Parser{Type: kind}, true
	}
	for _, p := range *o.Parsers {
		if p.Type == kind {
			return p, true
		}
	}
	return Parser{}, false
}

// Deadline gives how long the whole request may take.
func (o ScrapeOptions) Deadline() time.Duration {
	if o.Timeout == 0 {
		return MaxScrapeTime
	}
	return time.Duration(o.Timeout) * time.Millisecond
}

// MainOnly tells whether boilerplate is dropped.
func (o ScrapeOptions) MainOnly() bool { return yes(o.OnlyMainContent) }

// WithoutBase64 tells whether embedded images are left out of the markdown.
func (o ScrapeOptions) WithoutBase64() bool { return yes(o.RemoveBase64Images) }

// WithoutAds tells whether advertisements are blocked.
func (o ScrapeOptions) WithoutAds() bool { return yes(o.BlockAds) }

// MayStore tells whether the page may be kept in the cache, as far as the caller is concerned.
func (o ScrapeOptions) MayStore() bool { return yes(o.StoreInCache) }

// SkipsTLS tells whether invalid certificates are accepted. Where the caller
// says nothing they are, unless something of the caller's own is sent along.
func (o ScrapeOptions) SkipsTLS() bool {
	if o.SkipTLSVerification != nil {
		return *o.SkipTLSVerification
	}
	return len(o.Headers) == 0 && len(o.Actions) == 0
}

// Stealth tells whether the caller insists on the stealth proxy.
func (o ScrapeOptions) Stealth() bool { return o.Proxy == "stealth" || o.Proxy == "enhanced" }

// Redacts tells whether personal data is to be removed.
func (o ScrapeOptions) Redacts() bool { return o.RedactPII != nil && !o.RedactPII.Off }

// OldestCopy gives the greatest age of a stored copy that will do.
func (o ScrapeOptions) OldestCopy() time.Duration {
	switch {
	case o.MaxAge != nil:
		return milliseconds(*o.MaxAge)
	case o.Lockdown:
		return lockdownMaxAge
	default:
		return DefaultMaxAge
	}
}

// milliseconds converts without overflowing: an age beyond a century means any age.
func milliseconds(ms int64) time.Duration {
	const century = 100 * 365 * 24 * time.Hour
	return time.Duration(min(ms, century.Milliseconds())) * time.Millisecond
}

// yes reads an optional boolean whose default is true.
func yes(b *bool) bool { return b == nil || *b }
