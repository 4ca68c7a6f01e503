package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/htmldoc"
	"github.com/trawlhq/trawl/internal/fetch"
)

// Engines are what brings and understands pages.
type Engines struct {
	Fetcher fetch.Fetcher
	Browser fetch.Fetcher // nil: no browser here
	Readers document.Readers
}

// perHost is how many requests one host gets at once: polite to a small site, no brake on a large one.
const perHost = 16

// openEngines builds what every fetch passes through, from the inside: the last line is met first.
func (a *App) openEngines(context.Context) error {
	a.Engines = &Engines{Readers: readers()}
	basic, err := a.wayOut("--proxy", a.Settings.Proxy)
	if err != nil {
		return err
	}
	var stealth fetch.Fetcher
	if a.Settings.ProxyStealth != "" {
		if stealth, err = a.wayOut("--proxy-stealth", a.Settings.ProxyStealth); err != nil {
			return err
		}
	}
	f := fetch.Proxied(basic, stealth)
	a.Engines.Fetcher = fetch.Guard(f, a.Guard)
	return nil
}

// wayOut is the chain of one way to the web: directly, or through a proxy.
func (a *App) wayOut(setting, proxy string) (fetch.Fetcher, error) {
	var via *url.URL
	if proxy != "" {
		u, err := url.Parse(proxy)
		if err != nil || u.Host == "" {
			return nil, fmt.Errorf("%s: %q is not the address of a proxy", setting, proxy)
		}
		via = u
	}
	http := fetch.NewHTTP(a.Guard, via)
	a.onClose(http.Close)
	f := fetch.PerHost(http, perHost)
	f = fetch.Retry(f)
	f = fetch.Blocked(f)
	return fetch.Engines(f, a.Engines.Browser), nil
}

// readers says who understands what.
func readers() document.Readers {
	return document.Readers{
		document.HTML: func(_ context.Context, in document.Input) (*document.Doc, error) {
			return htmldoc.Read(in.Body, in.ContentType, in.URL)
		},
	}
}

// blobDialer is the way to the operator's own S3, which may well be in a private network.
func (a *App) blobDialer() func(ctx context.Context, network, address string) (net.Conn, error) {
	u, err := url.Parse(a.Settings.BlobURL)
	if err != nil || a.Settings.BlobURL == "" {
		return func(context.Context, string, string) (net.Conn, error) {
			return nil, errors.New("no blob server is set")
		}
	}
	if endpoint, err := url.Parse(u.Query().Get("endpoint")); err == nil && endpoint.Host != "" {
		return a.Guard.DialEndpoint(endpoint)
	}
	return a.Guard.DialContext
}
