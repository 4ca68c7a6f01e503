package browser

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/trawlhq/trawl/internal/browser/egress"
)

// Request is one page to bring, and what to do with it.
type Request struct {
	URL     string      // http or https
	Headers http.Header // sent to the origin of URL only, never to third parties

	Mobile    bool     // a phone: viewport, user agent, touch, pixel ratio
	Viewport  Viewport // zero: 1280 × 800, or the phone's
	UserAgent string   // empty: the browser's own, without the word headless
	Languages []string // BCP 47, best first; empty: the browser's default

	WaitFor time.Duration // extra wait after the page is ready
	Actions []Action      // run after WaitFor, before anything is captured

	Screenshot *Shot // nil: none
	Branding   bool  // read the brand's looks from computed styles

	BlockAds      bool        // ads, trackers and cookie banners
	SkipTLSVerify bool        // accept any certificate
	Profile       *Profile    // nil: a context of its own, forgotten afterwards
	Dial          egress.Dial // how to get out, e.g. over an upstream proxy; nil: as the pool does
}

// Viewport is the size of the window in CSS pixels.
type Viewport struct{ Width, Height int }

// Shot is a picture of the page.
type Shot struct {
	FullPage bool     // the whole page instead of the window, up to a pixel cap
	Quality  int      // 1–100 gives a JPEG; 0 a PNG
	Viewport Viewport // zero: as it is
}

// Profile is browser state that outlives a render: cookies, local storage,
// IndexedDB, service workers.
type Profile struct {
	Name        string // for messages
	Dir         string // where it is kept; made when missing
	SaveChanges bool   // write back what the page changed; one writer at a time
}

// Result is the page as it stood at the end.
type Result struct {
	URL        string // after redirects and whatever actions did
	Status     int
	StatusText string
	Header     http.Header

	HTML        string // the document, with shadow trees and frames in place; empty when Body is set
	Body        []byte // the main resource when it is not a page: a PDF, JSON, an image, a download
	ContentType string

	Screenshot *Image
	Branding   map[string]any
	Actions    ActionResults

	Attempts int // 2 when a tab or browser was lost on the way
}

// Image is an encoded picture.
type Image struct {
	Data []byte
	MIME string
}

// ActionResults are what the actions brought, in order within each kind.
type ActionResults struct {
	Screenshots       []Image
	Scrapes           []Scrape
	JavascriptReturns []JavascriptReturn
	PDFs              [][]byte
}

// Scrape is the page at the time of a scrape action.
type Scrape struct{ URL, HTML string }

// JavascriptReturn is the value of a script.
type JavascriptReturn struct {
	Type  string          // the name JavaScript has for its type
	Value json.RawMessage // null when it has no JSON form
}

// Action is one step in the page. Fields bear the names of the wire.
type Action struct {
	Type string // wait, click, write, press, scroll, screenshot, scrape, executeJavascript, pdf

	Milliseconds int      // wait: this long
	Selector     string   // wait: until visible; click: what; scroll: which element
	All          bool     // click: every match
	Text         string   // write
	Key          string   // press: Enter, Tab, a, Control+A
	Direction    string   // scroll: up or down; empty: down
	FullPage     bool     // screenshot
	Quality      int      // screenshot
	Viewport     Viewport // screenshot
	Script       string   // executeJavascript
	Format       string   // pdf: A0–A6, Letter, Legal, Tabloid, Ledger; empty: Letter
	Landscape    bool     // pdf
	Scale        float64  // pdf; 0: 1
}
