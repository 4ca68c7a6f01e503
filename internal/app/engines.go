package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/trawlhq/trawl/internal/browser"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/fetch"
	"github.com/trawlhq/trawl/internal/netguard"
)

// Engines are what brings and understands pages.
type Engines struct {
	Fetcher fetch.Fetcher
	Browser *browser.Pool // nil: no browser here
	Readers document.Readers
}

// perHost is how many requests one host gets at once: polite to a small site, no brake on a large one.
const perHost = 16

// openEngines builds what every fetch passes through, from the inside: the last line is met first.
func (a *App) openEngines(context.Context) error {
	a.Engines = &Engines{}
	if err := a.openReaders(); err != nil {
		return err
	}
	if err := a.openBrowser(); err != nil {
		return err
	}
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
	abroad, err := a.waysAbroad()
	if err != nil {
		return err
	}
	f := fetch.Proxied(basic, stealth)
	f = fetch.Located(f, abroad)
	f = fetch.Download(f, fileFamily)
	a.Engines.Fetcher = fetch.Guard(f, a.Guard)
	return nil
}

// fileFamily tells from an address alone what kind of file it leads to; empty: to none, as far as one can see.
func fileFamily(u *url.URL) string {
	switch kind, isFile := document.FileKind(u.Path); {
	case !isFile:
		return ""
	case kind == document.PDF:
		return "PDF"
	}
	return "DOCUMENT"
}

// waysAbroad are the ways out that stand in a country of the operator's list.
func (a *App) waysAbroad() (map[string]fetch.Fetcher, error) {
	ways := map[string]fetch.Fetcher{}
	for _, entry := range a.Settings.ProxyCountries {
		country, proxy, _ := strings.Cut(entry, "=")
		country = strings.ToUpper(strings.TrimSpace(country))
		if len(country) != 2 || proxy == "" {
			return nil, fmt.Errorf("--proxy-countries: %q is not of the form DE=http://…", entry)
		}
		way, err := a.wayOut("--proxy-countries", proxy)
		if err != nil {
			return nil, err
		}
		ways[country] = fetch.Proxied(way, nil)
	}
	return ways, nil
}

// openBrowser prepares the pool; Chromium itself starts with the first page
// that needs it. A server without one says so and does the rest.
func (a *App) openBrowser() error {
	path, endpoints := a.Settings.Chromium, []string(nil)
	if strings.HasPrefix(path, "ws://") || strings.HasPrefix(path, "wss://") {
		path, endpoints = "", strings.Split(path, ",")
	} else if _, err := browser.FindExecutable(path); err != nil {
		a.Log.Warn("no browser: no screenshots, actions or pages that need scripts", "err", err)
		return nil
	}
	browsers := max(1, runtime.NumCPU()/2)
	pool, err := browser.Open(browser.Options{
		Path: path, Endpoints: endpoints, MaxBrowsers: browsers, PagesPerBrowser: (a.slots() + browsers - 1) / browsers,
		Dial: a.Guard.DialContext, CheckURL: a.Guard.CheckURL, DataDir: filepath.Join(a.Settings.DataDir, "browser"), Logger: a.Log,
	})
	if err != nil {
		return err
	}
	a.Engines.Browser = pool
	a.onClose(pool.Close)
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
	f = fetch.Refresh(f)
	f = fetch.Blocked(f)
	return fetch.Engines(f, a.rendering(via)), nil
}

// rendering is the browser's way out, the same as that of plain HTTP; nil without a browser.
func (a *App) rendering(via *url.URL) fetch.Fetcher {
	if a.Engines.Browser == nil {
		return nil
	}
	var dial netguard.DialFunc
	if via != nil {
		dial = a.Guard.DialThrough(via)
	}
	return fetch.Blocked(fetch.NewBrowser(a.Engines.Browser, dial))
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
