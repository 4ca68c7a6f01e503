package weburl

import (
	"strings"
	"testing"
)

func TestScopeOfACrawl(t *testing.T) {
	const start, page = "https://example.com/blog", "https://example.com/blog/one"
	for _, tc := range []struct {
		name    string
		options ScopeOptions
		page    string
		link    string
		want    Refusal
	}{
		{"below the start", ScopeOptions{}, page, "https://example.com/blog/two", InScope},
		{"prefix as plain text", ScopeOptions{}, page, "https://example.com/blogger", InScope},
		{"www counts for nothing", ScopeOptions{}, page, "http://www.example.com/blog/x", InScope},
		{"beside the start", ScopeOptions{}, page, "https://example.com/shop", OutsideStart},
		{"beside the start, whole domain", ScopeOptions{CrawlEntireDomain: true}, page, "https://example.com/shop", InScope},
		{"mail", ScopeOptions{}, page, "mailto:a@example.com", NotWeb},
		{"ftp", ScopeOptions{}, page, "ftp://example.com/blog/", NotWeb},
		{"fragment of the same page", ScopeOptions{}, page, page + "#part", SamePage},
		{"fragment of another page", ScopeOptions{}, page, "https://example.com/blog/two#part", InScope},
		{"route of a script", ScopeOptions{}, page, page + "#/part", InScope},
		{"sub-domain", ScopeOptions{}, page, "https://docs.example.com/blog", OtherHost},
		{"sub-domain allowed", ScopeOptions{AllowSubdomains: true}, page, "https://docs.example.com/x", InScope},
		{"sub-domain of another owner", ScopeOptions{AllowSubdomains: true}, page, "https://example.org/x", OtherHost},
		{"another port is another host", ScopeOptions{}, page, "https://example.com:8443/blog", OtherHost},
		{"external", ScopeOptions{}, page, "https://other.test/x", OtherHost},
		{"external allowed", ScopeOptions{AllowExternalLinks: true}, page, "https://other.test/x", InScope},
		{"external without a path", ScopeOptions{AllowExternalLinks: true}, page, "https://other.test/", OtherHost},
		{"second hop outside", ScopeOptions{AllowExternalLinks: true}, "https://other.test/x", "https://third.test/x", OtherHost},
		{"back from outside", ScopeOptions{AllowExternalLinks: true}, "https://other.test/x", "https://example.com/blog/b", InScope},
		{"social host", ScopeOptions{AllowExternalLinks: true}, page, "https://www.facebook.com/x", SocialHost},
		{"host that only ends alike", ScopeOptions{AllowExternalLinks: true}, page, "https://netflix.com/x", InScope},
		{"excluded", ScopeOptions{ExcludePaths: []string{"/two$"}}, page, "https://example.com/blog/two", PathExcluded},
		{"excluded wins over included", ScopeOptions{IncludePaths: []string{"two"}, ExcludePaths: []string{"two"}}, page, "https://example.com/blog/two", PathExcluded},
		{"included", ScopeOptions{IncludePaths: []string{"^/blog/t"}}, page, "https://example.com/blog/two", InScope},
		{"not included", ScopeOptions{IncludePaths: []string{"^/blog/t"}}, page, "https://example.com/blog/one", NotIncluded},
		{"patterns see no query", ScopeOptions{ExcludePaths: []string{"page="}}, page, "https://example.com/blog/two?page=2", InScope},
		{"patterns on the whole address", ScopeOptions{ExcludePaths: []string{"page="}, RegexOnFullURL: true}, page, "https://example.com/blog/two?page=2", PathExcluded},
		{"blank patterns", ScopeOptions{IncludePaths: []string{"", "  "}}, page, "https://example.com/blog/x", InScope},
		{"excluded domain", ScopeOptions{AllowExternalLinks: true, ExcludePaths: []string{"other.test"}}, page, "https://www.other.test/x", PathExcluded},
		{"excluded domain with path", ScopeOptions{AllowExternalLinks: true, ExcludePaths: []string{"other.test/shop"}}, page, "https://other.test/shop/1", PathExcluded},
		{"other path of that domain", ScopeOptions{AllowExternalLinks: true, ExcludePaths: []string{"other.test/shop"}}, page, "https://other.test/news", InScope},
		{"picture", ScopeOptions{}, page, "https://example.com/blog/a.PNG", FileExtension},
		{"PDF", ScopeOptions{}, page, "https://example.com/blog/a.pdf", InScope},
		{"extension in the query", ScopeOptions{}, page, "https://example.com/blog/a?x=.png", InScope},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := NewScope(parse(t, start), tc.options)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Link(parse(t, tc.page), parse(t, tc.link)); got != tc.want {
				t.Errorf("link %s on %s: %q, want %q", tc.link, tc.page, got, tc.want)
			}
		})
	}
}

func TestPatternsOutsideRE2AreRefused(t *testing.T) {
	for _, p := range []string{"(?=x)", `(a)\1`, "("} {
		if _, err := NewScope(parse(t, "https://a.test/"), ScopeOptions{IncludePaths: []string{p}}); err == nil || !strings.Contains(err.Error(), "RE2") {
			t.Errorf("pattern %q: %v, want an error that names RE2", p, err)
		}
	}
}

func TestRegistrableDomain(t *testing.T) {
	for in, want := range map[string]string{
		"https://blog.example.com/": "example.com", "https://a.b.example.co.uk/": "example.co.uk", "https://me.github.io/": "me.github.io",
		"http://127.0.0.1:80/": "127.0.0.1", "http://localhost/": "localhost", "https://example.com./": "example.com",
	} {
		if got := RegistrableDomain(parse(t, in)); got != want {
			t.Errorf("RegistrableDomain(%s) = %s, want %s", in, got, want)
		}
	}
	if got := Origin(parse(t, "HTTPS://Example.com:443/x")); got != "https://example.com" {
		t.Errorf("Origin = %s", got)
	}
}
