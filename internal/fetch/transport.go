package fetch

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/url"
	"time"

	"github.com/trawlhq/trawl/internal/netguard"
)

// newTransport makes a pool of connections, out through via where it is given.
func newTransport(guard *netguard.Guard, via *url.URL, skipVerify bool) *http.Transport {
	t := &http.Transport{
		DialContext:            guard.DialContext,
		TLSClientConfig:        tlsConfig(skipVerify),
		TLSHandshakeTimeout:    15 * time.Second,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // decoded by us, with a cap after decoding
		MaxIdleConns:           1024,
		MaxIdleConnsPerHost:    32,
		IdleConnTimeout:        60 * time.Second,
		MaxResponseHeaderBytes: 1 << 20,
		ReadBufferSize:         16 << 10,
	}
	if via != nil {
		t.Proxy = http.ProxyURL(via)
		t.DialContext = guard.DialEndpoint(via)
		t.OnProxyConnectResponse = func(_ context.Context, _ *url.URL, _ *http.Request, res *http.Response) error {
			if res.StatusCode != http.StatusOK {
				return errTunnel
			}
			return nil
		}
	}
	return t
}

// tlsConfig without verification also accepts what old servers offer: whoever
// takes any certificate wants the page more than the secrecy.
func tlsConfig(skipVerify bool) *tls.Config {
	if !skipVerify {
		return &tls.Config{MinVersion: tls.VersionTLS12}
	}
	c := &tls.Config{MinVersion: tls.VersionTLS10, InsecureSkipVerify: true}
	for _, suite := range append(tls.CipherSuites(), tls.InsecureCipherSuites()...) {
		c.CipherSuites = append(c.CipherSuites, suite.ID)
	}
	return c
}
