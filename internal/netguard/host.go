package netguard

import (
	"fmt"
	"math"
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/trawlhq/trawl"
)

var (
	loopback4 = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	loopback6 = netip.IPv6Loopback()
)

// hostname is a host read once: an address, or a name in lower-case ASCII
// without the trailing dot.
type hostname struct {
	addr netip.Addr
	name string
}

// parseHost reads a host the way a browser does, so that every spelling of an
// address is seen as that address: 2130706433, 0x7f.1, 0177.0.0.1, full-width
// digits, a trailing dot. What ends in a number and is no address is no host.
func parseHost(host string) (hostname, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return hostname{addr: a}, nil
	}
	name, err := toASCII(host)
	if err != nil {
		return hostname{}, notAHost(host, err)
	}
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	if !wellFormed(name) {
		return hostname{}, notAHost(host, nil)
	}
	if !endsInNumber(name) {
		return hostname{name: name}, nil
	}
	a, ok := parseIPv4(name)
	if !ok {
		return hostname{}, notAHost(host, nil)
	}
	return hostname{addr: a}, nil
}

// toASCII maps Unicode look-alikes (full-width digits, ideographic dots) to what
// they stand for and the rest to Punycode. ASCII stays: names of the real web have
// underscores and odd hyphens that IDNA forbids.
func toASCII(host string) (string, error) {
	for i := range len(host) {
		if host[i] >= utf8.RuneSelf {
			return idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false)).ToASCII(host)
		}
	}
	return host, nil
}

// wellFormed refuses empty labels and the characters that end a host in a URL.
func wellFormed(name string) bool {
	if name == "" || len(name) > 253 || strings.ContainsAny(name, "%:/\\@[] \x00") {
		return false
	}
	return !strings.Contains("."+name+".", "..")
}

// endsInNumber says whether the last label is decimal or hexadecimal: such a host
// is an IPv4 address or nothing.
func endsInNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if last == "" {
		return false
	}
	_, ok := parseNumber(last)
	return ok || strings.Trim(last, "0123456789") == ""
}

// parseIPv4 reads one to four numbers; the last one fills the bytes that are left.
func parseIPv4(name string) (netip.Addr, bool) {
	parts := strings.Split(name, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var ip uint64
	for i, part := range parts {
		n, ok := parseNumber(part)
		limit := uint64(math.MaxUint8)
		if i == len(parts)-1 {
			limit = 1<<(8*(5-len(parts))) - 1
		}
		if !ok || n > limit {
			return netip.Addr{}, false
		}
		if i == len(parts)-1 {
			ip |= n
			break
		}
		ip |= n << (8 * (3 - i))
	}
	return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}), true
}

// parseNumber reads 10, 0x0a and 012; "0x" alone is zero, as browsers have it.
func parseNumber(text string) (uint64, bool) {
	base := 10
	switch {
	case text == "0x":
		return 0, true
	case strings.HasPrefix(text, "0x"):
		text, base = text[2:], 16
	case len(text) > 1 && text[0] == '0':
		text, base = text[1:], 8
	}
	n, err := strconv.ParseUint(text, base, 64)
	return n, err == nil
}

func isLocalhost(name string) bool {
	return name == "localhost" || strings.HasSuffix(name, ".localhost")
}

func notAHost(host string, cause error) error {
	if cause == nil {
		cause = fmt.Errorf("%q is not a host", host)
	}
	return trawl.Errorf(trawl.Invalid, "Invalid URL").WithCode("BAD_REQUEST").Because(cause)
}
