package egress

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Route is what a pass leads to.
type Route struct {
	Dial   Dial                   // nil: the proxy's own
	Refuse func(host string) bool // hosts not worth a connection, such as ad networks; nil: none
}

// Pass lets one browser context out, and remembers what happened to it there.
type Pass struct {
	User, Password string

	proxy     *Proxy
	transport *http.Transport // for plain http; https is a tunnel

	mu       sync.Mutex
	route    Route
	failures map[string]error // by host:port: why the last connection could not be made
	conns    map[net.Conn]struct{}
	ended    bool
}

func newPass(p *Proxy, user, password string) *Pass {
	pass := &Pass{
		User: user, Password: password, proxy: p,
		failures: map[string]error{},
		conns:    map[net.Conn]struct{}{},
	}
	pass.transport = &http.Transport{
		DialContext:           pass.dial,
		DisableCompression:    true, // the body goes to the browser as it came
		MaxIdleConnsPerHost:   6,
		IdleConnTimeout:       30 * time.Second,
		ResponseHeaderTimeout: 0, // the browser's own patience decides
	}
	return pass
}

// Route sets where the pass leads from now on.
func (p *Pass) Route(r Route) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.route = r
}

// Failure tells why the last connection to host:port could not be made; nil
// when it could, or was never tried.
func (p *Pass) Failure(hostport string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failures[hostport]
}

// Revoke ends the pass and every connection made under it.
func (p *Pass) Revoke() {
	p.proxy.mu.Lock()
	delete(p.proxy.passes, p.User)
	p.proxy.mu.Unlock()
	p.end()
}

func (p *Pass) end() {
	p.mu.Lock()
	p.ended = true
	conns := p.conns
	p.conns = nil
	p.mu.Unlock()
	for c := range conns {
		_ = c.Close() // the other side is gone or unwanted
	}
	p.transport.CloseIdleConnections()
}

func (p *Pass) refuses(host string) bool {
	p.mu.Lock()
	refuse := p.route.Refuse
	p.mu.Unlock()
	return refuse != nil && refuse(host)
}

// check asks the policy about scheme and host, before anything is dialled.
func (p *Pass) check(scheme, hostport string) error {
	if p.proxy.opts.CheckURL == nil {
		return nil
	}
	err := p.proxy.opts.CheckURL(&url.URL{Scheme: scheme, Host: hostport, Path: "/"})
	if err != nil {
		p.note(hostport, err)
	}
	return err
}

// dial connects under the pass and notes the outcome.
func (p *Pass) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	p.mu.Lock()
	dial := p.route.Dial
	p.mu.Unlock()
	if dial == nil {
		dial = p.proxy.opts.Dial
	}
	c, err := dial(ctx, network, addr)
	p.note(addr, err)
	if err != nil {
		return nil, err
	}
	return p.track(c)
}

func (p *Pass) note(hostport string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil {
		delete(p.failures, hostport)
		return
	}
	p.failures[hostport] = err
}

// track keeps hold of a connection so that Revoke can end it.
func (p *Pass) track(c net.Conn) (net.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		_ = c.Close() // made for nobody
		return nil, net.ErrClosed
	}
	p.conns[c] = struct{}{}
	return &trackedConn{Conn: c, pass: p}, nil
}

type trackedConn struct {
	net.Conn
	pass *Pass
}

func (c *trackedConn) Close() error {
	c.pass.mu.Lock()
	delete(c.pass.conns, c.Conn)
	c.pass.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite says that nothing more will be sent, where the connection can.
func (c *trackedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.Close()
}
