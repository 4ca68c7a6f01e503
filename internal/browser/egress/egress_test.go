package egress

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func open(t *testing.T, opts Options) *Proxy {
	t.Helper()
	if opts.Dial == nil {
		opts.Dial = new(net.Dialer).DialContext
	}
	p, err := Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return p
}

// client goes through the proxy with that user and password.
func client(t *testing.T, p *Proxy, user, password string) *http.Client {
	t.Helper()
	transport := &http.Transport{
		Proxy:           http.ProxyURL(&url.URL{Scheme: "http", User: url.UserPassword(user, password), Host: p.Addr()}),
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, // the test's own server
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 10 * time.Second}
}

func get(t *testing.T, c *http.Client, address string) (int, string, error) {
	t.Helper()
	resp, err := c.Get(address)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body), err
}

func TestPassOpensBothWays(t *testing.T) {
	t.Parallel()
	hello := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "hello %s%s %q", r.Host, r.URL, r.Header.Get("Proxy-Authorization")+r.Header.Get("X-Forwarded-For"))
	})
	plain, secure := httptest.NewServer(hello), httptest.NewTLSServer(hello)
	defer plain.Close()
	defer secure.Close()
	p := open(t, Options{})
	pass := p.Grant()
	c := client(t, p, pass.User, pass.Password)
	for _, site := range []*httptest.Server{plain, secure} {
		want := fmt.Sprintf(`hello %s/a?b=c ""`, site.Listener.Addr())
		if status, body, err := get(t, c, site.URL+"/a?b=c"); err != nil || status != 200 || body != want {
			t.Errorf("%s: %d %q %v, want %q", site.URL, status, body, err, want)
		}
	}
}

func TestAnswerPassesUnchanged(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"], w.Header()["Date"] = nil, nil
		w.Header()["X-Two"] = []string{"1", "2"}
		fmt.Fprint(w, "%PDF-1.4")
	}))
	defer site.Close()
	p := open(t, Options{})
	pass := p.Grant()
	resp, err := client(t, p, pass.User, pass.Password).Get(site.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if len(resp.Header) != 2 || len(resp.Header["X-Two"]) != 2 || resp.ContentLength != 8 {
		t.Errorf("header = %v, want what the site sent", resp.Header)
	}
}

func TestWithoutAPassThereIsNoWayOut(t *testing.T) {
	t.Parallel()
	var dialled atomic.Int64
	p := open(t, Options{Dial: func(context.Context, string, string) (net.Conn, error) {
		dialled.Add(1)
		return nil, errors.New("no")
	}})
	pass, other, gone := p.Grant(), p.Grant(), p.Grant()
	gone.Revoke()
	for _, tc := range []struct{ name, user, password string }{
		{"a stranger", "someone", "x"},
		{"nobody", "", ""},
		{"a guessed password", pass.User, "x"},
		{"another pass's password", pass.User, other.Password},
		{"a revoked pass", gone.User, gone.Password},
	} {
		t.Run(tc.name, func(t *testing.T) {
			status, _, err := get(t, client(t, p, tc.user, tc.password), "http://a.test/")
			if status != http.StatusProxyAuthRequired {
				t.Errorf("got %d %v, want 407", status, err)
			}
			if _, _, err := get(t, client(t, p, tc.user, tc.password), "https://a.test/"); err == nil || !strings.Contains(err.Error(), "Proxy Authentication Required") {
				t.Errorf("a tunnel gave %v, want 407", err)
			}
		})
	}
	if dialled.Load() != 0 {
		t.Errorf("dialled %d times for strangers", dialled.Load())
	}
}

func TestFailureIsRememberedByHost(t *testing.T) {
	t.Parallel()
	broken := errors.New("no road")
	blocked := errors.New("not there")
	p := open(t, Options{
		Dial: func(ctx context.Context, network, addr string) (net.Conn, error) { return nil, broken },
		CheckURL: func(u *url.URL) error {
			if u.Hostname() == "blocked.test" {
				return blocked
			}
			return nil
		},
	})
	pass := p.Grant()
	c := client(t, p, pass.User, pass.Password)
	for _, tc := range []struct {
		name, url, hostport string
		want                error
	}{
		{"plain", "http://a.test/", "a.test:80", broken},
		{"tunnel", "https://b.test/", "b.test:443", broken},
		{"another port", "http://c.test:8080/", "c.test:8080", broken},
		{"IPv6", "http://[::1]:81/", "[::1]:81", broken},
		{"refused before dialling", "http://blocked.test/", "blocked.test:80", blocked},
		{"a tunnel refused before dialling", "https://blocked.test/", "blocked.test:443", blocked},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, _, err := get(t, c, tc.url); err == nil {
				t.Error("it was brought")
			}
			if got := pass.Failure(tc.hostport); !errors.Is(got, tc.want) {
				t.Errorf("failure = %v, want %v", got, tc.want)
			}
		})
	}
	if got := p.Grant().Failure("a.test:80"); got != nil {
		t.Errorf("another pass knows of %v", got)
	}
}

func TestRouteDecidesTheWay(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "here") }))
	defer site.Close()
	p := open(t, Options{Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("the wrong way") }})
	pass := p.Grant()
	pass.Route(Route{
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, site.Listener.Addr().String())
		},
		Refuse: func(host string) bool { return host == "ads.test" },
	})
	c := client(t, p, pass.User, pass.Password)
	if _, body, err := get(t, c, "http://a.test/"); err != nil || body != "here" {
		t.Errorf("got %q, %v", body, err)
	}
	if _, _, err := get(t, c, "http://ads.test/"); err == nil {
		t.Error("a refused host was reached")
	}
	if err := pass.Failure("ads.test:80"); err != nil {
		t.Errorf("refusing an ad was noted as a failure: %v", err)
	}
}

func TestRevokeEndsOpenTunnels(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		c, err := listener.Accept()
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, c) // until the proxy hangs up
		close(ended)
	}()
	p := open(t, Options{})
	pass := p.Grant()
	c, err := net.Dial("tcp", p.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Host: listener.Addr().String()}, Host: listener.Addr().String(), Header: http.Header{}}
	req.SetBasicAuth(pass.User, pass.Password)
	req.Header.Set("Proxy-Authorization", req.Header.Get("Authorization"))
	if err := req.Write(c); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), req)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("connect: %v %v", resp, err)
	}
	pass.Revoke()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the tunnel outlived its pass")
	}
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("the browser's side is still open")
	}
}

func FuzzProxyNeverPanics(f *testing.F) {
	f.Add("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
	f.Add("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n")
	f.Add("CONNECT nonsense HTTP/1.1\r\nHost: \r\n\r\n")
	f.Add("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nProxy-Authorization: Basic !!!\r\n\r\n")
	p, err := Open(Options{Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no") }})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = p.Close() })
	pass := p.Grant()
	f.Fuzz(func(t *testing.T, text string) {
		req, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
		if err != nil {
			return // what is no request reaches nobody
		}
		for _, known := range []bool{false, true} {
			if known {
				req.SetBasicAuth(pass.User, pass.Password)
				req.Header.Set("Proxy-Authorization", req.Header.Get("Authorization"))
			}
			func() {
				defer func() {
					if r := recover(); r != nil && r != http.ErrAbortHandler {
						t.Fatalf("panic: %v", r)
					}
				}()
				p.ServeHTTP(httptest.NewRecorder(), req)
			}()
		}
	})
}
