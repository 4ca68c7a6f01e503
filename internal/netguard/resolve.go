package netguard

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/trawlhq/trawl"
)

const (
	answersFor   = 30 * time.Second // shorter than most TTLs; a crawl of one site still asks twice a minute at most
	answersKept  = 4096             // hosts; beyond it the cache starts anew
	lookupWithin = 10 * time.Second // one lookup, shared by all who wait for it
)

// resolver looks names up, once for all who ask at the same time, and remembers
// the answers for a short while. What it remembers is still checked at every dial.
type resolver struct {
	ask      func(ctx context.Context, host string) ([]netip.Addr, error)
	keep     time.Duration
	inFlight singleflight.Group

	mu      sync.Mutex
	answers map[string]answer
}

type answer struct {
	addrs []netip.Addr
	until time.Time
}

func newResolver(o Options) *resolver {
	r := &resolver{ask: o.Resolve, keep: o.CacheFor, answers: map[string]answer{}}
	if r.ask == nil {
		r.ask = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	if r.keep == 0 {
		r.keep = answersFor
	}
	return r
}

// lookup gives the addresses of a name in lower-case ASCII.
func (r *resolver) lookup(ctx context.Context, name string) ([]netip.Addr, error) {
	if isLocalhost(name) { // never asked of the network, whatever a hosts file says
		return []netip.Addr{loopback4, loopback6}, nil
	}
	if neverResolves(name) {
		return nil, unresolved(fmt.Errorf("%q is reserved to have no address", name))
	}
	if addrs, ok := r.remembered(name); ok {
		return addrs, nil
	}
	found := r.inFlight.DoChan(name, func() (any, error) {
		if addrs, ok := r.remembered(name); ok { // came while we were on the way here
			return addrs, nil
		}
		// The first caller may give up; the others still want the answer.
		shared, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookupWithin)
		defer cancel()
		addrs, err := r.ask(shared, name)
		if err == nil && len(addrs) > 0 {
			r.remember(name, addrs)
		}
		return addrs, err
	})
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("look up %s: %w", name, ctx.Err())
	case res := <-found:
		addrs, _ := res.Val.([]netip.Addr)
		if res.Err != nil {
			return nil, unresolved(fmt.Errorf("look up %s: %w", name, res.Err))
		}
		if len(addrs) == 0 {
			return nil, unresolved(fmt.Errorf("look up %s: no addresses", name))
		}
		return addrs, nil
	}
}

func (r *resolver) remembered(name string) ([]netip.Addr, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a, ok := r.answers[name]
	return a.addrs, ok && time.Now().Before(a.until)
}

func (r *resolver) remember(name string, addrs []netip.Addr) {
	if r.keep < 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.answers) >= answersKept {
		clear(r.answers)
	}
	r.answers[name] = answer{addrs: addrs, until: time.Now().Add(r.keep)}
}

// neverResolves names the domains that RFC 6761 and RFC 7686 keep out of the DNS.
func neverResolves(name string) bool {
	tld := name[strings.LastIndexByte(name, '.')+1:]
	return tld == "invalid" || tld == "onion"
}

func unresolved(cause error) error {
	return trawl.Errorf(trawl.Unresolved, "The host name of this address could not be resolved").
		WithCode("SCRAPE_DNS_RESOLUTION_ERROR").
		WithDetails(map[string]any{"retryable": false}).
		Because(cause)
}
