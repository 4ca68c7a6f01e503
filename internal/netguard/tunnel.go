package netguard

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// ErrProxy marks a connection that failed at the outbound proxy, not at the target.
var ErrProxy = errors.New("outbound proxy failed")

// DialThrough gives a dialer that connects by a CONNECT tunnel of an http or https
// proxy the operator named. The target is resolved and checked here, and every
// address it has must be permitted, since the proxy resolves once more and chooses.
func (g *Guard) DialThrough(proxy *url.URL) DialFunc {
	reach := g.DialEndpoint(proxy)
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if err := g.Resolve(ctx, &url.URL{Scheme: "http", Host: address}); err != nil {
			return nil, err
		}
		conn, err := reach(ctx, network, net.JoinHostPort(proxy.Hostname(), portOf(proxy)))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrProxy, err)
		}
		tunnel, err := openTunnel(ctx, conn, proxy, address)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%w: %w", ErrProxy, err), conn.Close())
		}
		return tunnel, nil
	}
}

// openTunnel asks the proxy on conn to connect to address.
func openTunnel(ctx context.Context, conn net.Conn, proxy *url.URL, address string) (net.Conn, error) {
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) }) // wakes the reads below
	defer stop()
	if proxy.Scheme == "https" {
		secure := tls.Client(conn, &tls.Config{ServerName: proxy.Hostname(), MinVersion: tls.VersionTLS12})
		if err := secure.HandshakeContext(ctx); err != nil {
			return nil, fmt.Errorf("secure proxy connection: %w", err)
		}
		conn = secure
	}
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address, Header: http.Header{}}
	if user := proxy.User; user != nil {
		password, _ := user.Password()
		req.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)))
	}
	if err := req.Write(conn); err != nil {
		return nil, fmt.Errorf("ask for tunnel: %w", err)
	}
	from := bufio.NewReader(conn)
	res, err := http.ReadResponse(from, req)
	if err != nil {
		return nil, fmt.Errorf("ask for tunnel: %w", err)
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("ask for tunnel: proxy answered %s", res.Status)
	}
	return &tunnelled{Conn: conn, from: from}, ctx.Err()
}

// tunnelled reads what came together with the proxy's answer first.
type tunnelled struct {
	net.Conn
	from *bufio.Reader
}

func (t *tunnelled) Read(p []byte) (int, error) { return t.from.Read(p) }
