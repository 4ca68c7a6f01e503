package weburl

import (
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// SameHost says whether two addresses are on one host, taking www. for nothing.
func SameHost(a, b *url.URL) bool {
	if a.Host == b.Host && a.Scheme == b.Scheme { // as most links of a site have it
		return true
	}
	return hostKey(a) == hostKey(b)
}

// SameDomain says whether two addresses share the registrable domain: example.com
// for blog.example.com, example.co.uk for www.example.co.uk. An IP address and a
// name without a public suffix are domains of their own.
func SameDomain(a, b *url.URL) bool { return RegistrableDomain(a) == RegistrableDomain(b) }

// RegistrableDomain gives the part of the host that someone registered.
func RegistrableDomain(u *url.URL) string {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil { // localhost, or a suffix itself
		return host
	}
	return domain
}

// Origin gives scheme, host and port: what credentials belong to.
func Origin(u *url.URL) string { return u.Scheme + "://" + hostWithPort(u) }
