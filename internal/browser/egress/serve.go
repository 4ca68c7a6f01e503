package egress

import (
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
)

// ServeHTTP answers the two forms a proxy is asked in: CONNECT for tunnels
// (https, websockets) and absolute-form for plain http.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	pass := p.holder(r)
	if pass == nil {
		w.Header().Set("Proxy-Authenticate", `Basic realm="trawl"`)
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	if r.Method == http.MethodConnect {
		pass.tunnel(w, r)
		return
	}
	if r.URL.Scheme != "http" || r.URL.Host == "" {
		w.WriteHeader(http.StatusBadRequest) // somebody takes us for a web server
		return
	}
	pass.forward(w, r)
}

func (p *Pass) tunnel(w http.ResponseWriter, r *http.Request) {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	scheme := "https"
	if port == "80" {
		scheme = "http" // a websocket without TLS
	}
	if p.refuses(host) || p.check(scheme, r.Host) != nil {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	outside, err := p.dial(r.Context(), "tcp", r.Host)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer outside.Close()
	hijacked, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return // the browser hung up meanwhile
	}
	inside, err := p.track(hijacked)
	if err != nil {
		return // revoked meanwhile
	}
	defer inside.Close()
	if _, err := io.WriteString(inside, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	join(inside, buffered, outside)
}

// join copies both ways until both sides are done. What the browser sent
// before the hijack waits in early.
func join(inside net.Conn, early io.Reader, outside net.Conn) {
	var both sync.WaitGroup
	both.Go(func() {
		_, _ = io.Copy(outside, early) // an error is the end of the tunnel, which is all it means
		halfClose(outside)
	})
	both.Go(func() {
		_, _ = io.Copy(inside, outside)
		halfClose(inside)
	})
	both.Wait()
}

func halfClose(c net.Conn) {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // the reader on the other side sees the end
		return
	}
	_ = c.Close()
}

// forward passes a plain http request on. When that cannot be done the
// connection to the browser is cut without a word: any status of ours would
// look like an answer of the site. [Pass.Failure] has the reason.
func (p *Pass) forward(w http.ResponseWriter, r *http.Request) {
	addr := dialAddress(r.URL)
	if p.refuses(r.URL.Hostname()) || p.check("http", addr) != nil {
		panic(http.ErrAbortHandler)
	}
	relay := httputil.ReverseProxy{
		Rewrite:       keepForwarded,
		Transport:     p.transport,
		FlushInterval: -1,                         // streams must not wait for a full buffer
		ErrorLog:      log.New(io.Discard, "", 0), // what fails is noted on the pass
		ErrorHandler: func(_ http.ResponseWriter, _ *http.Request, err error) {
			p.noteAnswerless(addr, err)
			panic(http.ErrAbortHandler)
		},
	}
	// A nil value keeps the server from adding these itself: what the site did
	// not say, the browser must not hear.
	w.Header()["Content-Type"], w.Header()["Date"] = nil, nil
	relay.ServeHTTP(w, r)
}

// keepForwarded puts back what ReverseProxy takes out: these headers were set
// by the page or the caller, and are none of the proxy's business.
func keepForwarded(pr *httputil.ProxyRequest) {
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if values, ok := pr.In.Header[name]; ok {
			pr.Out.Header[name] = values
		}
	}
	pr.Out.Host = pr.In.Host
	pr.Out.Header.Del("Proxy-Authorization")
}

// noteAnswerless notes a request that got a connection but no answer. A failed
// dial has already noted better.
func (p *Pass) noteAnswerless(addr string, err error) {
	if p.Failure(addr) == nil && !errors.Is(err, net.ErrClosed) {
		p.note(addr, err)
	}
}

// dialAddress is host:port of a plain http address.
func dialAddress(u *url.URL) string {
	if u.Port() != "" {
		return u.Host
	}
	return net.JoinHostPort(u.Hostname(), "80")
}
