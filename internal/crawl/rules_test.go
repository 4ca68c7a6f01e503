package crawl

import (
	"encoding/json"
	"fmt"
	"net/url"
	"testing"

	"github.com/trawlhq/trawl/internal/store"
)

func TestAPromptIsReadByRules(t *testing.T) {
	sections := []string{"docs", "blog", "pricing", "legal"}
	for prompt, want := range map[string]string{
		"only the blog, at most 5 pages":                     `{"includePaths":["^/blog(/.*)?$"],"limit":5}`,
		"the documentation and the blog, 3 levels deep":      `{"includePaths":["^/docs(/.*)?$","^/blog(/.*)?$"],"maxDiscoveryDepth":3}`,
		"Everything on the whole site but skip legal":        `{"excludePaths":["^/legal(/.*)?$"],"crawlEntireDomain":true}`,
		"crawl /docs/api/* and /pricing, without /docs/old/": `{"includePaths":["^/docs/api(/.*)?$","^/pricing(/.*)?$"],"excludePaths":["^/docs/old(/.*)?$"]}`,
		"follow subdomains and external links":               `{"allowSubdomains":true,"allowExternalLinks":true}`,
		"sitemap only, wait 1.5 seconds between pages":       `{"sitemap":"only","delay":1.5}`,
		"first 100 articles, ignore query parameters":        `{"includePaths":["^/blog(/.*)?$"],"limit":100,"ignoreQueryParameters":true}`,
		"hello there": `{}`,
	} {
		got, err := json.Marshal(optionsOf(prompt, sections))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%q = %s, want %s", prompt, got, want)
		}
	}
}

func parse(t testing.TB, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestPathsThatGrowAreTraps(t *testing.T) {
	for text, want := range map[string]bool{
		"http://a.test/a/b/c":                                  false,
		"http://a.test/a/a/b":                                  false,
		"http://a.test/x/a/b/a/b/a":                            true,
		"http://a.test/list?tag=a&tag=b":                       false,
		"http://a.test/list?tag=a&tag=a":                       true,
		"http://a.test/list?a=1&a=2&a=3&a=4":                   true,
		"http://a.test/" + fmt.Sprintf("%02000d", 1):           true,
		"http://a.test/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16": false,
	} {
		if got := newTraps().caught(parse(t, text)); got != want {
			t.Errorf("%.60s is a trap: %v, want %v", text, got, want)
		}
	}
}

func TestEndlessQueriesAreBounded(t *testing.T) {
	for _, tc := range []struct {
		name    string
		address func(i int) string
		most    int
	}{
		{"a calendar", func(i int) string { return fmt.Sprintf("http://a.test/cal?month=%d-%02d", 2000+i/12, i%12+1) }, maxDated},
		{"filters", func(i int) string { return fmt.Sprintf("http://a.test/shop?a=%d&b=%d&c=1", i/10, i%10) }, maxFiltered},
		{"pages of a list", func(i int) string { return fmt.Sprintf("http://a.test/list?page=%d", i) }, 900},
	} {
		traps, passed := newTraps(), 0
		for i := range 900 {
			if !traps.caught(parse(t, tc.address(i))) {
				passed++
			}
		}
		if passed != tc.most || (passed < 900) != (traps.refused() != "") {
			t.Errorf("%s: %d of 900 passed, want %d", tc.name, passed, tc.most)
		}
	}
}

func TestSessionsDoNotMakePages(t *testing.T) {
	for text, want := range map[string]string{
		"http://a.test/a?sid=abcdefghij123456&x=1":       "http://a.test/a?x=1",
		"http://a.test/a;jsessionid=abcdefghij123456":    "http://a.test/a",
		"http://a.test/a?PHPSESSID=abcdefghij1234567890": "http://a.test/a",
		"http://a.test/a?sid=42":                         "http://a.test/a?sid=42",
		"http://a.test/a?q=abcdefghij123456":             "http://a.test/a?q=abcdefghij123456",
	} {
		if got := withoutSession(parse(t, text)).String(); got != want {
			t.Errorf("%s without its session = %s, want %s", text, got, want)
		}
	}
}

func FuzzTrapsNeverPanic(f *testing.F) {
	f.Add("http://a.test/a//b?;&=&&=x#/y")
	f.Fuzz(func(t *testing.T, text string) {
		u, err := url.Parse(text)
		if err != nil {
			return
		}
		newTraps().caught(u)
		withoutSession(u)
	})
}

func TestAPageThatNobodySurvivesIsGivenUp(t *testing.T) {
	w := &walk{Service: &Service{}, crawl: store.Crawl{Kind: kindBatch}}
	o := w.scrape(t.Context(), store.CrawlPage{URL: "http://a.test/", Tries: maxTries + 1})
	if o.state != store.PageFailed || o.code != "SCRAPE_RETRY_LIMIT" {
		t.Errorf("the page is %s with the code %q", o.state, o.code)
	}
}
