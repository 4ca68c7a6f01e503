// Package fetch brings a page: an address goes in, status, headers and bytes come
// out, and nothing of them is understood yet.
//
// A Fetcher is one step of a chain. Engines stand at its inner end (HTTP, and a
// browser behind the same interface); each wrapper around them adds one behaviour
// and lives in a file of its own:
//
//	f := fetch.NewHTTP(guard, nil)               // plain HTTP; every hop through the guarded dialer
//	f = fetch.PerHost(f, 8)                      // politeness
//	f = fetch.Retry(f)                           // the few cases where trying again is safe
//	f = fetch.Refresh(f)                         // pages that only point elsewhere
//	f = fetch.Blocked(f)                         // a challenge page is a failure, not content
//	f = fetch.Engines(f, fetch.Blocked(browser)) // plain first, the browser where it is needed
//	f = fetch.Proxied(f, stealth)                // basic, stealth, auto
//	f = fetch.Guard(f, guard)                    // scheme and address refused before anything else happens
//
// Every try leaves an Attempt, in the page when it came and in the details of the
// error when it did not.
package fetch

import (
	"context"
	"net/http"
	"time"
)

// Fetcher brings pages. A target that answers 404 or 500 is a page; an error is
// a *trawl.Error with a code of the contract, or the context's own.
type Fetcher interface {
	Fetch(ctx context.Context, r Request) (*Page, error)
}

// Func is a function that is a Fetcher.
type Func func(ctx context.Context, r Request) (*Page, error)

// Fetch calls f.
func (f Func) Fetch(ctx context.Context, r Request) (*Page, error) { return f(ctx, r) }

// The engines a page can come through.
const (
	EngineHTTP    = "http"
	EngineBrowser = "browser"
)

// Page is what a target answered.
type Page struct {
	URL         string      // after redirects
	Status      int         // of the last answer
	Reason      string      // its phrase: "Not Found"
	Header      http.Header // of the last answer, without its encoding and length on the wire
	Body        []byte      // content encodings undone; the charset is as it came
	ContentType string      // as the server says; may be empty or wrong
	NotModified bool        // the copy named in Request.Conditional is still good; Body is empty

	Engine    string    // EngineHTTP or EngineBrowser
	ProxyUsed string    // ProxyBasic or ProxyStealth
	FetchedAt time.Time // when the last answer was complete
	Attempts  []Attempt // every try, this one last
	Warnings  []string  // what was asked for and could not be done

	Rendered *Rendered // what only a browser brings; nil when none took part
}

// Attempt is one try of one engine.
type Attempt struct {
	Engine string `json:"engine"`
	Status int    `json:"status,omitempty"` // 0: no answer
	Ms     int64  `json:"ms"`
	Reason string `json:"reason,omitempty"` // why it was not enough; empty: it was
}
