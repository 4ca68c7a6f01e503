package testsite

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Origin is one scheme, host and port of the site.
type Origin struct {
	Name  string `json:"name"`
	URL   string `json:"url"` // without a trailing slash
	About string `json:"about"`
}

// origin is an Origin with what serves it.
type origin struct {
	Origin
	addr    string // listen address; empty: a free port of 127.0.0.1
	handler http.Handler
	cert    *tls.Certificate // nil: plain HTTP
	server  *http.Server
}

// plannedOrigins is every origin of the site, on one screen.
func (s *Site) plannedOrigins(opts Options) []*origin {
	all := []*origin{
		{Origin: Origin{Name: "main", About: "all single pages"}, addr: opts.Addr, handler: s.mainHandler()},
		{Origin: Origin{Name: "other", About: "a second host, for links that lead out of a site"}, addr: "127.0.0.2:0", handler: otherHandler()},
		{Origin: Origin{Name: "graph", About: "a link graph with exactly known edges"}, handler: s.graphHandler()},
		{Origin: Origin{Name: "traps", About: "ten real pages between endless ones"}, handler: trapsHandler()},
		{Origin: Origin{Name: "shop", About: "1,000 products on 50 pages, no sitemap"}, handler: shopHandler()},
		{Origin: Origin{Name: "sitemaps", About: "sitemaps of every kind, nested and broken"}, handler: sitemapsHandler()},
		{Origin: Origin{Name: "sitemap-huge", About: "one sitemap of 50,000 addresses"}, handler: hugeSitemapHandler()},
	}
	all = append(all, robotsOrigins()...)
	all = append(all, s.tlsOrigins()...)
	if opts.SPA != "" {
		all = append(all, &origin{Origin: Origin{Name: "spa", About: "a built single-page app"}, handler: spaHandler(opts.SPA)})
	}
	return all
}

// open listens, learns the address and serves until Close.
func (s *Site) open(o *origin) error {
	addr := o.addr
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("listen for origin %s: %w", o.Name, err)
	}
	o.URL = "http://" + ln.Addr().String()
	o.server = &http.Server{
		Handler:           s.counted(ln.Addr().String(), o.handler),
		ReadHeaderTimeout: 30 * time.Second,
		ErrorLog:          silentLog(), // refused handshakes and resets are what these pages are for
	}
	serve := func() { _ = o.server.Serve(ln) } // ends with ErrServerClosed
	if o.cert != nil {
		o.URL = "https://" + ln.Addr().String()
		o.server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*o.cert}, MinVersion: tls.VersionTLS12}
		serve = func() { _ = o.server.ServeTLS(ln, "", "") }
	}
	s.origins = append(s.origins, o)
	s.running.Go(serve)
	return nil
}

// counted records every request before it is answered.
func (s *Site) counted(addr string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.hits.add(hitKey(addr, r.URL.EscapedPath()))
		if r.URL.RawQuery != "" {
			s.hits.add(hitKey(addr, r.URL.RequestURI()))
		}
		next.ServeHTTP(w, r)
	})
}

// Origins lists every origin of the site.
func (s *Site) Origins() []Origin {
	all := make([]Origin, len(s.origins))
	for i, o := range s.origins {
		all[i] = o.Origin
	}
	return all
}

// Host gives the main origin under a name of its own below .localhost, which
// every resolver that follows RFC 6761 answers with loopback. The site does not
// look at the name, so hosts and subdomains can be made up freely.
func (s *Site) Host(name string) string {
	_, port, _ := strings.Cut(strings.TrimPrefix(s.URL, "http://"), ":")
	return "http://" + name + ".localhost:" + port
}

func portOf(ln net.Listener) string {
	if a, ok := ln.Addr().(*net.TCPAddr); ok {
		return strconv.Itoa(a.Port)
	}
	return ""
}

// hitKey names a path of the origin that listens at addr.
func hitKey(addr, path string) string { return addr + path }
