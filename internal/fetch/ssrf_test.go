package fetch

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

	"github.com/trawlhq/trawl/internal/netguard"
)

// hops answers with as many redirects to itself as "left" says, then one to "to".
func hops(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	left, err := strconv.Atoi(q.Get("left"))
	if err != nil || left == 0 {
		w.Header().Set("Location", q.Get("to"))
		w.WriteHeader(http.StatusFound)
		return
	}
	q.Set("left", strconv.Itoa(left-1))
	http.Redirect(w, r, "http://public.test/?"+q.Encode(), http.StatusFound)
}

// outside hides that a connection of the test ends on the loopback.
type outside struct{ net.Conn }

func (outside) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(1, 2, 3, 4), Port: 80} }

// rebinding is a guard for which public.test is a server of ours, inside.test the
// loopback, and re.test first the one and from then on the other.
func rebinding(front string) *netguard.Guard {
	var lookups atomic.Int32
	home, public := netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("1.2.3.4")
	var real net.Dialer
	return netguard.New(netguard.Policy{}, netguard.Options{
		CacheFor: -1,
		Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
			if host == "public.test" || host == "re.test" && lookups.Add(1) == 1 {
				return []netip.Addr{public}, nil
			}
			return []netip.Addr{home}, nil
		},
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if !strings.HasPrefix(address, "1.2.3.4:") {
				return real.DialContext(ctx, network, address)
			}
			conn, err := real.DialContext(ctx, network, front)
			return outside{conn}, err
		},
	})
}

func TestNoRedirectReachesTheInside(t *testing.T) {
	var reached atomic.Int32
	inside := httptest.NewUnstartedServer(http.NotFoundHandler())
	inside.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			reached.Add(1)
		}
	}
	inside.Start()
	defer inside.Close()
	front := httptest.NewServer(http.HandlerFunc(hops))
	defer front.Close()
	_, port, err := net.SplitHostPort(inside.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	guard := rebinding(front.Listener.Addr().String())
	engine := NewHTTP(guard, nil)
	defer engine.Close()
	f := Guard(Retry(engine), guard)
	for _, host := range []string{
		"127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.0.0.1.", "[::1]", "[::ffff:7f00:1]", "１２７.０.０.１", "localhost", "inside.test", "user@127.0.0.1",
		"169.254.169.254", "[fd00:ec2::254]", "metadata.google.internal", "re.test",
	} {
		for _, n := range []int{0, 1, 9} {
			target := "http://" + host + ":" + port + "/"
			if n > 0 {
				target = fmt.Sprintf("http://public.test/?left=%d&to=%s", n-1, url.QueryEscape(target))
			}
			if host == "re.test" && n == 0 { // the first visit is allowed: it leads back by a redirect
				target = "http://re.test/?left=0&to=" + url.QueryEscape("http://re.test:"+port+"/")
			}
			_, err := f.Fetch(t.Context(), request(t, target))
			if e, _ := failure(t, err); e.Code != "PRIVATE_ADDRESS_BLOCKED" {
				t.Errorf("%s after %d hops: %v, want PRIVATE_ADDRESS_BLOCKED", host, n, err)
			}
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("the inside server saw %d connections, want none", n)
	}
}
