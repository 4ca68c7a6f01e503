// Package weburl reads, compares and scopes the addresses of the web.
//
// Addresses are read as browsers read them (the WHATWG URL standard), because
// that is what the people who write links test with. Four questions are answered
// here, and no others: is this a URL a caller may send (Parse), what does this
// link on that page mean (Resolve), are these two the same page (CacheKey,
// Identity), does this page belong to that site (Scope). The package is pure: no
// network, no clock.
package weburl

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"unicode"
)

// Issue is what is wrong with a URL a caller sent, in the words of the contract.
type Issue string

// The issues of a URL field.
const (
	Invalid     Issue = "Invalid URL"
	BadProtocol Issue = "URL uses unsupported protocol"
	BadHost     Issue = "URL must have a valid top-level domain or be an IP address"
)

// Error gives the message of the issue.
func (i Issue) Error() string { return string(i) }

var (
	scheme      = regexp.MustCompile(`^(?i)\s*[a-z][a-z0-9+.-]*://`)
	twoSchemes  = regexp.MustCompile(`^(?i)\s*[a-z][a-z0-9+.-]*://+[a-z][a-z0-9+.-]*:/`)
	topLevelIDN = regexp.MustCompile(`^xn--[a-z0-9-]+$`)
)

// Parse reads a URL field of a request. A missing scheme means http. allowLocal
// says which hosts that are no public names (localhost, a word of an intranet)
// the operator permits; nil permits none. The error is an Issue.
func Parse(raw string, allowLocal func(host string) bool) (*url.URL, error) {
	text := raw
	if !hasScheme(text) {
		text = "http://" + strings.TrimSpace(text)
	}
	u, err := Resolve(nil, text)
	if err != nil {
		return nil, Invalid
	}
	if !IsWeb(u) {
		return nil, BadProtocol
	}
	if twoSchemes.MatchString(text) { // before the host, which would be "http"
		return nil, Invalid
	}
	host := u.Hostname()
	if !publicName(host) && (allowLocal == nil || !allowLocal(host)) {
		return nil, BadHost
	}
	return u, nil
}

// IsWeb says whether an address has a scheme we fetch.
func IsWeb(u *url.URL) bool { return u.Scheme == "http" || u.Scheme == "https" }

// hasScheme looks for "scheme://" before the first dot, so that an address in the
// query of a bare host is not taken for one.
func hasScheme(text string) bool {
	beforeDot, _, _ := strings.Cut(text, ".")
	return scheme.MatchString(beforeDot)
}

// publicName says whether a host is an IP address or ends in what looks like a
// top-level domain. It does not ask whether that domain exists.
func publicName(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	host = strings.TrimSuffix(host, ".")
	dot := strings.LastIndexByte(host, '.')
	if dot <= 0 {
		return false
	}
	top := host[dot+1:]
	if topLevelIDN.MatchString(top) {
		return true
	}
	return len(top) >= 2 && strings.IndexFunc(top, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}
