package weburl

import (
	"errors"
	"net/url"
	"testing"
)

func TestURLFieldOfARequest(t *testing.T) {
	local := func(host string) bool { return host == "localhost" }
	for _, tc := range []struct {
		name, raw string
		allow     func(string) bool
		want      string
		issue     Issue
	}{
		{"plain", "https://example.com/a?B=c#d", nil, "https://example.com/a?B=c#d", ""},
		{"no scheme", "example.com/Path", nil, "http://example.com/Path", ""},
		{"no scheme, address in the query", "example.com/?u=https://b.test/", nil, "http://example.com/?u=https://b.test/", ""},
		{"address in the query", "https://example.com/?u=https://b.test/", nil, "https://example.com/?u=https://b.test/", ""},
		{"scheme in capitals", "HTTPS://Example.COM/", nil, "https://example.com/", ""},
		{"port and user", "http://me:pw@example.com:8080/", nil, "http://me:pw@example.com:8080/", ""},
		{"surrounding spaces", "  https://example.com/a  ", nil, "https://example.com/a", ""},
		{"space in the path", "https://example.com/a b", nil, "https://example.com/a%20b", ""},
		{"stray percent sign", "https://example.com/100%", nil, "https://example.com/100%25", ""},
		{"Unicode name", "https://bücher.example/", nil, "https://xn--bcher-kva.example/", ""},
		{"Unicode top-level domain", "https://пример.рф/", nil, "https://xn--e1afmkfd.xn--p1ai/", ""},
		{"trailing dot", "https://example.com./", nil, "https://example.com./", ""},
		{"IPv4", "http://93.184.216.34/", nil, "http://93.184.216.34/", ""},
		{"IPv6", "http://[2606:4700::1]:81/", nil, "http://[2606:4700::1]:81/", ""},
		{"odd spelling of an address", "http://0x7f.1/", nil, "http://127.0.0.1/", ""},
		{"localhost permitted", "http://localhost:3000/x", local, "http://localhost:3000/x", ""},
		{"localhost permitted, no scheme", "localhost:3000/x", local, "http://localhost:3000/x", ""},
		{"localhost refused", "http://localhost/", nil, "", BadHost},
		{"other words refused", "http://intranet/", local, "", BadHost},
		{"a word", "nonsense", nil, "", BadHost},
		{"one-letter top level", "http://a.b/", nil, "", BadHost},
		{"number as top level", "http://a.123/", nil, "", Invalid},
		{"ftp", "ftp://example.com/", nil, "", BadProtocol},
		{"file", "file:///etc/passwd", nil, "", BadProtocol},
		{"two schemes", "http://http://example.com", nil, "", Invalid},
		{"two schemes with a name", "https://example.com://x.test/", nil, "", Invalid},
		{"script", "javascript:alert(1)", nil, "", Invalid},
		{"nothing", "", nil, "", Invalid},
		{"spaces only", "   ", nil, "", Invalid},
		{"scheme only", "https://", nil, "", Invalid},
		{"bad port", "http://example.com:99999/", nil, "", Invalid},
		{"space in the host", "http://exa mple.com/", nil, "", Invalid},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u, err := Parse(tc.raw, tc.allow)
			var issue Issue
			if err != nil && !errors.As(err, &issue) {
				t.Fatalf("error %v is no Issue", err)
			}
			if issue != tc.issue {
				t.Fatalf("Parse(%q) issue = %q, want %q", tc.raw, issue, tc.issue)
			}
			if err == nil && u.String() != tc.want {
				t.Errorf("Parse(%q) = %s, want %s", tc.raw, u, tc.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"example.com", "http://a.test/%zz", "https://[::1]/", "http://http://x.y", "\x00", "https://a.test/?q=\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := Parse(raw, nil)
		if err != nil {
			return
		}
		if !IsWeb(u) || u.Host == "" {
			t.Fatalf("Parse(%q) = %q", raw, u)
		}
		if _, err := url.Parse(u.String()); err != nil {
			t.Fatalf("Parse(%q) = %q, which does not parse: %v", raw, u, err)
		}
	})
}
