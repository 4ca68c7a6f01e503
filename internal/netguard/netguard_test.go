package netguard

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trawlhq/trawl"
)

// world is a resolver and a network in memory: no packet leaves.
type world struct {
	mu      sync.Mutex
	answers map[string][][]string // host → one answer per lookup; the last one stays
	asked   int
	dialed  []string
	refuse  map[string]bool // addresses that do not answer
}

func (w *world) resolve(_ context.Context, host string) ([]netip.Addr, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked++
	answers, ok := w.answers[host]
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if len(answers) > 1 {
		w.answers[host] = answers[1:]
	}
	var out []netip.Addr
	for _, a := range answers[0] {
		out = append(out, netip.MustParseAddr(a))
	}
	return out, nil
}

func (w *world) dial(_ context.Context, _, address string) (net.Conn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dialed = append(w.dialed, address)
	if w.refuse[address] {
		return nil, errors.New("connection refused")
	}
	here, there := net.Pipe()
	_ = there.Close()
	return here, nil
}

func (w *world) guard(t *testing.T, setting string, keep time.Duration) *Guard {
	t.Helper()
	p, err := ParsePolicy(setting)
	if err != nil {
		t.Fatal(err)
	}
	return New(p, Options{Resolve: w.resolve, Dial: w.dial, CacheFor: keep})
}

func code(err error) string {
	var e *trawl.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func TestOnlyCheckedAddressesAreDialed(t *testing.T) {
	for _, tc := range []struct {
		name, setting, address string
		answer                 []string
		dead                   string
		dialed                 []string
		code                   string
	}{
		{"public name", "", "a.test:80", []string{"1.2.3.4"}, "", []string{"1.2.3.4:80"}, ""},
		{"private name", "", "a.test:80", []string{"10.0.0.1"}, "", nil, "PRIVATE_ADDRESS_BLOCKED"},
		{"mixed answer goes to the public address", "", "a.test:80", []string{"127.0.0.1", "1.2.3.4", "::1"}, "", []string{"1.2.3.4:80"}, ""},
		{"mixed answer never falls back inside", "", "a.test:80", []string{"1.2.3.4", "127.0.0.1"}, "1.2.3.4:80", []string{"1.2.3.4:80"}, ""},
		{"mapped answer", "", "a.test:80", []string{"::ffff:192.168.0.1"}, "", nil, "PRIVATE_ADDRESS_BLOCKED"},
		{"second address when the first is dead", "", "a.test:80", []string{"1.2.3.4", "2600::1"}, "1.2.3.4:80", []string{"1.2.3.4:80", "[2600::1]:80"}, ""},
		{"name without address", "", "nowhere.test:80", nil, "", nil, "SCRAPE_DNS_RESOLUTION_ERROR"},
		{"reserved name", "true", "a.invalid:80", nil, "", nil, "SCRAPE_DNS_RESOLUTION_ERROR"},
		{"localhost without a lookup", "true", "localhost:80", nil, "", []string{"127.0.0.1:80"}, ""},
		{"localhost refused", "", "localhost:80", nil, "", nil, "PRIVATE_ADDRESS_BLOCKED"},
		{"metadata name is not looked up", "true", "metadata.google.internal:80", []string{"1.2.3.4"}, "", nil, "PRIVATE_ADDRESS_BLOCKED"},
		{"decimal spelling", "", "2130706433:80", nil, "", nil, "PRIVATE_ADDRESS_BLOCKED"},
		{"public address in octal is dialed in plain", "", "010.010.010.010:80", nil, "", []string{"8.8.8.8:80"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := &world{answers: map[string][][]string{}, refuse: map[string]bool{tc.dead: true}}
			if tc.answer != nil {
				w.answers["a.test"] = [][]string{tc.answer}
				w.answers["metadata.google.internal"] = [][]string{tc.answer}
			}
			_, err := w.guard(t, tc.setting, 0).DialContext(t.Context(), "tcp", tc.address)
			if got := code(err); got != tc.code {
				t.Errorf("code = %q (%v), want %q", got, err, tc.code)
			}
			if !slices.Equal(w.dialed, tc.dialed) {
				t.Errorf("dialed %v, want %v", w.dialed, tc.dialed)
			}
		})
	}
}

func TestRebindingNameIsRefusedOnceItPointsInside(t *testing.T) {
	w := &world{answers: map[string][][]string{"re.test": {{"1.2.3.4"}, {"127.0.0.1"}}}}
	g := w.guard(t, "", -1)
	u, err := url.Parse("http://re.test/")
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Resolve(t.Context(), u); err != nil {
		t.Fatalf("first look: %v", err)
	}
	if _, err := g.DialContext(t.Context(), "tcp", "re.test:80"); code(err) != "PRIVATE_ADDRESS_BLOCKED" {
		t.Errorf("dial after rebinding: %v, want PRIVATE_ADDRESS_BLOCKED", err)
	}
	if w.dialed != nil {
		t.Errorf("dialed %v, want nothing", w.dialed)
	}
}

func TestAddressThatAnswersIsCheckedAgain(t *testing.T) {
	inside, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer inside.Close()
	lying := func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, inside.Addr().String())
	}
	g := New(Policy{}, Options{Dial: lying})
	if _, err := g.DialContext(t.Context(), "tcp", "1.2.3.4:80"); code(err) != "PRIVATE_ADDRESS_BLOCKED" {
		t.Errorf("dial that ended inside: %v, want PRIVATE_ADDRESS_BLOCKED", err)
	}
}

func TestEveryAddressMustBePermittedWhenSomeoneElseConnects(t *testing.T) {
	w := &world{answers: map[string][][]string{"mixed.test": {{"1.2.3.4", "10.0.0.1"}}}}
	err := w.guard(t, "", 0).Resolve(t.Context(), &url.URL{Scheme: "http", Host: "mixed.test"})
	if code(err) != "PRIVATE_ADDRESS_BLOCKED" {
		t.Errorf("Resolve = %v, want PRIVATE_ADDRESS_BLOCKED", err)
	}
}

func TestAnswersAreSharedAndThenForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		g := New(Policy{}, Options{
			Dial: (&world{}).dial,
			Resolve: func(context.Context, string) ([]netip.Addr, error) {
				asked.Add(1)
				time.Sleep(time.Second) // a slow server, in the bubble's time
				return []netip.Addr{netip.MustParseAddr("1.2.3.4")}, nil
			},
		})
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if _, err := g.DialContext(t.Context(), "tcp", "a.test:80"); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := asked.Load(); n != 1 {
			t.Errorf("20 dials at once asked %d times, want 1", n)
		}
		time.Sleep(answersFor)
		if _, err := g.DialContext(t.Context(), "tcp", "a.test:80"); err != nil {
			t.Error(err)
		}
		if n := asked.Load(); n != 2 {
			t.Errorf("asked %d times after the answer went stale, want 2", n)
		}
	})
}

func TestCallerWhoGivesUpDoesNotSpoilTheLookup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Policy{}, Options{
			Dial: (&world{}).dial,
			Resolve: func(ctx context.Context, _ string) ([]netip.Addr, error) {
				select {
				case <-time.After(time.Second):
					return []netip.Addr{netip.MustParseAddr("1.2.3.4")}, nil
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			},
		})
		hasty, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := g.DialContext(hasty, "tcp", "a.test:80"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("hasty caller: %v, want the deadline", err)
			}
		})
		all.Go(func() {
			if _, err := g.DialContext(t.Context(), "tcp", "a.test:80"); err != nil {
				t.Errorf("patient caller: %v", err)
			}
		})
		all.Wait()
	})
}

func TestAddressThatHangsDoesNotHoldUpTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{answers: map[string][][]string{"a.test": {{"2600::1", "1.2.3.4"}}}}
		g := New(Policy{}, Options{Resolve: w.resolve, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if address == "[2600::1]:80" {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return w.dial(ctx, network, address)
		}})
		began := time.Now()
		if _, err := g.DialContext(t.Context(), "tcp", "a.test:80"); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != headStart {
			t.Errorf("connected after %v, want %v", took, headStart)
		}
	})
}

func TestEndpointDialerReachesItsEndpointOnly(t *testing.T) {
	w := &world{}
	dial := w.guard(t, "", 0).DialEndpoint(&url.URL{Scheme: "http", Host: "127.0.0.1:3128"})
	if _, err := dial(t.Context(), "tcp", "127.0.0.1:3128"); err != nil {
		t.Errorf("its own endpoint: %v", err)
	}
	for _, other := range []string{"127.0.0.1:22", "1.2.3.4:3128"} {
		if _, err := dial(t.Context(), "tcp", other); code(err) != "PRIVATE_ADDRESS_BLOCKED" {
			t.Errorf("dial %s = %v, want PRIVATE_ADDRESS_BLOCKED", other, err)
		}
	}
}

func TestNetworksOtherThanTCPAreRefused(t *testing.T) {
	w := &world{}
	for _, network := range []string{"udp", "unix", "ip"} {
		if _, err := w.guard(t, "true", 0).DialContext(t.Context(), network, "127.0.0.1:80"); err == nil {
			t.Errorf("network %s was dialed", network)
		}
	}
	if w.dialed != nil {
		t.Errorf("dialed %v", w.dialed)
	}
}
