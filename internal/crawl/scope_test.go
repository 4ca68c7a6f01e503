package crawl_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/crawl"
	"github.com/trawlhq/trawl/internal/testsite"
)

var (
	docsPages = []string{
		"/docs/", "/docs/intro", "/docs/guide/", "/docs/api?lang=go", "/docs/api?lang=js", "/docs/api?lang=go&page=2", "/docs/guide/one",
		"/docs/guide/two", "/docs/guide/deep/a", "/docs/guide/deep/b", "/docs/guide/deep/c",
	}
	blogPages = []string{"/blog/", "/blog/first", "/blog/second", "/blog/?page=2", "/blog/first#/route/1", "/blog/first#/route/2"}
	allPages  = slices.Concat([]string{"/", "/about", "/docsearch", "/blogger"}, docsPages, blogPages)
)

func without(list []string, drop ...string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(drop, s) })
}

// One table over the link graph of the test site: each option, and the exact pages it gives.
func TestScopeOfACrawl(t *testing.T) {
	site := testsite.New(t)
	graph, other := site.Origin("graph"), site.Origin("other")
	no, zero, one := false, 0, 1
	for _, tc := range []struct {
		name    string
		start   string
		options trawl.CrawlOptions
		want    []string
		failed  map[string]string // address to code
		blocked []string
	}{
		{"the whole host, from its root", "/", trawl.CrawlOptions{}, allPages,
			map[string]string{"/away": "CRAWL_DENIAL", "/files/manual.pdf": "SCRAPE_UNSUPPORTED_FILE_ERROR", "/missing": "SCRAPE_UNSUPPORTED_FILE_ERROR"},
			[]string{"/private/notes"}},
		{"below the start only", "/docs/", trawl.CrawlOptions{}, docsPages, nil, nil},
		{"the entire domain, from a page of it", "/docs/", trawl.CrawlOptions{CrawlEntireDomain: true}, allPages,
			map[string]string{"/away": "CRAWL_DENIAL", "/files/manual.pdf": "SCRAPE_UNSUPPORTED_FILE_ERROR", "/missing": "SCRAPE_UNSUPPORTED_FILE_ERROR"},
			[]string{"/private/notes"}},
		{"no links followed", "/", trawl.CrawlOptions{MaxDiscoveryDepth: &zero}, []string{"/"}, nil, nil},
		{"one link followed", "/", trawl.CrawlOptions{MaxDiscoveryDepth: &one}, []string{"/", "/docs/", "/blog/", "/about", "/docsearch"}, nil, nil},
		{"paths to include; the start is followed but no result", "/", trawl.CrawlOptions{IncludePaths: []string{"^/blog/", " "}}, blogPages,
			map[string]string{"/": "CRAWL_DENIAL"}, nil},
		{"paths to exclude, also at the end of a redirect", "/", trawl.CrawlOptions{ExcludePaths: []string{"^/docs", "^/files", "^/missing"}},
			slices.Concat([]string{"/", "/about", "/blogger"}, blogPages),
			map[string]string{"/away": "CRAWL_DENIAL", "/back-inside": "CRAWL_DENIAL"}, []string{"/private/notes"}},
		{"patterns on the full address", "/docs/", trawl.CrawlOptions{IncludePaths: []string{`lang=go`}, RegexOnFullURL: true},
			[]string{"/docs/api?lang=go", "/docs/api?lang=go&page=2"}, map[string]string{"/docs/": "CRAWL_DENIAL"}, nil},
		{"queries ignored", "/docs/", trawl.CrawlOptions{IgnoreQueryParameters: true}, without(docsPages, "/docs/api?lang=js", "/docs/api?lang=go&page=2"), nil, nil},
		{"similar addresses kept apart", "/docs/", trawl.CrawlOptions{DeduplicateSimilarURLs: &no},
			slices.Concat(docsPages, []string{"/docs/index.html", "/docs/intro/"}), nil, nil},
		{"other hosts, one hop away", "/", trawl.CrawlOptions{AllowExternalLinks: true, ExcludePaths: []string{"^/files", "^/missing"}},
			slices.Concat(allPages, []string{other + "/welcome"}), nil, []string{"/private/notes"}},
		{"another host, excluded as a domain", "/", trawl.CrawlOptions{AllowExternalLinks: true, ExcludePaths: []string{"^/files", "^/missing", "127.0.0.2"}}, allPages,
			map[string]string{"/away": "CRAWL_DENIAL"}, []string{"/private/notes"}},
		{"subdomains alone add no other host", "/docs/", trawl.CrawlOptions{AllowSubdomains: true}, docsPages, nil, nil},
		{"robots.txt ignored", "/about", trawl.CrawlOptions{IgnoreRobotsTxt: true, CrawlEntireDomain: true, MaxDiscoveryDepth: &one, ExcludePaths: []string{"^/missing"}},
			[]string{"/about", "/private/notes", "/docs/guide/two"}, map[string]string{"/away": "CRAWL_DENIAL"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			h := build(t, houseOptions{change: func(o *crawl.Options) { o.MayIgnoreRobots = true }})
			id := h.start(t, trawl.CrawlRequest{URL: graph + tc.start, CrawlOptions: tc.options})
			st, docs := h.finish(t, id, h.CrawlStatus)
			if got, want := sources(docs, graph), sorted(tc.want...); !slices.Equal(got, want) || st.Status != trawl.CrawlCompleted {
				t.Errorf("%s with %d pages\n got %q\nwant %q", st.Status, len(got), got, want)
			}
			problems, err := h.CrawlErrors(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			failed := map[string]string{}
			for _, e := range problems.Errors {
				failed[strings.TrimPrefix(e.URL, graph)] = e.Code
			}
			if len(failed) != len(tc.failed) || len(problems.RobotsBlocked) != len(tc.blocked) {
				t.Errorf("errors %v, blocked %v; want %v, %v", failed, problems.RobotsBlocked, tc.failed, tc.blocked)
			}
			for u, code := range tc.failed {
				if failed[u] != code {
					t.Errorf("error of %s = %q, want %q", u, failed[u], code)
				}
			}
			for i, u := range tc.blocked {
				if problems.RobotsBlocked[i] != graph+u {
					t.Errorf("blocked %s, want %s", problems.RobotsBlocked[i], u)
				}
			}
		})
	}
}

func TestALimitIsExact(t *testing.T) {
	site := testsite.New(t)
	for _, limit := range []int{1, 2, 7} {
		h := build(t, houseOptions{})
		id := h.start(t, trawl.CrawlRequest{URL: site.Origin("shop") + "/", CrawlOptions: trawl.CrawlOptions{Limit: limit, MaxConcurrency: 5}})
		if st, _ := h.finish(t, id, h.CrawlStatus); st.Completed != limit {
			t.Errorf("a crawl with limit %d has %d pages", limit, st.Completed)
		}
	}
}

func TestSitemapsOfACrawl(t *testing.T) {
	site := testsite.New(t)
	origin := site.Origin("sitemaps")
	all := append([]string{"/"}, testsite.SitemapPaths()...)
	for mode, want := range map[string][]string{
		trawl.SitemapInclude: all, trawl.SitemapOnly: all, trawl.SitemapSkip: {"/"},
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			h := build(t, houseOptions{})
			id := h.start(t, trawl.CrawlRequest{URL: origin, CrawlOptions: trawl.CrawlOptions{Sitemap: mode}})
			_, docs := h.finish(t, id, h.CrawlStatus)
			got := sources(docs, origin)
			got[0] = "/" // the start keeps the spelling of the request
			if !slices.Equal(got, sorted(want...)) {
				t.Errorf("pages %q, want %q", got, sorted(want...))
			}
		})
	}
}

func TestRobotsRulesOfACrawl(t *testing.T) {
	site := testsite.New(t)
	all, open := []string{"/", "/closed", "/open"}, []string{"/", "/open"}
	for name, want := range map[string][]string{
		"robots-none": all, "robots-html": all, "robots-error": all, "robots-path": open, "robots-own-group": open, "robots-peer-group": open,
		"robots-messy": open, "robots-redirect": open, "robots-huge": open, "robots-delay": open, "robots-closed": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := build(t, houseOptions{})
			origin := site.Origin(name)
			id := h.start(t, trawl.CrawlRequest{URL: origin + "/", CrawlOptions: trawl.CrawlOptions{Sitemap: trawl.SitemapSkip}})
			st, docs := h.finish(t, id, h.CrawlStatus)
			if got := sources(docs, origin); !slices.Equal(got, want) {
				t.Errorf("pages %q, want %q", got, want)
			}
			if refused := len(want) < 3; refused != strings.Contains(st.Warning, "robots.txt") {
				t.Errorf("warning %q", st.Warning)
			}
			if len(want) < 3 && site.Hits(origin+"/closed") > 0 {
				t.Error("a page was fetched that robots.txt refuses")
			}
		})
	}
}

func TestTrapsAreBounded(t *testing.T) {
	site := testsite.New(t)
	h := build(t, houseOptions{})
	origin := site.Origin("traps")
	id := h.start(t, trawl.CrawlRequest{URL: origin + "/", CrawlOptions: trawl.CrawlOptions{Sitemap: trawl.SitemapSkip}})
	st, docs := h.finish(t, id, h.CrawlStatus)
	got := sources(docs, origin)
	for _, path := range testsite.TrapPaths() {
		if !slices.Contains(got, path) {
			t.Errorf("the real page %s is missing", path)
		}
	}
	if len(got) > 200 {
		t.Errorf("%d pages of a site with %d real ones", len(got), len(testsite.TrapPaths()))
	}
	if !strings.Contains(st.Warning, "without end") {
		t.Errorf("warning %q does not tell of the traps", st.Warning)
	}
}
