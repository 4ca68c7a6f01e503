// Package testsite is a small local web with every awkward page we know: slow,
// looping, lying, huge, scripted, broken. Tests fetch from it instead of the
// internet, and a bad page met in the wild is added here so that it stays met.
//
// A Site is a handful of origins, each on its own loopback port, because some
// things (robots.txt, sitemaps, certificates) exist once per origin. Most pages
// live on the main origin, at Site.URL; its front page lists all of them.
// Everything runs until Close, and nothing leaves the machine.
package testsite

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// Site is a running test site.
type Site struct {
	URL    string  // base address of the main origin, without a trailing slash
	Inside *Inside // the server no page may reach

	pages   []Page
	origins []*origin
	hits    *counter
	boards  *boards
	flaky   *counter
	ca      *authority
	running sync.WaitGroup
}

// Options say how a site is started. The zero value is the usual one.
type Options struct {
	Addr string // listen address of the main origin; empty: a free port of 127.0.0.1
	SPA  string // directory of a built single-page app, served as origin "spa"; empty: no such origin
}

// New starts a site for the length of one test.
func New(t testing.TB) *Site {
	t.Helper()
	s, err := Start(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Start starts a site for a caller that is no test. Close ends it.
func Start(opts Options) (*Site, error) {
	s := &Site{hits: newCounter(), boards: newBoards(), flaky: newCounter()}
	if err := s.start(opts); err != nil {
		s.Close()
		return nil, fmt.Errorf("start test site: %w", err)
	}
	return s, nil
}

func (s *Site) start(opts Options) error {
	var err error
	if s.Inside, err = startInside(); err != nil {
		return err
	}
	if s.ca, err = newAuthority(); err != nil {
		return err
	}
	s.pages = s.mainPages()
	for _, o := range s.plannedOrigins(opts) {
		if err := s.open(o); err != nil {
			return err
		}
	}
	s.URL = s.Origin("main")
	return nil
}

// Close stops every server of the site, open connections included.
func (s *Site) Close() {
	for _, o := range s.origins {
		_ = o.server.Close() // the listener goes with it; there is nobody left to tell
	}
	s.running.Wait()
	if s.Inside != nil {
		s.Inside.close()
	}
}

// Pages lists the pages of the main origin in the order of the index page.
func (s *Site) Pages() []Page { return s.pages }

// Hits says how often an address was asked for: a path of the main origin, or an
// absolute address of any origin. With a query only requests with exactly that
// query count, without one all requests for the path do.
func (s *Site) Hits(address string) int {
	if strings.HasPrefix(address, "/") {
		address = s.URL + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return 0
	}
	host := u.Hostname()
	if net.ParseIP(host) == nil {
		host = "127.0.0.1" // a name below .localhost
	}
	return s.hits.get(hitKey(net.JoinHostPort(host, u.Port()), u.RequestURI()))
}

// Origin gives the base address of a named origin, without a trailing slash.
// A name that does not exist is a mistake in the test and yields an address
// that fails to parse rather than one that reaches something else.
func (s *Site) Origin(name string) string {
	o, err := s.originNamed(name)
	if err != nil {
		return "no-origin://" + name
	}
	return o.URL
}

func (s *Site) originNamed(name string) (*origin, error) {
	for _, o := range s.origins {
		if o.Name == name {
			return o, nil
		}
	}
	return nil, errors.New("no origin " + name)
}
