package weburl

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// Resolve reads ref as a link on the page base, as a browser would: odd slashes,
// stray spaces, dot segments, unusual spellings of hosts. A nil base means that
// ref must be absolute.
func Resolve(base *url.URL, ref string) (*url.URL, error) {
	if u, ok := resolvePlain(base, ref); ok {
		return u, nil
	}
	var page string
	if base != nil {
		page = base.String()
	}
	href, err := Href(page, ref)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(escapeStray(href))
	if err != nil {
		u, err = parseOddHost(escapeStray(href))
	}
	if err != nil {
		return nil, fmt.Errorf("resolve %q: %w", ref, err)
	}
	return u, nil
}

// parseOddHost reads an address in normal form whose host has characters that
// browsers take and net/url does not, such as braces. The host is put in
// unread: whoever dials it finds out that it does not exist.
func parseOddHost(href string) (*url.URL, error) {
	scheme, rest, found := strings.Cut(href, "://")
	if !found {
		return url.Parse(href)
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host := rest[strings.LastIndexByte(rest[:end], '@')+1 : end]
	u, err := url.Parse(scheme + "://" + rest[:end-len(host)] + "host" + rest[end:])
	if err != nil {
		return nil, err
	}
	u.Host = host
	return u, nil
}

// Href is Resolve on text, by the letter of the WHATWG standard.
func Href(base, ref string) (string, error) {
	var u *whatwg.Url
	var err error
	if base == "" {
		u, err = whatwg.Parse(ref)
	} else {
		u, err = whatwg.ParseRef(base, ref)
	}
	if err != nil {
		return "", fmt.Errorf("resolve %q: %w", ref, err)
	}
	return u.Href(false), nil
}

// resolvePlain does the ordinary links, nearly all there are, without the full
// state machine: nine times as fast. It must agree with Href; a fuzz test holds it.
func resolvePlain(base *url.URL, ref string) (*url.URL, bool) {
	if !plain(ref) {
		return nil, false
	}
	if rest, ok := cutWebScheme(ref); ok {
		return absolutePlain(ref, rest)
	}
	if base == nil || base.Opaque != "" || !IsWeb(base) || ref == "" || strings.ContainsRune(ref, ':') || strings.HasPrefix(ref, "//") {
		return nil, false
	}
	if strings.HasSuffix(ref, "?") || strings.HasSuffix(ref, "#") || strings.Contains(ref, "?#") {
		return nil, false // the standard and net/url keep different parts of these
	}
	if u, ok := besidePlain(base, ref); ok {
		return u, true
	}
	u, err := base.Parse(ref)
	if err != nil {
		return nil, false
	}
	if u.Path == "" {
		u.Path = "/"
	}
	return u, true
}

// besidePlain puts a link together from its parts where nothing in it has to be
// read: no escapes, no dot segments, nothing that a path is written differently
// with. A page of documentation has hundreds of these.
func besidePlain(base *url.URL, ref string) (*url.URL, bool) {
	if base.RawPath != "" || base.Path == "" || strings.ContainsRune(ref, '%') || strings.Contains(ref, "//") {
		return nil, false
	}
	rest, fragment, _ := strings.Cut(ref, "#")
	path, query, hasQuery := strings.Cut(rest, "?")
	if strings.ContainsAny(path, "!()") {
		return nil, false
	}
	u := *base
	u.Fragment, u.RawFragment, u.ForceQuery = fragment, "", false
	switch {
	case path == "" && hasQuery:
		u.RawQuery = query
		return &u, true
	case path == "":
		return &u, true
	case path[0] == '/':
		u.Path = path
	default:
		u.Path = base.Path[:strings.LastIndexByte(base.Path, '/')+1] + path
	}
	u.RawQuery = query
	return &u, true
}

func absolutePlain(ref, rest string) (*url.URL, bool) {
	host, tail := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host, tail = rest[:i], rest[i:]
	}
	name, port, hasPort := strings.Cut(host, ":")
	if hasPort && !plainPort(port) || !plainHost(name) && !plainAddress(name) || strings.HasSuffix(tail, "#") || strings.HasSuffix(tail, "?") || strings.Contains(tail, "?#") {
		return nil, false
	}
	u, err := url.Parse(ref)
	if err != nil {
		return nil, false
	}
	if u.Path == "" {
		u.Path = "/"
	}
	return u, true
}

func cutWebScheme(ref string) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(ref, "https://"); ok {
		return rest, true
	}
	return strings.CutPrefix(ref, "http://")
}

// plain accepts the characters that no reader changes, and no dot segments, also
// not escaped ones.
func plain(ref string) bool {
	for i := range len(ref) {
		c := ref[i]
		switch {
		case c == '#' && strings.IndexByte(ref, '#') < i: // net/url escapes a second one
			return false
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("-_~/?=&#+,;:@!$()", c) >= 0:
		case c == '.':
			if i == 0 || ref[i-1] == '/' || ref[i-1] == '.' || ref[i-1] == '%' {
				return false
			}
		case c == '%':
			if i+2 >= len(ref) || !isHex(ref[i+1]) || !isHex(ref[i+2]) || ref[i+1] == '2' {
				return false // %2e may be a dot segment, %2a alone is special to net/url
			}
		default:
			return false
		}
	}
	return true
}

// plainPort accepts ports that are written as they are read: no leading zero,
// and none that a scheme implies and the standard therefore drops.
func plainPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0 && n != 80 && n != 443 && strconv.FormatUint(n, 10) == port
}

// plainAddress accepts IPv4 addresses in their one normal spelling.
func plainAddress(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Is4()
}

// plainHost accepts lower-case names that end in a letter: no user, no number
// that might be an address, no Punycode that might be malformed.
func plainHost(host string) bool {
	if host == "" || strings.Contains(host, "xn--") {
		return false
	}
	for i := range len(host) {
		c := host[i]
		if c != '.' && c != '-' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	last := host[len(host)-1]
	return 'a' <= last && last <= 'z' && !strings.Contains(host[strings.LastIndexByte(host, '.')+1:], "0x")
}

// escapeStray escapes the percent signs that escape nothing: browsers send them as
// they are, net/url refuses them.
func escapeStray(href string) string {
	if !strings.Contains(href, "%") {
		return href
	}
	var b strings.Builder
	for i := range len(href) {
		b.WriteByte(href[i])
		if href[i] == '%' && (i+2 >= len(href) || !isHex(href[i+1]) || !isHex(href[i+2])) {
			b.WriteString("25")
		}
	}
	return b.String()
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}
