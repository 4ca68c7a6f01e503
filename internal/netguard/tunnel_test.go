package netguard

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"testing"
	"time"
)

// tunnelProxy accepts one kind of request and answers it; what it was asked comes
// out of the channel.
func tunnelProxy(t *testing.T, answer string) (address *url.URL, asked chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	asked = make(chan string, 8)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				req, err := http.ReadRequest(bufio.NewReader(conn))
				if err != nil {
					return
				}
				asked <- fmt.Sprintf("%s %s %s", req.Method, req.Host, req.Header.Get("Proxy-Authorization"))
				_, _ = io.WriteString(conn, answer)
				_, _ = io.Copy(io.Discard, conn) // until the other side leaves
			}()
		}
	}()
	return &url.URL{Scheme: "http", Host: l.Addr().String(), User: url.UserPassword("me", "pw")}, asked
}

func publicNames(_ context.Context, host string) ([]netip.Addr, error) {
	if host == "inside.test" {
		return []netip.Addr{netip.MustParseAddr("1.2.3.4"), netip.MustParseAddr("10.0.0.1")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("1.2.3.4")}, nil
}

func TestTunnelLeadsThroughTheProxy(t *testing.T) {
	proxy, asked := tunnelProxy(t, "HTTP/1.1 200 Connection established\r\n\r\nhello")
	conn, err := New(Policy{}, Options{Resolve: publicNames}).DialThrough(proxy)(t.Context(), "tcp", "a.test:443")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if got := <-asked; got != "CONNECT a.test:443 Basic bWU6cHc=" {
		t.Errorf("proxy was asked %q", got)
	}
	first := make([]byte, 5)
	if _, err := io.ReadFull(conn, first); err != nil || string(first) != "hello" {
		t.Errorf("tunnel gave %q, %v", first, err)
	}
}

func TestTunnelIsNotAWayInside(t *testing.T) {
	proxy, asked := tunnelProxy(t, "HTTP/1.1 200 OK\r\n\r\n")
	dial := New(Policy{}, Options{Resolve: publicNames}).DialThrough(proxy)
	for _, address := range []string{"127.0.0.1:80", "inside.test:80", "[::1]:443", "2130706433:80", "metadata.google.internal:80"} {
		if _, err := dial(t.Context(), "tcp", address); code(err) != "PRIVATE_ADDRESS_BLOCKED" {
			t.Errorf("tunnel to %s: %v, want PRIVATE_ADDRESS_BLOCKED", address, err)
		}
	}
	if len(asked) != 0 {
		t.Errorf("the proxy was asked %d times", len(asked))
	}
}

func TestProxyThatFailsIsNamed(t *testing.T) {
	refusing, _ := tunnelProxy(t, "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
	silent, _ := tunnelProxy(t, "")
	for name, proxy := range map[string]*url.URL{
		"refuses": refusing, "says nothing": silent, "is down": {Scheme: "http", Host: "127.0.0.1:1"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			_, err := New(Policy{}, Options{Resolve: publicNames}).DialThrough(proxy)(ctx, "tcp", "a.test:443")
			if !errors.Is(err, ErrProxy) {
				t.Errorf("error %v, want ErrProxy", err)
			}
		})
	}
}
