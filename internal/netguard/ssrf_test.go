package netguard

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// insideServer stands for everything that must not be reached: it counts who comes.
func insideServer(t *testing.T) (port string, connections *atomic.Int32) {
	t.Helper()
	connections = new(atomic.Int32)
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Port(), connections
}

// spellings are the ways to write this machine, its network or a cloud's secrets.
var spellings = []string{
	"127.0.0.1", "127.1", "127.0.1", "127.000.000.001", "2130706433", "0x7f000001", "0x7f.0x0.0x0.0x1", "0X7F.1",
	"0177.0.0.1", "0177.0.0.01", "017700000001", "00000177.0.0.1", "127.0.0.1.", "127.127.127.127",
	"１２７.０.０.１", "127。0。0。1", "127．0．0．1", "①②⑦.⓪.⓪.①",
	"0", "0.0.0.0", "0x0", "[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[::7f00:1]",
	"[64:ff9b::127.0.0.1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2001:0:1:1:1:1:80ff:fffe]",
	"[fe80::1]", "[fe80::1%25lo]", "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]", "[2001:db8::1]",
	"10.0.0.1", "172.16.0.1", "192.168.0.1", "0300.0250.0.1", "3232235521", "100.64.0.1", "198.18.0.1", "192.0.2.1", "224.0.0.1", "255.255.255.255",
	"169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "[::ffff:a9fe:a9fe]", "168.63.129.16", "100.100.100.200",
	"localhost", "LocalHost", "localhost.", "app.localhost", "metadata.google.internal", "metadata", "instance-data",
	"example.com@127.0.0.1", "example.com:80@127.0.0.1", "1.1.1.1%20@127.0.0.1",
	"inside.test", "mixedcase.INSIDE.test", "inside.test.",
}

// site resolves every name of inside.test to the loopback and public.test to an
// address that the dialer leads to a server of ours: the only public host here.
func siteGuard(t *testing.T, frontAddress string) *Guard {
	t.Helper()
	var real net.Dialer
	return New(Policy{}, Options{
		Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
			switch {
			case strings.HasSuffix(host, "inside.test"):
				return []netip.Addr{loopback4, loopback6}, nil
			case host == "public.test":
				return []netip.Addr{netip.MustParseAddr("1.2.3.4")}, nil
			}
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		},
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if strings.HasPrefix(address, "1.2.3.4:") {
				conn, err := real.DialContext(ctx, network, frontAddress)
				return outside{conn}, err
			}
			return real.DialContext(ctx, network, address)
		},
	})
}

// outside hides that a connection of the test ends on the loopback.
type outside struct{ net.Conn }

func (outside) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(1, 2, 3, 4), Port: 80} }

func TestNoSpellingReachesTheInside(t *testing.T) {
	port, connections := insideServer(t)
	front := httptest.NewServer(http.HandlerFunc(redirectAfter))
	defer front.Close()
	g := siteGuard(t, front.Listener.Addr().String())
	transport := &http.Transport{DialContext: g.DialContext}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}

	for _, host := range spellings {
		target := "http://" + host + ":" + port + "/"
		for _, hops := range []int{0, 1, 9} {
			t.Run(fmt.Sprintf("%s at hop %d", host, hops), func(t *testing.T) {
				address := target
				if hops > 0 {
					address = fmt.Sprintf("http://public.test/?left=%d&to=%s", hops-1, url.QueryEscape(target))
				}
				res, err := client.Get(address)
				if err == nil {
					res.Body.Close()
				}
				if code(err) != "PRIVATE_ADDRESS_BLOCKED" {
					t.Errorf("GET %s: %v, want PRIVATE_ADDRESS_BLOCKED", address, err)
				}
			})
		}
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("the inside server saw %d connections, want none", n)
	}
}

// redirectAfter answers with as many redirects to itself as "left" says, then one to "to".
func redirectAfter(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	left, err := strconv.Atoi(q.Get("left"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if left == 0 {
		w.Header().Set("Location", q.Get("to"))
		w.WriteHeader(http.StatusFound)
		return
	}
	q.Set("left", strconv.Itoa(left-1))
	http.Redirect(w, r, "http://public.test/?"+q.Encode(), http.StatusFound)
}

func TestURLsAreRefusedBeforeDNSWherePossible(t *testing.T) {
	g := New(Policy{}, Options{
		Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
			t.Errorf("CheckURL looked up %s", host)
			return nil, nil
		},
	})
	for _, tc := range []struct{ address, code string }{
		{"http://127.0.0.1/", "PRIVATE_ADDRESS_BLOCKED"},
		{"http://0x7f.1/", "PRIVATE_ADDRESS_BLOCKED"},
		{"https://[::1]/", "PRIVATE_ADDRESS_BLOCKED"},
		{"http://user:pw@10.0.0.1/", "PRIVATE_ADDRESS_BLOCKED"},
		{"http://metadata.google.internal/", "PRIVATE_ADDRESS_BLOCKED"},
		{"http://1.2.3.4.5/", "BAD_REQUEST"},
		{"https://a.test/", ""},
	} {
		u, err := url.Parse(tc.address)
		if err != nil {
			t.Fatal(err)
		}
		if got := code(g.CheckURL(u)); got != tc.code {
			t.Errorf("CheckURL(%s) code = %q, want %q", tc.address, got, tc.code)
		}
	}
	for _, address := range []string{"file:///etc/passwd", "ftp://a.test/", "gopher://a.test/", "data:text/html,x", "javascript:1", "ws://a.test/", "//a.test"} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if g.CheckURL(u) == nil {
			t.Errorf("CheckURL(%s) let another scheme pass", address)
		}
	}
}
