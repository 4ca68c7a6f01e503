package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	"golang.org/x/net/http2"

	"github.com/trawlhq/trawl"
)

// errTunnel marks a proxy that refused to connect us on.
var errTunnel = errors.New("proxy refused the tunnel")

// connectError turns what the transport says before any answer came into the
// words of the contract.
func connectError(ctx context.Context, err error) error {
	if cause := contextError(ctx); cause != nil {
		return cause
	}
	var own *trawl.Error
	if errors.As(err, &own) { // the guard: refused, or no such host
		failed := *own
		failed.Details = Details{}
		return &failed
	}
	if e := proxyError(err); e != nil {
		return e.Because(err)
	}
	if e := certificateError(err); e != nil {
		return e.Because(err)
	}
	code, message := connectCode(err)
	return siteError(code, message).Because(err)
}

func proxyError(err error) *trawl.Error {
	if errors.Is(err, errTunnel) {
		return siteError("ERR_TUNNEL_CONNECTION_FAILED", "The proxy did not connect to the site")
	}
	var op *net.OpError
	if errors.As(err, &op) && (op.Op == "proxyconnect" || op.Op == "socks connect") {
		return siteError("ERR_PROXY_CONNECTION_FAILED", "The proxy could not be reached")
	}
	return nil
}

func certificateError(err error) *trawl.Error {
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var unknown x509.UnknownAuthorityError
	var verify *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var op *net.OpError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return tlsError("The site's certificate has expired")
	case errors.As(err, &host):
		return tlsError("The site's certificate is for another host")
	case errors.As(err, &unknown):
		return tlsError("The site's certificate is not trusted")
	case errors.As(err, &verify), errors.As(err, &invalid):
		return tlsError("The site's certificate is not valid")
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return tlsError("The site does not speak TLS on this port")
	case errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error"): // a TLS alert
		return tlsError("No secure connection to the site could be agreed on")
	}
	return nil
}

// connectCode finds Chromium's name for a failed connection or a missing answer.
func connectCode(err error) (code, message string) {
	var timeout net.Error
	var stream http2.StreamError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "ERR_CONNECTION_REFUSED", "The site refused the connection"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "ERR_CONNECTION_RESET", "The site closed the connection"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EADDRNOTAVAIL):
		return "ERR_ADDRESS_UNREACHABLE", "The site's address cannot be reached"
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, syscall.ETIMEDOUT):
		return "ERR_TIMED_OUT", "The site did not answer in time"
	case errors.As(err, &stream), strings.Contains(err.Error(), "GOAWAY"): // net/http keeps the second one private
		return "ERR_HTTP2_PROTOCOL_ERROR", "The site broke the HTTP/2 protocol"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "ERR_EMPTY_RESPONSE", "The site closed the connection without an answer"
	case strings.Contains(err.Error(), "server closed idle connection"): // and this one
		return "ERR_EMPTY_RESPONSE", "The site closed the connection without an answer"
	case strings.Contains(err.Error(), "server response headers exceeded"): // and that one
		return "ERR_RESPONSE_HEADERS_TOO_BIG", "The site's headers are too long"
	}
	return "ERR_INVALID_HTTP_RESPONSE", "The site's answer is not HTTP"
}

// bodyError is connectError for a body that broke off.
func bodyError(ctx context.Context, err error, chunked bool) error {
	if cause := contextError(ctx); cause != nil {
		return cause
	}
	var own *trawl.Error
	if errors.As(err, &own) {
		return own
	}
	if errors.Is(err, io.ErrUnexpectedEOF) && !chunked {
		return siteError("ERR_CONTENT_LENGTH_MISMATCH", "The site sent less than it announced").Because(err)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return siteError("ERR_INCOMPLETE_CHUNKED_ENCODING", "The site broke off its answer").Because(err)
	}
	code, message := connectCode(err)
	if code == "ERR_INVALID_HTTP_RESPONSE" {
		code, message = "ERR_INVALID_CHUNKED_ENCODING", "The site's answer is malformed"
	}
	return siteError(code, message).Because(err)
}
