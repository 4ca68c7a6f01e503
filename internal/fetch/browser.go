package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/browser"
	"github.com/trawlhq/trawl/internal/netguard"
)

// Renderer is what the browser engine needs of a browser pool.
type Renderer interface {
	Render(ctx context.Context, r browser.Request) (*browser.Result, error)
}

// Browser is the engine that runs a page's scripts.
type Browser struct {
	pool Renderer
	dial netguard.DialFunc
}

// NewBrowser makes the engine for one way out. dial leads through a proxy; nil: as
// the pool dials by itself.
func NewBrowser(pool Renderer, dial netguard.DialFunc) *Browser {
	return &Browser{pool: pool, dial: dial}
}

// Fetch renders a page.
func (f *Browser) Fetch(ctx context.Context, r Request) (*Page, error) {
	began := time.Now()
	ask, err := f.request(r)
	if err != nil {
		return nil, err
	}
	result, err := f.pool.Render(ctx, ask)
	tried := Attempt{Engine: EngineBrowser, Ms: time.Since(began).Milliseconds()}
	if err != nil {
		if cause := contextError(ctx); cause != nil {
			err = cause
		}
		tried.Reason = reasonOf(err)
		return nil, withAttempts(err, []Attempt{tried})
	}
	tried.Status = result.Status
	page := pageOf(result)
	for range result.Attempts - 1 {
		page.Attempts = append(page.Attempts, Attempt{Engine: EngineBrowser, Reason: "page lost"})
	}
	page.Attempts = append(page.Attempts, tried)
	return page, nil
}

func (f *Browser) request(r Request) (browser.Request, error) {
	b := r.Browser
	ask := browser.Request{
		URL: r.URL.String(), Mobile: r.Mobile, Languages: r.Languages, WaitFor: b.WaitFor, Branding: b.Branding,
		BlockAds: b.BlockAds, SkipTLSVerify: r.SkipTLSVerify,
	}
	if len(r.Languages) == 0 && r.Country != "" {
		ask.Languages = languagesOf(r.Country)
	}
	if len(r.Headers) > 0 {
		ask.Headers = http.Header{}
		for name, value := range r.Headers {
			ask.Headers.Set(name, value)
		}
	}
	for _, a := range b.Actions {
		ask.Actions = append(ask.Actions, actionOf(a))
	}
	if s := b.Screenshot; s != nil {
		ask.Screenshot = &browser.Shot{FullPage: s.FullPage, Quality: s.Quality, Viewport: viewportOf(s.Viewport)}
	}
	if f.dial != nil {
		ask.Dial = f.blameProxy
	}
	if p := b.Profile; p != nil {
		if b.ProfileDir == "" {
			return ask, fmt.Errorf("render with profile %q: no folder is given for it", p.Name)
		}
		ask.Profile = &browser.Profile{Name: p.Name, Dir: b.ProfileDir, SaveChanges: p.SaveChanges == nil || *p.SaveChanges}
	}
	return ask, nil
}

// blameProxy tells the browser which failures are the proxy's.
func (f *Browser) blameProxy(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := f.dial(ctx, network, address)
	if errors.Is(err, netguard.ErrProxy) {
		err = fmt.Errorf("%w: %w", browser.ErrUpstreamProxy, err)
	}
	return conn, err
}

func actionOf(a trawl.Action) browser.Action {
	return browser.Action{
		Type: a.Type, Milliseconds: a.Milliseconds, Selector: a.Selector, All: a.All, Text: a.Text, Key: a.Key, Direction: a.Direction,
		FullPage: a.FullPage, Quality: a.Quality, Viewport: viewportOf(a.Viewport), Script: a.Script, Format: a.Format, Landscape: a.Landscape, Scale: a.Scale,
	}
}

func viewportOf(v *trawl.Viewport) browser.Viewport {
	if v == nil {
		return browser.Viewport{}
	}
	return browser.Viewport{Width: v.Width, Height: v.Height}
}

func pageOf(result *browser.Result) *Page {
	page := &Page{
		URL: result.URL, Status: result.Status, Reason: result.StatusText, Header: result.Header, Body: result.Body, ContentType: result.ContentType,
		Engine: EngineBrowser, ProxyUsed: ProxyBasic, FetchedAt: time.Now().UTC(),
		Rendered: &Rendered{Branding: result.Branding, Actions: resultsOf(result.Actions)},
	}
	if result.Body == nil { // the serialised document is UTF-8, whatever the server had sent
		page.Body, page.ContentType = []byte(result.HTML), "text/html; charset=utf-8"
	}
	if page.Reason == "" {
		page.Reason = http.StatusText(page.Status)
	}
	if s := result.Screenshot; s != nil {
		page.Rendered.Screenshot = &Image{Data: s.Data, MIME: s.MIME}
	}
	return page
}

func resultsOf(in browser.ActionResults) ActionResults {
	out := ActionResults{PDFs: in.PDFs}
	for _, s := range in.Screenshots {
		out.Screenshots = append(out.Screenshots, Image{Data: s.Data, MIME: s.MIME})
	}
	for _, s := range in.Scrapes {
		out.Scrapes = append(out.Scrapes, trawl.ActionPage{URL: s.URL, HTML: s.HTML})
	}
	for _, j := range in.JavascriptReturns {
		out.JavascriptReturns = append(out.JavascriptReturns, trawl.ActionValue{Type: j.Type, Value: j.Value})
	}
	return out
}
