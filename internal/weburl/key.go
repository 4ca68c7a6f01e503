package weburl

import (
	"net/url"
	"strings"
)

// CacheKey is the form of an address under which a fetched page is kept: https,
// without www., default port, fragment, index file and trailing slash. The query
// stays, and so does a user name: both may change the page.
func CacheKey(u *url.URL) string {
	var b strings.Builder
	b.WriteString("https://")
	if u.User != nil {
		b.WriteString(u.User.String() + "@")
	}
	b.WriteString(hostKey(u))
	b.WriteString(pathKey(u.EscapedPath(), "/index.html", "/index.php", "/index.htm", "/index.shtml"))
	if u.RawQuery != "" {
		b.WriteString("?" + u.RawQuery)
	}
	return b.String()
}

// Sameness says which addresses a crawl takes for one page.
type Sameness struct {
	IgnoreQueryParameters  bool // drop the query
	DeduplicateSimilarURLs bool // http and https, www. and none, trailing slash and none, /index.html and /index.php are one
}

// Identity is the form of an address that two links to one page share. Fragments
// are dropped unless they are routes of a script ("#/…").
func Identity(u *url.URL, s Sameness) string {
	var b strings.Builder
	if s.DeduplicateSimilarURLs {
		b.WriteString("https://" + hostKey(u) + pathKey(u.EscapedPath(), "/index.html", "/index.php"))
	} else {
		b.WriteString(u.Scheme + "://" + hostWithPort(u))
		if path := u.EscapedPath(); path != "" {
			b.WriteString(path)
		} else {
			b.WriteByte('/')
		}
	}
	if u.RawQuery != "" && !s.IgnoreQueryParameters {
		b.WriteString("?" + u.RawQuery)
	}
	if IsRoute(u) {
		b.WriteString("#" + u.EscapedFragment())
	}
	return b.String()
}

// IsRoute says whether the fragment is a route of a script on the page, so that
// another fragment is another page.
func IsRoute(u *url.URL) bool { return strings.HasPrefix(u.Fragment, "/") }

// WithoutFragment gives the address without its fragment, unless that is a route.
func WithoutFragment(u *url.URL) *url.URL {
	if u.Fragment == "" || IsRoute(u) {
		return u
	}
	bare := *u
	bare.Fragment, bare.RawFragment = "", ""
	return &bare
}

func hostKey(u *url.URL) string { return strings.TrimPrefix(hostWithPort(u), "www.") }

// hostWithPort gives the host in lower case, with the port only where it is not
// the usual one of its scheme.
func hostWithPort(u *url.URL) string {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	port := u.Port()
	if port == "" || u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		return host
	}
	return host + ":" + port
}

// pathKey drops one index file and the trailing slash.
func pathKey(path string, indexFiles ...string) string {
	for _, file := range indexFiles {
		if cut, ok := strings.CutSuffix(path, file); ok {
			path = cut
			break
		}
	}
	return strings.TrimSuffix(path, "/")
}
