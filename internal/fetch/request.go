package fetch

import (
	"net/url"
	"time"

	"github.com/trawlhq/trawl"
)

// MaxBytes is how large a decoded body may be where the request does not say.
const MaxBytes = 64 << 20

// The ways out a request can ask for.
const (
	ProxyBasic   = "basic"
	ProxyStealth = "stealth"
	ProxyAuto    = "auto" // basic, and stealth when that is blocked
)

// Request says which page to bring and how.
type Request struct {
	URL           *url.URL          // absolute, http or https
	Headers       map[string]string // sent to the target in place of ours; credentials stay on the first origin
	Mobile        bool              // the user agent of a phone
	SkipTLSVerify bool              // any certificate will do
	Country       string            // ISO 3166-1 alpha-2; with Languages empty it decides Accept-Language
	Languages     []string          // BCP 47, best first
	Proxy         string            // ProxyBasic, ProxyStealth or ProxyAuto; empty: ProxyAuto
	MaxBytes      int64             // of the decoded body; 0: MaxBytes
	CutBody       bool              // a longer body is cut there; false: the fetch fails
	Conditional   Conditional       // ask only whether a copy is still good

	PlainOnly bool           // never start a browser, also not for an empty shell
	Browser   BrowserOptions // for the browser engine; plain HTTP does not look at it
}

// Conditional names the copy a caller already has.
type Conditional struct {
	ETag         string
	LastModified string
}

// BrowserOptions are the parts of a request that only a browser can do.
type BrowserOptions struct {
	Required   bool           // a format or action cannot do without
	WaitFor    time.Duration  // extra wait after load
	Actions    []trawl.Action // run after WaitFor, before the page is taken
	Screenshot *Shot          // nil: none
	Branding   bool           // read the computed styles
	BlockAds   bool           // ads, trackers and cookie banners
	Profile    *trawl.Profile // nil: a context of its own, forgotten afterwards
	ProfileDir string         // where that profile is kept: a folder of its team's own
}

// Shot is a picture of the page.
type Shot struct {
	FullPage bool
	Quality  int             // 1–100; 0: lossless
	Viewport *trawl.Viewport // nil: the usual one
}

// Rendered is what a browser brings beside the page.
type Rendered struct {
	Screenshot *Image
	Branding   map[string]any
	Actions    ActionResults
}

// Image is an encoded picture.
type Image struct {
	Data []byte
	MIME string
}

// ActionResults is what actions brought, kind by kind, in order.
type ActionResults struct {
	Screenshots       []Image
	Scrapes           []trawl.ActionPage
	JavascriptReturns []trawl.ActionValue
	PDFs              [][]byte
}

// needsBrowser says whether plain HTTP cannot do what is asked.
func (r Request) needsBrowser() bool {
	b := r.Browser
	return b.Required || b.WaitFor > 0 || len(b.Actions) > 0 || b.Screenshot != nil || b.Branding || b.Profile != nil
}

func (r Request) maxBytes() int64 {
	if r.MaxBytes > 0 {
		return r.MaxBytes
	}
	return MaxBytes
}
