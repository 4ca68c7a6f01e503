package netguard

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// DialEndpoint gives a dialer for the one endpoint an operator named in the
// settings: an outbound proxy, a model, a search provider, an object store. Its
// address may be private, since the operator chose it; any other address is
// refused, so that a redirect of that endpoint leads nowhere.
func (g *Guard) DialEndpoint(endpoint *url.URL) DialFunc {
	own := net.JoinHostPort(endpoint.Hostname(), portOf(endpoint))
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if !strings.EqualFold(address, own) {
			return nil, refused(fmt.Errorf("dial %s: the settings name %s only", address, own))
		}
		h, err := parseHost(endpoint.Hostname())
		if err != nil {
			return nil, err
		}
		addrs, err := g.addresses(ctx, h)
		if err != nil {
			return nil, err
		}
		return g.race(ctx, network, addrs, portOf(endpoint))
	}
}

func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	switch u.Scheme {
	case "https":
		return "443"
	case "socks5", "socks5h":
		return "1080"
	}
	return "80"
}
