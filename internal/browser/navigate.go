package browser

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/security"
	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl/internal/browser/blocklist"
	"github.com/trawlhq/trawl/internal/browser/egress"
)

// errTaken says that the main resource was no page and has been taken as bytes.
var errTaken = errors.New("main resource taken as bytes")

// dress prepares the tab for one request: everything that must be in place
// before the first byte is asked for.
func (t *tab) dress(ctx context.Context, r Request, address *url.URL) error {
	route := egress.Route{Dial: r.Dial}
	if r.BlockAds {
		route.Refuse = func(host string) bool { return blocklist.Host(host) && host != address.Hostname() }
	}
	t.pass.Route(route)
	plan := fetchPlan{
		origin:  address.Scheme + "://" + address.Host,
		headers: extraHeaders(r.Headers),
		take:    true,
		show:    r.Screenshot != nil || len(r.Actions) > 0,
	}
	group, ctx := errgroup.WithContext(ctx)
	t.mu.Lock()
	t.plan = plan
	t.mu.Unlock()
	if len(plan.headers) > 0 {
		group.Go(func() error { return t.interceptWith(ctx, plan) })
	}
	if l := lookOf(r); !l.isDefault() {
		group.Go(func() error { return t.emulate(ctx, l) })
	}
	if r.SkipTLSVerify {
		group.Go(func() error {
			return do(ctx, t.session, security.SetIgnoreCertificateErrors, security.SetIgnoreCertificateErrorsParams{Ignore: true})
		})
	}
	if r.BlockAds {
		group.Go(func() error { return do(ctx, t.session, network.SetBlockedURLs, blockedURLs()) })
	}
	if cookies := cookiesOf(r.Headers, address); len(cookies) > 0 {
		group.Go(func() error {
			return do(ctx, t.session, network.SetCookies, network.SetCookiesParams{Cookies: cookies})
		})
	}
	return group.Wait()
}

// extraHeaders are those that cannot be told to the browser in a better way.
func extraHeaders(all http.Header) http.Header {
	rest := all.Clone()
	for _, name := range []string{"User-Agent", "Cookie", "Referer", "Host", "Content-Length", "Connection"} {
		rest.Del(name)
	}
	return rest
}

// cookiesOf reads a Cookie header, so that the browser keeps its cookies and
// the page sees them.
func cookiesOf(header http.Header, address *url.URL) []*network.CookieParam {
	sent := http.Request{Header: http.Header{"Cookie": header.Values("Cookie")}}
	var cookies []*network.CookieParam
	for _, c := range sent.Cookies() {
		cookies = append(cookies, &network.CookieParam{Name: c.Name, Value: c.Value, URL: address.String()})
	}
	return cookies
}

func blockedURLs() network.SetBlockedURLsParams {
	var patterns []*network.BlockPattern
	for _, p := range blocklist.URLPatterns() {
		patterns = append(patterns, &network.BlockPattern{URLPattern: p, Block: true})
	}
	return network.SetBlockedURLsParams{URLPatterns: patterns}
}

// visit goes to the address and returns when its document is shown. errTaken:
// there is none, but bytes.
func (t *tab) visit(ctx context.Context, r Request) error {
	ctx, cancel := t.whileAlive(ctx)
	defer cancel()
	t.update(func() { t.main = mainFrame{} }) // the blank page counts for nothing
	params := page.NavigateParams{URL: r.URL, Referrer: r.Headers.Get("Referer")}
	went, err := call(ctx, t.session, page.Navigate, params)
	if err == nil && went.IsDownload {
		// The site did not say what it sends, and Chromium found it to be no page.
		t.takeAnything()
		went, err = call(ctx, t.session, page.Navigate, params)
	}
	if err != nil {
		return t.explain(ctx, err)
	}
	t.mu.Lock()
	taken := t.taken
	t.mu.Unlock()
	if taken != nil {
		return t.awaitTaken(ctx, taken)
	}
	if went.ErrorText != "" {
		return t.netError(strings.TrimPrefix(went.ErrorText, "net::"), r.URL)
	}
	return nil
}

func (t *tab) takeAnything() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.plan.force, t.plan.show = true, false
}

func (t *tab) awaitTaken(ctx context.Context, body *takenBody) error {
	if err := t.until(ctx, func() bool { return body.complete }); err != nil {
		return err
	}
	if body.err != nil {
		return body.err
	}
	return errTaken
}
