package netguard

import (
	"context"
	"net"
	"net/netip"
	"time"
)

// headStart is how long one address has before the next is tried beside it, the
// value of RFC 8305.
const headStart = 250 * time.Millisecond

type attempt struct {
	conn net.Conn
	err  error
}

// race dials the addresses one after the other, each with a head start, and keeps
// the first connection. The last error is given when none answers.
func (g *Guard) race(ctx context.Context, network string, addrs []netip.Addr, port string) (net.Conn, error) {
	if len(addrs) == 1 {
		return g.dial(ctx, network, net.JoinHostPort(addrs[0].String(), port))
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	attempts := make(chan attempt)
	waiting := 0
	timer := time.NewTimer(0)
	defer timer.Stop()
	var last error
	for len(addrs) > 0 || waiting > 0 {
		select {
		case <-timer.C:
			if len(addrs) == 0 {
				continue
			}
			go g.attempt(ctx, network, net.JoinHostPort(addrs[0].String(), port), attempts)
			addrs, waiting = addrs[1:], waiting+1
			timer.Reset(headStart)
		case a := <-attempts:
			waiting--
			if a.err == nil {
				cancel()
				go closeLosers(attempts, waiting)
				return a.conn, nil
			}
			last = a.err
			timer.Reset(0)
		}
	}
	return nil, last
}

func (g *Guard) attempt(ctx context.Context, network, address string, attempts chan<- attempt) {
	conn, err := g.dial(ctx, network, address)
	attempts <- attempt{conn, err}
}

// closeLosers waits for the attempts still under way, which end soon: their
// context has ended.
func closeLosers(attempts <-chan attempt, waiting int) {
	for range waiting {
		if a := <-attempts; a.err == nil {
			_ = a.conn.Close() // connected too late, nothing was said on it
		}
	}
}
