package weburl

import (
	"net/url"
	"testing"
)

func parse(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestCacheKey(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"http://www.Example.com:80/", "https://example.com"},
		{"https://example.com:443", "https://example.com"},
		{"https://example.com:8443/", "https://example.com:8443"},
		{"https://example.com/a/#x", "https://example.com/a"},
		{"https://example.com/a/index.html", "https://example.com/a"},
		{"https://example.com/index.php?p=1", "https://example.com?p=1"},
		{"https://example.com/index.htm", "https://example.com"},
		{"https://example.com/a/index.shtml#y", "https://example.com/a"},
		{"https://example.com/myindex.html", "https://example.com/myindex.html"},
		{"https://example.com/a?B=2&a=1", "https://example.com/a?B=2&a=1"},
		{"https://example.com/A%2Fb", "https://example.com/A%2Fb"},
		{"https://me:pw@example.com/", "https://me:pw@example.com"},
		{"http://[2606:4700::1]:80/x", "https://[2606:4700::1]/x"},
	} {
		if got := CacheKey(parse(t, tc.in)); got != tc.want {
			t.Errorf("CacheKey(%s) = %s, want %s", tc.in, got, tc.want)
		}
	}
}

func TestIdentity(t *testing.T) {
	similar := Sameness{DeduplicateSimilarURLs: true}
	exact := Sameness{}
	bare := Sameness{IgnoreQueryParameters: true}
	for _, tc := range []struct {
		name string
		s    Sameness
		a, b string
		same bool
	}{
		{"fragments", exact, "https://a.test/x#1", "https://a.test/x#2", true},
		{"routes of a script", similar, "https://a.test/#/one", "https://a.test/#/two", false},
		{"route and none", exact, "https://a.test/#/one", "https://a.test/", false},
		{"no path and root", exact, "https://a.test", "https://a.test/", true},
		{"schemes, exactly", exact, "http://a.test/", "https://a.test/", false},
		{"schemes, similar", similar, "http://a.test/", "https://a.test/", true},
		{"usual ports", exact, "https://a.test:443/", "https://a.test/", true},
		{"www, exactly", exact, "https://www.a.test/", "https://a.test/", false},
		{"www, similar", similar, "https://www.a.test/", "https://a.test/", true},
		{"trailing slash, exactly", exact, "https://a.test/x/", "https://a.test/x", false},
		{"trailing slash, similar", similar, "https://a.test/x/", "https://a.test/x", true},
		{"index.html, similar", similar, "https://a.test/x/index.html", "https://a.test/x", true},
		{"index.php, similar", similar, "https://a.test/index.php", "https://a.test/", true},
		{"index.htm is another file", similar, "https://a.test/index.htm", "https://a.test/", false},
		{"queries", similar, "https://a.test/?a=1", "https://a.test/?a=2", false},
		{"queries ignored", bare, "https://a.test/?a=1", "https://a.test/?a=2", true},
		{"case of the host", exact, "https://A.Test/x", "https://a.test/x", true},
		{"case of the path", similar, "https://a.test/X", "https://a.test/x", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, b := Identity(parse(t, tc.a), tc.s), Identity(parse(t, tc.b), tc.s)
			if (a == b) != tc.same {
				t.Errorf("identities %s and %s, want same = %v", a, b, tc.same)
			}
		})
	}
}
