package trawl

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
)

// Crawler walks sites and scrapes their pages.
type Crawler interface {
	StartCrawl(ctx context.Context, req CrawlRequest) (*CrawlStarted, error)
	CrawlStatus(ctx context.Context, id string, part Window) (*CrawlStatus, error)
	CancelCrawl(ctx context.Context, id string) error
	CrawlErrors(ctx context.Context, id string) (*CrawlErrors, error)
	ActiveCrawls(ctx context.Context) ([]ActiveCrawl, error)
	PreviewCrawl(ctx context.Context, req CrawlPreviewRequest) (*CrawlPreview, error)
}

// BatchScraper scrapes lists of pages. A batch is a crawl without discovery.
type BatchScraper interface {
	StartBatch(ctx context.Context, req BatchRequest) (*BatchStarted, error)
	BatchStatus(ctx context.Context, id string, part Window) (*CrawlStatus, error)
	CancelBatch(ctx context.Context, id string) error
	BatchErrors(ctx context.Context, id string) (*CrawlErrors, error)
}

// CrawlRequest is the body of POST /v2/crawl.
type CrawlRequest struct {
	URL    string `json:"url" schema:"required" doc:"Where the crawl starts."`
	Prompt string `json:"prompt,omitempty" schema:"maxLength=10000" doc:"What is wanted, in words; options the request does not name are derived from it."`
	CrawlOptions
	ScrapeOptions     ScrapeOptions `json:"scrapeOptions" doc:"How each page is scraped."`
	Webhook           *Webhook      `json:"webhook,omitempty" doc:"Whom to tell."`
	ZeroDataRetention bool          `json:"zeroDataRetention,omitempty" doc:"No cache; results are purged when the crawl expires."`

	IdempotencyKey string `json:"-"` // from the header; empty: none
	BaseURL        string `json:"-"` // where the caller reached this server; what webhooks tell of files begins with it

	sent map[string]bool // the keys of the body; nil: the request was made in Go
}

// UnmarshalJSON also remembers which keys there were: what a prompt suggests
// never overrides one of them, not even one that has its default.
func (r *CrawlRequest) UnmarshalJSON(data []byte) error {
	type plain CrawlRequest
	if err := json.Unmarshal(data, (*plain)(r)); err != nil {
		return err
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return err
	}
	r.sent = make(map[string]bool, len(keys))
	for key := range keys {
		r.sent[key] = true
	}
	return nil
}

// Accept takes over generated options for the keys the caller did not send.
func (r *CrawlRequest) Accept(generated CrawlOptions) error {
	text, err := json.Marshal(generated)
	if err != nil {
		return err
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return err
	}
	own, err := json.Marshal(r.CrawlOptions)
	if err != nil {
		return err
	}
	var set map[string]json.RawMessage
	if err := json.Unmarshal(own, &set); err != nil {
		return err
	}
	for key := range keys {
		if _, given := set[key]; given || r.sent[key] {
			delete(keys, key)
		}
	}
	accepted, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	return json.Unmarshal(accepted, &r.CrawlOptions)
}

// CrawlOptions say which addresses belong to a crawl and how fast it goes.
type CrawlOptions struct {
	IncludePaths           []string `json:"includePaths,omitempty" schema:"default=[]" doc:"RE2 patterns; when there are any, one must match the path."`
	ExcludePaths           []string `json:"excludePaths,omitempty" schema:"default=[]" doc:"RE2 patterns; a path that one matches is left out."`
	RegexOnFullURL         bool     `json:"regexOnFullURL,omitempty" schema:"default=false" doc:"Match the whole address instead of its path."`
	MaxDiscoveryDepth      *int     `json:"maxDiscoveryDepth,omitempty" schema:"min=0" doc:"Links from the start at most; 0: the start and the sitemap. Absent: no limit."`
	Limit                  int      `json:"limit,omitempty" schema:"min=1,default=10000" doc:"Pages at most, the start included."`
	CrawlEntireDomain      bool     `json:"crawlEntireDomain,omitempty" schema:"default=false" doc:"Not only below the path of the start."`
	AllowSubdomains        bool     `json:"allowSubdomains,omitempty" schema:"default=false" doc:"Also hosts of the same registrable domain."`
	AllowExternalLinks     bool     `json:"allowExternalLinks,omitempty" schema:"default=false" doc:"Also other hosts, one hop away."`
	Sitemap                string   `json:"sitemap,omitempty" schema:"enum=include|skip|only,default=include" doc:"Whether sitemaps are read, and whether links are followed beside them."`
	IgnoreQueryParameters  bool     `json:"ignoreQueryParameters,omitempty" schema:"default=false" doc:"Addresses that differ in their query are one page."`
	DeduplicateSimilarURLs *bool    `json:"deduplicateSimilarURLs,omitempty" schema:"default=true" doc:"http and https, www. and none, trailing slash and none, index files: one page."`
	IgnoreRobotsTxt        bool     `json:"ignoreRobotsTxt,omitempty" schema:"default=false" doc:"Needs the operator's permission."`
	RobotsUserAgent        string   `json:"robotsUserAgent,omitempty" doc:"Name used for robots.txt. Needs the operator's permission."`
	Delay                  *float64 `json:"delay,omitempty" schema:"max=60" doc:"Seconds between pages; one page at a time."`
	MaxConcurrency         int      `json:"maxConcurrency,omitempty" schema:"min=1" doc:"Pages at once; lowered to the limit of the team."`
}

// The values of CrawlOptions.Sitemap.
const (
	SitemapInclude = "include"
	SitemapSkip    = "skip"
	SitemapOnly    = "only"
)

// DefaultCrawlLimit is the number of pages of a crawl that names none.
const DefaultCrawlLimit = 10_000

// Similar tells whether similar addresses are one page.
func (o CrawlOptions) Similar() bool { return yes(o.DeduplicateSimilarURLs) }

// WithDefaults fills in what the caller left open.
func (o CrawlOptions) WithDefaults() CrawlOptions {
	if o.Limit == 0 {
		o.Limit = DefaultCrawlLimit
	}
	if o.Sitemap == "" {
		o.Sitemap = SitemapInclude
	}
	similar := o.Similar()
	o.DeduplicateSimilarURLs = &similar
	return o
}

// Validate gives the issues that no schema expresses.
func (r CrawlRequest) Validate() []Issue {
	issues := r.CrawlOptions.Validate()
	issues = append(issues, within("scrapeOptions", r.ScrapeOptions.Validate())...)
	return append(issues, r.Webhook.validate()...)
}

// Validate gives the issues that no schema expresses.
func (o CrawlOptions) Validate() []Issue {
	issues := checkPatterns(o.IncludePaths, "includePaths")
	issues = append(issues, checkPatterns(o.ExcludePaths, "excludePaths")...)
	if o.Delay != nil && *o.Delay <= 0 {
		least, inclusive := 0.0, false
		issues = append(issues, Issue{
			Code: IssueTooSmall, Path: []any{"delay"}, Origin: "number", Minimum: &least, Inclusive: &inclusive,
			Message: "Too small: expected number to be >0",
		})
	}
	return issues
}

// checkPatterns finds the first pattern that cannot be read; blank ones do not count.
func checkPatterns(patterns []string, field string) []Issue {
	for _, p := range patterns {
		if strings.TrimSpace(p) == "" {
			continue
		}
		if _, err := regexp.Compile(p); err != nil {
			return []Issue{CustomIssue("Invalid pattern in "+field+" (RE2 syntax: no look-around, no back-references): "+err.Error(), field)}
		}
	}
	return nil
}

// within puts a field before the paths of issues.
func within(field string, issues []Issue) []Issue {
	for i := range issues {
		issues[i].Path = append([]any{field}, issues[i].Path...)
	}
	return issues
}

// CrawlStarted answers POST /v2/crawl.
type CrawlStarted struct {
	Success                bool          `json:"success"`
	ID                     string        `json:"id"`
	URL                    string        `json:"url"`
	PromptGeneratedOptions *CrawlOptions `json:"promptGeneratedOptions,omitempty"`
	FinalCrawlerOptions    *CrawlOptions `json:"finalCrawlerOptions,omitempty"`
}

// BatchRequest is the body of POST /v2/batch/scrape: the options of a scrape stand beside it.
type BatchRequest struct {
	URLs              []string `json:"urls" schema:"required,minItems=1" doc:"Addresses; one that stands there twice is scraped twice."`
	IgnoreInvalidURLs *bool    `json:"ignoreInvalidURLs,omitempty" schema:"default=true" doc:"Leave bad addresses out and list them; false: refuse the whole request."`
	Webhook           *Webhook `json:"webhook,omitempty" doc:"Whom to tell."`
	AppendToID        string   `json:"appendToId,omitempty" schema:"pattern=^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$" doc:"Add the addresses to this batch."`
	MaxConcurrency    int      `json:"maxConcurrency,omitempty" schema:"min=1" doc:"Pages at once; lowered to the limit of the team."`
	ZeroDataRetention bool     `json:"zeroDataRetention,omitempty" doc:"No cache, no change history; results are purged when the batch expires."`
	ScrapeOptions

	IdempotencyKey string `json:"-"` // from the header; empty: none
	BaseURL        string `json:"-"` // where the caller reached this server; what webhooks tell of files begins with it
}

// SkipsInvalid tells whether bad addresses are left out.
func (r BatchRequest) SkipsInvalid() bool { return yes(r.IgnoreInvalidURLs) }

// Validate gives the issues that no schema expresses.
func (r BatchRequest) Validate() []Issue {
	return append(r.ScrapeOptions.Validate(), r.Webhook.validate()...)
}

// BatchStarted answers POST /v2/batch/scrape.
type BatchStarted struct {
	Success     bool      `json:"success"`
	ID          string    `json:"id"`
	URL         string    `json:"url"`
	InvalidURLs *[]string `json:"invalidURLs,omitempty"` // nil: bad addresses were not to be left out
}

// The states of a crawl. internal/crawl draws the moves between them.
const (
	CrawlScraping  = "scraping"
	CrawlCompleted = "completed"
	CrawlFailed    = "failed"
	CrawlCancelled = "cancelled"
)

// Window is the part of a long list that is asked for.
type Window struct {
	Skip  int `json:"skip" schema:"min=0,default=0" doc:"Documents to pass over."`
	Limit int `json:"limit" schema:"min=1,max=1000,default=100" doc:"Documents at most; 10 MiB of them in any case."`

	Packed bool `json:"-"` // the documents may come as CrawlStatus.Packed instead of Data
}

// The bounds of a window.
const (
	DefaultWindow = 100
	MaxWindow     = 1000
)

// CrawlStatus answers GET /v2/crawl/{id} and GET /v2/batch/scrape/{id}.
type CrawlStatus struct {
	Success     bool           `json:"success"`
	Status      string         `json:"status"`
	Total       int            `json:"total"`     // pages known and not failed
	Completed   int            `json:"completed"` // documents that can be had
	CreditsUsed int            `json:"creditsUsed"`
	ExpiresAt   Timestamp      `json:"expiresAt"`
	CreatedAt   Timestamp      `json:"createdAt"`
	CompletedAt *Timestamp     `json:"completedAt,omitempty"`
	Duration    *float64       `json:"duration,omitempty"` // seconds
	Next        string         `json:"next,omitempty"`
	Data        []WireDocument `json:"data"` // in the order of completion
	Error       string         `json:"error,omitempty"`
	Warning     string         `json:"warning,omitempty"`

	More   bool    `json:"-"` // documents follow after Data
	Packed *Packed `json:"-"` // the documents, when Data is empty because the caller takes them so; nil: they are in Data
}

// Packed is a list of documents as JSON with commas between them, compressed
// once for everyone who asks.
type Packed struct {
	Deflate []byte // RFC 1951, whole bytes, without a final block: it can stand inside a longer stream
	Size    int    // bytes before compression
	Sum     uint32 // their CRC-32, as gzip wants it
	Count   int    // documents
}

// Count gives how many documents this part has.
func (s *CrawlStatus) Count() int {
	if s.Packed != nil {
		return s.Packed.Count
	}
	return len(s.Data)
}

// Ended tells whether the crawl has reached a final state.
func (s *CrawlStatus) Ended() bool { return s.Status != CrawlScraping }

// Documents reads the documents of this part.
func (s *CrawlStatus) Documents() ([]*Document, error) {
	docs := make([]*Document, len(s.Data))
	for i, text := range s.Data {
		docs[i] = new(Document)
		if err := json.Unmarshal(text, docs[i]); err != nil {
			return nil, err
		}
	}
	return docs, nil
}

// WireDocument is a Document as it is written. A status carries many of them,
// and most are only passed on.
type WireDocument json.RawMessage

// MarshalJSON gives the text as it is.
func (d WireDocument) MarshalJSON() ([]byte, error) { return d, nil }

// UnmarshalJSON keeps the text as it is.
func (d *WireDocument) UnmarshalJSON(text []byte) error {
	*d = append((*d)[:0], text...)
	return nil
}

// JSONSchema is that of a document.
func (WireDocument) JSONSchema() map[string]any {
	return schema{"$ref": "#/components/schemas/Document"}
}

// CrawlErrors answers GET …/errors.
type CrawlErrors struct {
	Success       bool         `json:"success"`
	Errors        []CrawlError `json:"errors"`
	RobotsBlocked []string     `json:"robotsBlocked"`
}

// CrawlError is a page that could not be had.
type CrawlError struct {
	ID        string     `json:"id"` // what would have been its scrape id
	Timestamp *Timestamp `json:"timestamp,omitempty"`
	URL       string     `json:"url"`
	Code      string     `json:"code,omitempty"`
	Error     string     `json:"error"`
}

// ActiveCrawlsReply answers GET /v2/crawl/active.
type ActiveCrawlsReply struct {
	Success bool          `json:"success"`
	Crawls  []ActiveCrawl `json:"crawls"`
}

// ActiveCrawl is a crawl that runs.
type ActiveCrawl struct {
	ID        string          `json:"id"`
	TeamID    string          `json:"teamId"`
	URL       string          `json:"url"`
	CreatedAt Timestamp       `json:"created_at"`
	Options   EffectiveOption `json:"options"`
}

// EffectiveOption is what a running crawl goes by.
type EffectiveOption struct {
	CrawlOptions
	ScrapeOptions ScrapeOptions `json:"scrapeOptions"`
}

// CrawlPreviewRequest is the body of POST /v2/crawl/params-preview. Unknown keys are dropped.
type CrawlPreviewRequest struct {
	URL    string `json:"url"`
	Prompt string `json:"prompt"`
}

// JSONSchema leaves the object open.
func (CrawlPreviewRequest) JSONSchema() map[string]any {
	return schema{"type": "object", "required": []any{"url", "prompt"}, "properties": schema{
		"url":    schema{"type": "string"},
		"prompt": schema{"type": "string", "maxLength": 10000},
	}}
}

// CrawlPreview is what a prompt means for a crawl of a site.
type CrawlPreview struct {
	URL string `json:"url"`
	CrawlOptions
	Warning string `json:"-"` // beside the data of the answer
}

// CrawlPreviewReply answers POST /v2/crawl/params-preview.
type CrawlPreviewReply struct {
	Success bool          `json:"success"`
	Data    *CrawlPreview `json:"data"`
	Warning string        `json:"warning,omitempty"`
}

// CancelReply answers the cancellation of a crawl or a batch.
type CancelReply struct {
	Success bool   `json:"success"`
	Status  string `json:"status"`
}
