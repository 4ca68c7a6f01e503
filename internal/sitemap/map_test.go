package sitemap_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/fetch"
	"github.com/trawlhq/trawl/internal/netguard"
	"github.com/trawlhq/trawl/internal/sitemap"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/testsite"
	"github.com/trawlhq/trawl/internal/weburl"
)

func newMapper(t *testing.T) (*sitemap.Service, *store.Store) {
	t.Helper()
	db, err := store.Open(t.Context(), store.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	policy, err := netguard.ParsePolicy("true")
	if err != nil {
		t.Fatal(err)
	}
	guard := netguard.New(policy, netguard.Options{})
	fetcher := fetch.Retry(fetch.NewHTTP(guard, nil))
	gate := access.New(db, access.Options{Off: true, Slots: 4})
	if _, err := gate.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	finder := &sitemap.Finder{Fetcher: fetcher, Robots: fetch.NewRobotsFiles(fetcher, "trawl")}
	return sitemap.New(sitemap.Options{
		Finder: finder, Fetcher: fetcher, Store: db, Access: gate,
		ParseURL: func(raw string) (*url.URL, error) { return weburl.Parse(raw, guard.AllowsName) },
		Refuse:   func(trawl.ScrapeRequest) error { return nil },
	}), db
}

func addresses(links []trawl.MapLink, origin string) []string {
	list := make([]string, len(links))
	for i, l := range links {
		list[i] = strings.TrimPrefix(l.URL, origin)
	}
	return list
}

func TestMapOfSitemaps(t *testing.T) {
	site := testsite.New(t)
	m, _ := newMapper(t)
	origin := site.Origin("sitemaps")
	for _, tc := range []struct {
		name string
		req  trawl.MapRequest
		want []string // in any order
	}{
		{"all that the files name, and the start", trawl.MapRequest{}, append([]string{""}, testsite.SitemapPaths()...)},
		{"sitemaps only", trawl.MapRequest{Sitemap: trawl.SitemapOnly}, testsite.SitemapPaths()},
		{"no sitemaps", trawl.MapRequest{Sitemap: trawl.SitemapSkip}, []string{""}},
		{"below a path", trawl.MapRequest{URL: origin + "/docs"}, []string{"/docs", "/docs/a", "/docs/b"}},
		{"paths to include", trawl.MapRequest{IncludePaths: []string{"^/news"}}, []string{"/news/1", "/news/2"}},
		{"paths to exclude", trawl.MapRequest{ExcludePaths: []string{"^/(docs|news|deep|text|feed|atom)"}}, []string{"", "/broken/1", "/escaped/a&b", "/dated/1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.req.URL == "" {
				tc.req.URL = origin
			}
			answer, err := m.Map(t.Context(), tc.req)
			if err != nil {
				t.Fatal(err)
			}
			got := addresses(answer.Links, origin)
			slices.Sort(got)
			want := slices.Sorted(slices.Values(tc.want))
			if !slices.Equal(got, want) {
				t.Errorf("links %q, want %q", got, want)
			}
		})
	}
}

func TestMapOfAHugeSitemapIsFast(t *testing.T) {
	site := testsite.New(t)
	m, _ := newMapper(t)
	for _, round := range []string{"read", "remembered"} {
		began := time.Now()
		answer, err := m.Map(t.Context(), trawl.MapRequest{URL: site.Origin("sitemap-huge"), Limit: 100_000})
		if err != nil || len(answer.Links) != 50_001 {
			t.Fatalf("%s: %d links, %v", round, len(answer.Links), err)
		}
		t.Logf("%s: 50,000 addresses in %v", round, time.Since(began))
	}
	if hits := site.Hits(site.Origin("sitemap-huge") + "/sitemap.xml"); hits != 1 {
		t.Errorf("the sitemap was read %d times", hits)
	}
}

func TestMapOfAShopWithoutSitemapReachesItsLastPage(t *testing.T) {
	site := testsite.New(t)
	m, _ := newMapper(t)
	origin := site.Origin("shop")
	answer, err := m.Map(t.Context(), trawl.MapRequest{URL: origin})
	if err != nil {
		t.Fatal(err)
	}
	got := addresses(answer.Links, origin)
	missing := 0
	for _, path := range testsite.ShopPaths() {
		if !slices.Contains(got, path) {
			missing++
		}
	}
	if missing > 10 {
		t.Errorf("%d of %d products are missing", missing, len(testsite.ShopPaths()))
	}
}

func TestMapKnowsWhatThisServerHasSeen(t *testing.T) {
	site := testsite.New(t)
	m, db := newMapper(t)
	origin := site.Origin("robots-none")
	u, err := url.Parse(origin + "/hidden?x=1")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	err = db.InTx(t.Context(), func(tx *store.Tx) error {
		return tx.KeepURLs(t.Context(), []store.KnownURL{{ID: "1", Domain: sitemap.SiteOf(u), URL: u.String(), Title: "Hidden", SeenAt: now, ExpiresAt: now.Add(time.Hour)}})
	})
	if err != nil {
		t.Fatal(err)
	}
	no := false
	for _, tc := range []struct {
		req  trawl.MapRequest
		want []trawl.MapLink
	}{
		{trawl.MapRequest{URL: origin}, []trawl.MapLink{{URL: origin, Title: "Page front"}, {URL: origin + "/hidden", Title: "Hidden"}, {URL: origin + "/open", Title: "Open"}, {URL: origin + "/closed", Title: "Closed"}}},
		{trawl.MapRequest{URL: origin, UseIndex: &no, Limit: 2}, []trawl.MapLink{{URL: origin, Title: "Page front"}, {URL: origin + "/open"}}},
		{trawl.MapRequest{URL: origin, IgnoreQueryParameters: &no, Limit: 2}, []trawl.MapLink{{URL: origin, Title: "Page front"}, {URL: origin + "/hidden?x=1", Title: "Hidden"}}},
		{trawl.MapRequest{URL: origin, Search: "hidden", Limit: 1}, []trawl.MapLink{{URL: origin + "/hidden", Title: "Hidden"}}},
	} {
		answer, err := m.Map(t.Context(), tc.req)
		if err != nil || !slices.Equal(answer.Links, tc.want) {
			t.Errorf("links %+v, %v, want %+v", answer.Links, err, tc.want)
		}
	}
}

func TestMapFailuresHaveCodes(t *testing.T) {
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer slow.Close()
	m, _ := newMapper(t)
	for _, tc := range []struct {
		req  trawl.MapRequest
		kind trawl.Kind
		code string
	}{
		{trawl.MapRequest{URL: "http://127.0.0.1:1/"}, trawl.SiteFailed, "MAP_FAILED"},
		{trawl.MapRequest{URL: slow.URL, Timeout: 50}, trawl.TimedOut, "MAP_TIMEOUT"},
		{trawl.MapRequest{URL: "ftp://a.test"}, trawl.Invalid, "BAD_REQUEST"},
	} {
		_, err := m.Map(t.Context(), tc.req)
		var e *trawl.Error
		if !errors.As(err, &e) || e.Kind != tc.kind || e.Code != tc.code {
			t.Errorf("map of %s = %v, want %s", tc.req.URL, err, tc.code)
		}
	}
}

func TestFinderStopsWhenItIsTold(t *testing.T) {
	site := testsite.New(t)
	m, _ := newMapper(t)
	start, err := url.Parse(site.Origin("sitemap-huge"))
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	n := 0
	err = m.Finder.Walk(context.Background(), sitemap.Search{Start: start}, func(*url.URL) error {
		if n++; n == 10 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || n != 10 {
		t.Errorf("stopped after %d with %v", n, err)
	}
}

func ExampleSiteOf() {
	u, _ := url.Parse("https://docs.example.co.uk:8443/guide")
	fmt.Println(sitemap.SiteOf(u))
	// Output: example.co.uk:8443
}
