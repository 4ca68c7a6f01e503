package trawl

import (
	"bytes"
	"encoding/json"
	"maps"
	"time"
)

// Document is the answer: what a scrape, a crawled page or a parsed file became.
// A field is set only when its format was asked for and something was found.
type Document struct {
	Markdown       string            `json:"markdown,omitempty"`
	HTML           string            `json:"html,omitempty"`
	RawHTML        string            `json:"rawHtml,omitempty"`
	RawBase64      string            `json:"rawBase64,omitempty"`
	Links          []string          `json:"links,omitempty"`
	Images         []string          `json:"images,omitempty"`
	Screenshot     string            `json:"screenshot,omitempty"`
	Summary        string            `json:"summary,omitempty"`
	JSON           json.RawMessage   `json:"json,omitempty"`
	Answer         string            `json:"answer,omitempty"`
	Highlights     string            `json:"highlights,omitempty"`
	Attributes     []AttributeValues `json:"attributes,omitempty"`
	Branding       map[string]any    `json:"branding,omitempty"`
	Product        *Product          `json:"product,omitempty"`
	ChangeTracking *ChangeTracking   `json:"changeTracking,omitempty"`
	Actions        *ActionResults    `json:"actions,omitempty"`
	Pages          []DocumentPage    `json:"pages,omitempty"`
	Blocks         []PageBlocks      `json:"blocks,omitempty"`
	Warning        string            `json:"warning,omitempty"` // newest message first
	Metadata       Metadata          `json:"metadata"`

	seal     *seal  // the content encoded once; nil: not yet
	metadata []byte // the metadata encoded once; nil: not yet
}

// Warn puts a message before the ones that are already there.
func (d *Document) Warn(message string) {
	d.Unseal()
	if d.Warning != "" {
		message += " " + d.Warning
	}
	d.Warning = message
}

// AttributeValues is what one selector of the attributes format found.
type AttributeValues struct {
	Selector  string   `json:"selector"`
	Attribute string   `json:"attribute"`
	Values    []string `json:"values"`
}

// DocumentPage is one page of a paged file.
type DocumentPage struct {
	PageNumber int    `json:"pageNumber"`
	Markdown   string `json:"markdown"`
}

// PageBlocks is the layout of one page of a paged file.
type PageBlocks struct {
	PageNumber int     `json:"pageNumber"`
	Width      float64 `json:"width"`
	Height     float64 `json:"height"`
	Status     string  `json:"status"`
	Items      []Block `json:"items"`
}

// Block is one piece of a page: where it is, what it is and where its text went.
type Block struct {
	ID           string          `json:"id"`
	Type         string          `json:"type"`
	Label        string          `json:"label"`
	BBox         *[4]float64     `json:"bbox"` // x0, y0, x1, y1; null where unknown
	Content      string          `json:"content"`
	MarkdownSpan *[2]int         `json:"markdownSpan"`
	ReadingOrder int             `json:"readingOrder"`
	Source       string          `json:"source"`
	Confidence   BlockConfidence `json:"confidence"`
}

// BlockConfidence says how sure the layout and the character recognition were.
type BlockConfidence struct {
	Layout *float64 `json:"layout"`
	OCR    *float64 `json:"ocr"`
}

// Product is what a shop page offers.
type Product struct {
	Title       string    `json:"title"`
	URL         string    `json:"url"`
	Brand       string    `json:"brand,omitempty"`
	Category    string    `json:"category,omitempty"`
	Description string    `json:"description,omitempty"`
	Variants    []Variant `json:"variants"`

	SKU string `json:"-"` // the number of the product itself, where its variants have their own
}

// Variant is one thing that can be bought: a size, a colour, or the product itself.
type Variant struct {
	ID           string            `json:"id,omitempty"`
	SKU          string            `json:"sku,omitempty"`
	Title        string            `json:"title,omitempty"`
	Values       map[string]string `json:"values,omitempty"`
	Price        *Price            `json:"price,omitempty"`
	Sale         *Sale             `json:"sale,omitempty"`
	Availability Availability      `json:"availability"`
	Images       []ProductImage    `json:"images,omitempty"`
}

// Price is an amount of money.
type Price struct {
	Amount    float64 `json:"amount"`
	Currency  string  `json:"currency,omitempty"`
	Formatted string  `json:"formatted,omitempty"`
}

// Sale carries the price before a reduction.
type Sale struct {
	OriginalPrice Price `json:"originalPrice"`
}

// Availability says whether a variant can be had now.
type Availability struct {
	InStock bool   `json:"inStock"`
	Text    string `json:"text,omitempty"`
}

// ProductImage is a picture of a variant.
type ProductImage struct {
	URL string `json:"url"`
	Alt string `json:"alt,omitempty"`
}

// ChangeTracking says how a page differs from its last tracked scrape.
type ChangeTracking struct {
	PreviousScrapeAt *Timestamp      `json:"previousScrapeAt"`
	ChangeStatus     string          `json:"changeStatus"` // new, same, changed, removed
	Visibility       string          `json:"visibility"`   // visible, hidden
	Diff             *Diff           `json:"diff,omitempty"`
	JSON             json.RawMessage `json:"json,omitempty"`
}

// Diff is a change as unified text and as the same change taken apart.
type Diff struct {
	Text string   `json:"text"`
	JSON DiffTree `json:"json"`
}

// DiffTree is a parsed unified diff.
type DiffTree struct {
	Files []DiffFile `json:"files"`
}

// DiffFile is the change of one text.
type DiffFile struct {
	From   *string     `json:"from"`
	To     *string     `json:"to"`
	Chunks []DiffChunk `json:"chunks"`
}

// DiffChunk is one hunk; Content is its @@ line.
type DiffChunk struct {
	Content string       `json:"content"`
	Changes []DiffChange `json:"changes"`
}

// DiffChange is one line of a hunk. Added and deleted lines have Line, lines
// that stayed have both OldLine and NewLine.
type DiffChange struct {
	Type    string `json:"type"` // add, del, normal
	Add     bool   `json:"add,omitempty"`
	Del     bool   `json:"del,omitempty"`
	Normal  bool   `json:"normal,omitempty"`
	Line    int    `json:"ln,omitempty"`
	OldLine int    `json:"ln1,omitempty"`
	NewLine int    `json:"ln2,omitempty"`
	Content string `json:"content"`
}

// Metadata is what is known about a document beside its content: what the page
// says of itself, and how it was brought.
type Metadata struct {
	Page map[string]any // title, description, language, og…, every other meta tag under its own name

	ScrapeID                   string
	SourceURL                  string // the address exactly as the caller sent it; of an upload its file name
	SourceFile                 string // file name of an upload; empty for a page
	URL                        string // the address after redirects
	StatusCode                 int
	ContentType                string
	Error                      string // the target's reason phrase when it answered 4xx or 5xx
	ProxyUsed                  string // basic or stealth
	CacheState                 string // hit or miss; empty when reading the cache was not allowed
	CachedAt                   *time.Time
	CreditsUsed                int
	NumPages                   int // pages that were read, of files that have pages
	TotalPages                 int
	ConcurrencyLimited         bool // had to wait for a slot
	ConcurrencyQueueDurationMs int64
}

// metadataWire is the part of Metadata with fixed names.
type metadataWire struct {
	ScrapeID                   string     `json:"scrapeId"`
	SourceURL                  string     `json:"sourceURL"`
	SourceFile                 string     `json:"sourceFile,omitempty"`
	URL                        string     `json:"url,omitempty"`
	StatusCode                 int        `json:"statusCode"`
	ContentType                string     `json:"contentType,omitempty"`
	Error                      string     `json:"error,omitempty"`
	ProxyUsed                  string     `json:"proxyUsed"`
	CacheState                 string     `json:"cacheState,omitempty"`
	CachedAt                   *Timestamp `json:"cachedAt,omitempty"`
	CreditsUsed                int        `json:"creditsUsed"`
	NumPages                   int        `json:"numPages,omitempty"`
	TotalPages                 int        `json:"totalPages,omitempty"`
	ConcurrencyLimited         bool       `json:"concurrencyLimited"`
	ConcurrencyQueueDurationMs *int64     `json:"concurrencyQueueDurationMs,omitempty"`
}

// MarshalJSON writes both halves into one object. Our own fields win over a
// page's meta tag of the same name.
func (m Metadata) MarshalJSON() ([]byte, error) {
	own, err := json.Marshal(m.wire())
	if err != nil || len(m.Page) == 0 {
		return own, err
	}
	page := maps.Clone(m.Page)
	maps.DeleteFunc(page, func(name string, _ any) bool { return reservedMetadata[name] })
	if len(page) == 0 {
		return own, nil
	}
	said, err := json.Marshal(page)
	if err != nil {
		return nil, err
	}
	return bytes.Join([][]byte{said[:len(said)-1], own[1:]}, []byte(",")), nil
}

// wire gives the half with fixed names.
func (m Metadata) wire() metadataWire {
	w := metadataWire{
		ScrapeID: m.ScrapeID, SourceURL: m.SourceURL, SourceFile: m.SourceFile, URL: m.URL, StatusCode: m.StatusCode,
		ContentType: m.ContentType, Error: m.Error, ProxyUsed: m.ProxyUsed, CacheState: m.CacheState,
		CreditsUsed: m.CreditsUsed, NumPages: m.NumPages, TotalPages: m.TotalPages,
		ConcurrencyLimited: m.ConcurrencyLimited,
	}
	if m.CachedAt != nil {
		at := Timestamp(*m.CachedAt)
		w.CachedAt = &at
	}
	if m.ConcurrencyLimited {
		w.ConcurrencyQueueDurationMs = &m.ConcurrencyQueueDurationMs
	}
	return w
}

// UnmarshalJSON takes the two halves apart again.
func (m *Metadata) UnmarshalJSON(data []byte) error {
	var w metadataWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*m = Metadata{
		ScrapeID: w.ScrapeID, SourceURL: w.SourceURL, SourceFile: w.SourceFile, URL: w.URL, StatusCode: w.StatusCode,
		ContentType: w.ContentType, Error: w.Error, ProxyUsed: w.ProxyUsed, CacheState: w.CacheState,
		CachedAt: (*time.Time)(w.CachedAt), CreditsUsed: w.CreditsUsed, NumPages: w.NumPages, TotalPages: w.TotalPages,
		ConcurrencyLimited: w.ConcurrencyLimited,
	}
	if w.ConcurrencyQueueDurationMs != nil {
		m.ConcurrencyQueueDurationMs = *w.ConcurrencyQueueDurationMs
	}
	if err := json.Unmarshal(data, &m.Page); err != nil {
		return err
	}
	maps.DeleteFunc(m.Page, func(name string, _ any) bool { return reservedMetadata[name] })
	return nil
}

// reservedMetadata are the names that only we may write.
var reservedMetadata = map[string]bool{
	"scrapeId": true, "sourceURL": true, "sourceFile": true, "url": true, "statusCode": true, "contentType": true, "error": true,
	"proxyUsed": true, "cacheState": true, "cachedAt": true, "creditsUsed": true, "numPages": true,
	"totalPages": true, "concurrencyLimited": true, "concurrencyQueueDurationMs": true,
}
