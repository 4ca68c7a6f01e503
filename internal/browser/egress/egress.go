// Package egress is the browser's only way out: an HTTP proxy of our own whose
// connections are made by the guarded dialer.
//
// Chromium is told to use it for everything, loopback included, and never
// resolves a name itself. So a page script, a redirect, a worker or a socket
// meets the same rules as any other fetch of trawl, after DNS, at connect time.
//
// Nobody passes without a [Pass]: a user name and a password made for one
// browser context. The name tells the proxy on whose behalf a connection is
// made, hence which dialer to use and where to write down what went wrong: for
// a failed tunnel Chromium itself only knows that the proxy said no.
package egress

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Dial opens a connection; it is where private networks are refused.
type Dial func(ctx context.Context, network, addr string) (net.Conn, error)

// Options say where to listen and how to get out.
type Options struct {
	Listen   string               // address to listen on; empty: a free port of 127.0.0.1
	Dial     Dial                 // used by passes that bring none of their own; required
	CheckURL func(*url.URL) error // asked about scheme and host before every connection; nil: nothing to add
}

// Proxy accepts connections from browsers that hold a pass.
type Proxy struct {
	opts     Options
	listener net.Listener
	server   *http.Server
	done     chan struct{}

	mu     sync.Mutex
	passes map[string]*Pass
}

// Open starts listening.
func Open(opts Options) (*Proxy, error) {
	if opts.Listen == "" {
		opts.Listen = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", opts.Listen)
	if err != nil {
		return nil, fmt.Errorf("open egress proxy: %w", err)
	}
	p := &Proxy{opts: opts, listener: listener, done: make(chan struct{}), passes: map[string]*Pass{}}
	p.server = &http.Server{
		Handler:           p,
		ReadHeaderTimeout: 30 * time.Second,
		IdleTimeout:       90 * time.Second,
		MaxHeaderBytes:    1 << 20,
		ErrorLog:          log.New(io.Discard, "", 0), // what fails is noted on the pass
	}
	go func() {
		defer close(p.done)
		_ = p.server.Serve(listener) // returns when Close is called
	}()
	return p, nil
}

// Addr is host:port of the proxy, as a browser on this machine reaches it.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Close stops listening and ends every connection.
func (p *Proxy) Close() error {
	err := p.server.Close()
	<-p.done
	p.mu.Lock()
	passes := p.passes
	p.passes = nil
	p.mu.Unlock()
	for _, pass := range passes {
		pass.end()
	}
	return err
}

// Grant makes a pass that leads through the proxy's own dialer until
// [Pass.Route] says otherwise.
func (p *Proxy) Grant() *Pass {
	pass := newPass(p, rand.Text(), rand.Text())
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.passes != nil {
		p.passes[pass.User] = pass
	}
	return pass
}

// holder finds the pass a request shows, or nil.
func (p *Proxy) holder(r *http.Request) *Pass {
	// BasicAuth reads the header of origin servers; the proxy's has the same form.
	shown := &http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}
	user, password, ok := shown.BasicAuth()
	if !ok {
		return nil
	}
	p.mu.Lock()
	pass := p.passes[user]
	p.mu.Unlock()
	if pass == nil || subtle.ConstantTimeCompare([]byte(pass.Password), []byte(password)) != 1 {
		return nil
	}
	return pass
}
