// Package netguard is the one way out: every connection trawl opens on behalf of
// a caller is dialed here, and connections into private networks are refused.
//
// Three words. A policy is what the operator permits beyond the public internet.
// A verdict is what the special-purpose address registries say about one address.
// The guard applies the policy to the verdict at the last possible moment: after
// DNS, on the very address that is dialed, and once more on the address that
// answered. A name is never handed to the system's dialer, so nothing can change
// between the check and the connection.
//
// A name with public and private addresses is dialed on its public ones only.
// Refusing such names altogether would add nothing (the private ones are never
// tried, not even when the public ones do not answer) and would lose the many
// sites that publish an internal address by mistake.
package netguard

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"time"

	"github.com/trawlhq/trawl"
)

// A DialFunc opens a connection, with the signature of [net.Dialer.DialContext].
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Options are the parts of a Guard that tests replace. Zero values are the real thing.
type Options struct {
	Resolve  func(ctx context.Context, host string) ([]netip.Addr, error) // nil: the system's resolver
	Dial     DialFunc                                                     // given an IP address and port only; nil: a net.Dialer
	CacheFor time.Duration                                                // how long a DNS answer is used again; 0: 30 s; negative: never
}

// Guard dials what its policy permits. It is safe for concurrent use.
type Guard struct {
	policy Policy
	names  *resolver
	dial   DialFunc
}

// New makes a guard. It opens nothing.
func New(policy Policy, o Options) *Guard {
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: 30 * time.Second}).DialContext
	}
	return &Guard{policy: policy, names: newResolver(o), dial: o.Dial}
}

// DialContext resolves the host of address, drops every address the policy does
// not permit and connects to one of the rest. It fits http.Transport.
func (g *Guard) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	switch network {
	case "tcp", "tcp4", "tcp6":
	default:
		return nil, fmt.Errorf("dial %s: network %q is not TCP", address, network)
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", address, err)
	}
	permitted, err := g.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	conn, err := g.race(ctx, network, permitted, port)
	if err != nil {
		return nil, err
	}
	return g.recheck(conn, host)
}

// CheckURL refuses what can be refused without DNS: other schemes than http and
// https, hosts written as an address that is not permitted, and names that only
// ever mean a metadata service. It is the cheap first look; the dialer decides.
func (g *Guard) CheckURL(u *url.URL) error {
	_, err := g.checkText(u)
	return err
}

// Resolve does what CheckURL does and then looks the name up: every address must
// be permitted. It is for requests that someone else connects for us (an outbound
// proxy), where we cannot choose the address.
func (g *Guard) Resolve(ctx context.Context, u *url.URL) error {
	h, err := g.checkText(u)
	if err != nil {
		return err
	}
	addrs, err := g.addresses(ctx, h)
	if err != nil {
		return err
	}
	for _, a := range addrs {
		if err := g.policy.check(a, h.name); err != nil {
			return err
		}
	}
	return nil
}

// AllowsName says whether a host that would not pass as a public name (localhost,
// a single label of an intranet) is one the operator has permitted.
func (g *Guard) AllowsName(host string) bool { return g.policy.allowsName(host) }

func (g *Guard) checkText(u *url.URL) (hostname, error) {
	if u.Scheme != "http" && u.Scheme != "https" {
		return hostname{}, trawl.Errorf(trawl.Invalid, "URL uses unsupported protocol")
	}
	h, err := parseHost(u.Hostname())
	if err != nil {
		return h, err
	}
	if h.addr.IsValid() {
		return h, g.policy.check(h.addr, "")
	}
	return h, g.policy.checkName(h.name)
}

// lookup gives the addresses of host that may be dialed: at least one, or an error.
func (g *Guard) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	h, err := parseHost(host)
	if err != nil {
		return nil, err
	}
	if err := g.policy.checkName(h.name); err != nil {
		return nil, err
	}
	addrs, err := g.addresses(ctx, h)
	if err != nil {
		return nil, err
	}
	var permitted []netip.Addr
	var refusal error
	for _, a := range addrs {
		if err := g.policy.check(a, h.name); err != nil {
			refusal = err
			continue
		}
		permitted = append(permitted, a)
	}
	if len(permitted) == 0 {
		return nil, refusal
	}
	return permitted, nil
}

func (g *Guard) addresses(ctx context.Context, h hostname) ([]netip.Addr, error) {
	if h.addr.IsValid() {
		return []netip.Addr{h.addr}, nil
	}
	return g.names.lookup(ctx, h.name)
}

// recheck looks at who really answered. A dialer that was given an address cannot
// well connect elsewhere; this line holds even if one day it can.
func (g *Guard) recheck(conn net.Conn, host string) (net.Conn, error) {
	tcp, ok := conn.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return conn, nil
	}
	h, err := parseHost(host)
	if err == nil {
		err = g.policy.check(tcp.AddrPort().Addr(), h.name)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}
