package browser

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"sync"

	"github.com/trawlhq/trawl/internal/browser/egress"
)

// proxies are the ways out, by the address they listen on: loopback for
// browsers of this machine, and for a remote browser the address of ours that
// its host can reach. They are opened when first needed.
type proxies struct {
	options egress.Options

	mu   sync.Mutex
	open map[string]*egress.Proxy
}

func (p *proxies) local() (*egress.Proxy, error) { return p.on("127.0.0.1") }

// forEndpoint gives the way out for the browser behind that endpoint.
func (p *proxies) forEndpoint(endpoint string) (*egress.Proxy, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil, fmt.Errorf("read browser endpoint: %w", err)
	}
	host, err := reachableFrom(hostport(u.String()))
	if err != nil {
		return nil, err
	}
	return p.on(host)
}

func (p *proxies) on(host string) (*egress.Proxy, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if proxy := p.open[host]; proxy != nil {
		return proxy, nil
	}
	options := p.options
	options.Listen = net.JoinHostPort(host, "0")
	proxy, err := egress.Open(options)
	if err != nil {
		return nil, err
	}
	if p.open == nil {
		p.open = map[string]*egress.Proxy{}
	}
	p.open[host] = proxy
	return proxy, nil
}

func (p *proxies) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, proxy := range p.open {
		errs = append(errs, proxy.Close())
	}
	return errors.Join(errs...)
}

// proxy is the way out for the browser in this seat.
func (s *seat) proxy() (*egress.Proxy, error) {
	if s.endpoint != "" {
		return s.pool.proxies.forEndpoint(s.endpoint)
	}
	return s.pool.proxies.local()
}
