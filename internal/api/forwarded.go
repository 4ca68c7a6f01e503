package api

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// baseURL is what absolute links in an answer start with: always the origin the
// caller used, because clients send their key to whatever a link says.
func (s *Server) baseURL(r *http.Request) string {
	if s.public != nil {
		return strings.TrimSuffix(s.public.String(), "/")
	}
	scheme, host := "http", r.Host
	if r.TLS != nil {
		scheme = "https"
	}
	if s.isTrusted(socketAddr(r)) {
		if proto := first(r.Header.Get("X-Forwarded-Proto")); proto == "http" || proto == "https" {
			scheme = proto
		}
		if forwarded := first(r.Header.Get("X-Forwarded-Host")); isHost(forwarded) {
			host = forwarded
		}
	}
	return scheme + "://" + host
}

// clientAddr is the address of the caller: that of the socket, or the last one
// in X-Forwarded-For that is not a trusted proxy itself.
func (s *Server) clientAddr(r *http.Request) netip.Addr {
	addr := socketAddr(r)
	if !s.isTrusted(addr) {
		return addr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			return addr
		}
		addr = hop.Unmap()
		if !s.isTrusted(addr) {
			return addr
		}
	}
	return addr
}

func (s *Server) isTrusted(addr netip.Addr) bool {
	for _, prefix := range s.TrustedProxies {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

func socketAddr(r *http.Request) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	return addr.Unmap().WithZone("")
}

// first is the first of a comma-separated list: what the outermost proxy saw.
func first(list string) string {
	head, _, _ := strings.Cut(list, ",")
	return strings.TrimSpace(head)
}

// isHost refuses what would change the meaning of a link.
func isHost(text string) bool {
	return text != "" && !strings.ContainsAny(text, " /\\?#@<>\"'")
}
