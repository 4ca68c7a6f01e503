package sitemap

import (
	"bytes"
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl/internal/fetch"
	"github.com/trawlhq/trawl/internal/weburl"
)

// Finder finds and reads the sitemaps of sites.
type Finder struct {
	Fetcher fetch.Fetcher
	Robots  *fetch.RobotsFiles
}

// Search says whose sitemaps are wanted.
type Search struct {
	Start     *url.URL
	Headers   map[string]string // sent to the site
	Languages []string
	Country   string
	Agent     string // name used for robots.txt; empty: our own
}

const (
	maxFiles = 25 // of one search
	atOnce   = 4  // files being fetched
)

// Walk calls each for the addresses in the sitemaps of a site, in their order.
// Missing and broken files are passed over; an error is one of each or the end of ctx.
func (f *Finder) Walk(ctx context.Context, s Search, each func(u *url.URL) error) error {
	w := &walk{finder: f, search: s, each: each, known: map[string]bool{}}
	rules, err := f.Robots.Rules(ctx, s.Start, s.Agent)
	if err != nil {
		return err
	}
	for _, line := range rules.Sitemaps {
		w.add(s.Start, line)
	}
	w.addURL(nearby(s.Start))
	if err := w.drain(ctx); err != nil || w.found > 0 {
		return w.parent(ctx, err)
	}
	for _, path := range []string{"/sitemap.xml", "/sitemap_index.xml", "/sitemap.txt"} {
		w.addURL(&url.URL{Scheme: s.Start.Scheme, Host: s.Start.Host, Path: path})
	}
	return w.parent(ctx, w.drain(ctx))
}

// nearby is the sitemap beside the start, or the start itself when it is one.
func nearby(start *url.URL) *url.URL {
	if strings.HasSuffix(start.Path, ".xml") || strings.HasSuffix(start.Path, ".xml.gz") {
		return start
	}
	return &url.URL{Scheme: start.Scheme, Host: start.Host, Path: strings.TrimSuffix(start.Path, "/") + "/sitemap.xml"}
}

// walk is one search on its way.
type walk struct {
	finder *Finder
	search Search
	each   func(u *url.URL) error
	known  map[string]bool
	files  []*url.URL // yet to be read
	found  int
}

// parent also reads the sitemap of the domain above a subdomain, for what it says about that host.
func (w *walk) parent(ctx context.Context, err error) error {
	start := w.search.Start
	host := strings.ToLower(start.Hostname())
	domain := weburl.RegistrableDomain(start)
	if _, isAddress := netip.ParseAddr(host); err != nil || isAddress == nil || domain == strings.TrimPrefix(host, "www.") || !strings.Contains(domain, ".") {
		return err
	}
	above := &url.URL{Scheme: start.Scheme, Host: domain, Path: "/sitemap.xml"}
	if port := start.Port(); port != "" {
		above.Host += ":" + port
	}
	all := w.each
	w.each = func(u *url.URL) error {
		if !weburl.SameHost(u, start) {
			return nil
		}
		return all(u)
	}
	w.addURL(above)
	return w.drain(ctx)
}

func (w *walk) add(base *url.URL, ref string) {
	if u, err := weburl.Resolve(base, ref); err == nil && weburl.IsWeb(u) {
		w.addURL(u)
	}
}

func (w *walk) addURL(u *url.URL) {
	if key := u.String(); !w.known[key] && len(w.known) < maxFiles {
		w.known[key] = true
		w.files = append(w.files, u)
	}
}

// drain reads files until none is left. Several are fetched at once, but read in their order.
func (w *walk) drain(ctx context.Context) error {
	for len(w.files) > 0 {
		next := w.files[:min(len(w.files), atOnce)]
		w.files = w.files[len(next):]
		bodies := make([][]byte, len(next))
		var group errgroup.Group
		for i, u := range next {
			group.Go(func() error {
				bodies[i] = w.fetch(ctx, u)
				return nil
			})
		}
		_ = group.Wait() // a file that cannot be had is an empty one
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for i, body := range bodies {
			if err := w.readFile(next[i], body); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *walk) fetch(ctx context.Context, u *url.URL) []byte {
	page, err := w.finder.Fetcher.Fetch(ctx, fetch.Request{
		URL: u, Headers: w.search.Headers, Languages: w.search.Languages, Country: w.search.Country, PlainOnly: true, CutBody: true,
	})
	if err != nil || page.Status != http.StatusOK {
		return nil
	}
	return page.Body
}

// readFile takes what a file has before it breaks off; only each's own errors count.
func (w *walk) readFile(file *url.URL, body []byte) error {
	var stop error
	_ = Read(bytes.NewReader(body), Limits{}, func(e Entry) error { // broken files are common, and half of one is better than none
		if e.Kind == File {
			w.add(file, e.Loc)
			return nil
		}
		u, err := weburl.Resolve(file, e.Loc)
		if err != nil || !weburl.IsWeb(u) {
			return nil
		}
		w.found++
		stop = w.each(u)
		return stop
	})
	return stop
}
