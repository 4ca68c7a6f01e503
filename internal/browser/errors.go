package browser

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"

	"github.com/trawlhq/trawl"
)

// ErrUpstreamProxy is for dial functions that lead over an outbound proxy: an
// error that wraps it blames the proxy, not the target.
var ErrUpstreamProxy = errors.New("outbound proxy failed")

// netError makes the domain's error of a document that Chromium could not
// bring. Where our own proxy refused or failed, it knows the real reason.
func (t *tab) netError(code, address string) error {
	t.mu.Lock()
	if t.main.requested != "" {
		address = t.main.requested // where the redirects had led
	}
	t.mu.Unlock()
	if isConnectionError(code) {
		if failure := t.pass.Failure(hostport(address)); failure != nil {
			return failureError(failure)
		}
	}
	return codeError(code, nil)
}

// isConnectionError reports whether a code can stand for something that went
// wrong behind our proxy.
func isConnectionError(code string) bool {
	switch code {
	case "ERR_TUNNEL_CONNECTION_FAILED", "ERR_EMPTY_RESPONSE", "ERR_PROXY_CONNECTION_FAILED", "ERR_SOCKET_NOT_CONNECTED", "ERR_ABORTED":
		return true
	}
	return strings.HasPrefix(code, "ERR_CONNECTION_")
}

// failureError says what a failed connection of the proxy means.
func failureError(failure error) error {
	var domain *trawl.Error
	var dns *net.DNSError
	switch {
	case errors.As(failure, &domain):
		return domain // the guard's own words
	case errors.As(failure, &dns) && !dns.IsTimeout && !dns.IsTemporary:
		return trawl.Errorf(trawl.Unresolved, "DNS resolution failed for hostname %q", dns.Name).
			WithCode("SCRAPE_DNS_RESOLUTION_ERROR").WithDetails(retryable(false)).Because(failure)
	}
	return codeError(failureCode(failure), failure)
}

// failureCode gives the name Chromium would have had for it.
func failureCode(failure error) string {
	var dns *net.DNSError
	switch {
	case errors.Is(failure, ErrUpstreamProxy):
		return "ERR_PROXY_CONNECTION_FAILED"
	case errors.As(failure, &dns):
		return "ERR_NAME_RESOLUTION_FAILED"
	case errors.Is(failure, syscall.ECONNREFUSED):
		return "ERR_CONNECTION_REFUSED"
	case errors.Is(failure, syscall.ECONNRESET), errors.Is(failure, syscall.EPIPE):
		return "ERR_CONNECTION_RESET"
	case errors.Is(failure, syscall.EHOSTUNREACH), errors.Is(failure, syscall.ENETUNREACH):
		return "ERR_ADDRESS_UNREACHABLE"
	case errors.Is(failure, os.ErrDeadlineExceeded), errors.Is(failure, context.DeadlineExceeded), isTimeout(failure):
		return "ERR_TIMED_OUT"
	case errors.Is(failure, io.EOF), errors.Is(failure, io.ErrUnexpectedEOF):
		return "ERR_EMPTY_RESPONSE"
	case strings.Contains(failure.Error(), "malformed"):
		return "ERR_INVALID_HTTP_RESPONSE"
	}
	return "ERR_CONNECTION_FAILED"
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.As(err, &network) && network.Timeout()
}

// codeError makes the error of a Chromium net error.
func codeError(code string, cause error) error {
	if strings.HasPrefix(code, "ERR_CERT_") || strings.HasPrefix(code, "ERR_SSL_") || strings.HasPrefix(code, "ERR_BAD_SSL_") {
		return trawl.Errorf(trawl.SiteFailed, "The site's certificate or TLS setup is not valid: %s", code).
			WithCode("SCRAPE_SSL_ERROR").WithDetails(siteDetails(code)).Because(cause)
	}
	return trawl.Errorf(trawl.SiteFailed, "The site could not be loaded: %s", code).
		WithCode("SCRAPE_SITE_ERROR").WithDetails(siteDetails(code)).Because(cause)
}

func siteDetails(code string) map[string]any {
	origin, retryable := "target_site", false
	if code == "ERR_TUNNEL_CONNECTION_FAILED" || code == "ERR_PROXY_CONNECTION_FAILED" {
		origin, retryable = "provider_proxy", true
	}
	return map[string]any{"browserErrorCode": code, "retryable": retryable, "origin": origin}
}

// timeoutError is the answer when the caller's time is over.
func timeoutError(cause error) error {
	return trawl.Errorf(trawl.TimedOut, "Request Timeout").WithCode("SCRAPE_TIMEOUT").
		WithDetails(retryable(true)).Because(cause)
}

// retryable is the one detail every coded error has.
func retryable(yes bool) map[string]any { return map[string]any{"retryable": yes} }

// hostport is host:port of an address, with the scheme's port where none is named.
func hostport(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	if u.Port() != "" {
		return u.Host
	}
	port := "80"
	if u.Scheme == "https" || u.Scheme == "wss" {
		port = "443"
	}
	return net.JoinHostPort(u.Hostname(), port)
}
