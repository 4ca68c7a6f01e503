package fetch

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/trawlhq/trawl/internal/netguard"
)

// forwardProxy is a small proxy: absolute addresses for http, tunnels for https,
// all of it led to one server.
type forwardProxy struct {
	target string
	seen   atomic.Int32
	refuse bool
}

func (p *forwardProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.seen.Add(1)
	if p.refuse {
		http.Error(w, "no", http.StatusForbidden)
		return
	}
	if r.Method != http.MethodConnect {
		fmt.Fprintf(w, "%s through the proxy, %s", r.URL, r.Header.Get("Proxy-Authorization"))
		return
	}
	up, err := net.Dial("tcp", p.target)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer up.Close()
	down, early, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer down.Close()
	_, _ = io.WriteString(down, "HTTP/1.1 200 Connection established\r\n\r\n")
	var both sync.WaitGroup
	both.Go(func() { _, _ = io.Copy(up, early); _ = up.Close() })
	both.Go(func() { _, _ = io.Copy(down, up); _ = down.Close() })
	both.Wait()
}

// viaProxy is an engine behind the proxy for which names under .test are public.
func viaProxy(t *testing.T, proxy string) *HTTP {
	t.Helper()
	u, err := url.Parse(proxy)
	if err != nil {
		t.Fatal(err)
	}
	guard := netguard.New(netguard.Policy{}, netguard.Options{
		Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
			if host == "inside.test" {
				return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
			}
			return []netip.Addr{netip.MustParseAddr("1.2.3.4")}, nil
		},
	})
	f := NewHTTP(guard, u)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestProxyCarriesTheRequest(t *testing.T) {
	site := httptest.NewTLSServer(http.HandlerFunc(echo))
	defer site.Close()
	p := &forwardProxy{target: site.Listener.Addr().String()}
	proxy := httptest.NewServer(p)
	defer proxy.Close()
	f := viaProxy(t, "http://me:pw@"+proxy.Listener.Addr().String())

	page, err := f.Fetch(t.Context(), request(t, "http://a.test/x"))
	if err != nil || string(page.Body) != "http://a.test/x through the proxy, Basic bWU6cHc=" {
		t.Errorf("over http: %v %v", page, err)
	}
	r := request(t, "https://a.test/x")
	r.SkipTLSVerify = true
	if page, err = f.Fetch(t.Context(), r); err != nil || page.Status != http.StatusOK {
		t.Errorf("over https: %v %v", page, err)
	}
	if n := p.seen.Load(); n != 2 {
		t.Errorf("the proxy saw %d requests, want 2", n)
	}
}

func TestProxyIsNotAWayInside(t *testing.T) {
	p := &forwardProxy{}
	proxy := httptest.NewServer(p)
	defer proxy.Close()
	f := viaProxy(t, proxy.URL)
	for _, address := range []string{"http://inside.test/", "https://inside.test/", "http://127.0.0.1/", "http://[::ffff:10.0.0.1]/", "http://localhost/"} {
		_, err := f.Fetch(t.Context(), request(t, address))
		if e, _ := failure(t, err); e.Code != "PRIVATE_ADDRESS_BLOCKED" {
			t.Errorf("%s through the proxy: %v, want PRIVATE_ADDRESS_BLOCKED", address, err)
		}
	}
	if n := p.seen.Load(); n != 0 {
		t.Errorf("the proxy saw %d requests, want none", n)
	}
}

func TestProxyThatFailsIsToldFromTheSite(t *testing.T) {
	refusing := httptest.NewServer(&forwardProxy{refuse: true})
	defer refusing.Close()
	for _, tc := range []struct{ name, proxy, address, code string }{
		{"proxy that is down", closedPort(t), "http://a.test/", "ERR_PROXY_CONNECTION_FAILED"},
		{"proxy that is down, https", closedPort(t), "https://a.test/", "ERR_PROXY_CONNECTION_FAILED"},
		{"proxy that refuses the tunnel", refusing.URL, "https://a.test/", "ERR_TUNNEL_CONNECTION_FAILED"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := viaProxy(t, tc.proxy).Fetch(t.Context(), request(t, tc.address))
			_, d := failure(t, err)
			if d.BrowserErrorCode != tc.code || !d.Retryable || d.Origin != "provider_proxy" {
				t.Errorf("error %v with %+v, want %s", err, d, tc.code)
			}
		})
	}
}
