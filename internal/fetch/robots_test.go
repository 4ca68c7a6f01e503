package fetch

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestRobotsRules(t *testing.T) {
	for _, tc := range []struct {
		name, file, path string
		want             bool
	}{
		{"empty file", "", "/a", true},
		{"everyone kept out", "User-agent: *\nDisallow: /", "/a", false},
		{"nothing disallowed", "User-agent: *\nDisallow:", "/a", true},
		{"our group before everyone's", "User-agent: *\nDisallow: /\n\nUser-agent: trawl\nDisallow: /b", "/a", true},
		{"our group without rules", "User-agent: *\nDisallow: /\n\nUser-agent: trawl\n", "/a", true},
		{"second name when the first has no group", "User-agent: *\nDisallow:\n\nUser-agent: FirecrawlAgent\nDisallow: /", "/a", false},
		{"first name when both have one", "User-agent: FirecrawlAgent\nDisallow: /\n\nUser-agent: Trawl/1.0\nAllow: /", "/a", true},
		{"several names of one group", "User-agent: other\nUser-agent: trawl\nDisallow: /a", "/a", false},
		{"groups of one name are joined", "User-agent: trawl\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: trawl\nDisallow: /b", "/a/1", false},
		{"longest pattern wins", "User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true},
		{"order does not matter", "User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/c", false},
		{"tie allows", "User-agent: *\nDisallow: /a\nAllow: /a", "/a", true},
		{"star", "User-agent: *\nDisallow: /*.pdf", "/x/y.pdf?z", false},
		{"end", "User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf?z", true},
		{"query", "User-agent: *\nDisallow: /*?sort=", "/list?sort=up", false},
		{"case of the path", "User-agent: *\nDisallow: /A", "/a", true},
		{"pattern with letters of its own", "User-agent: *\nDisallow: /ä", "/%c3%a4/x", false},
		{"index file stands for its folder", "User-agent: *\nDisallow: /\nAllow: /a/index.html", "/a/", true},
		{"rules before any user agent", "Disallow: /\nUser-agent: *\nAllow: /", "/a", true},
		{"comments and odd spacing", "user-agent : * # all\n  disallow :/a # no", "/a", false},
		{"root address without path", "User-agent: *\nDisallow: /$", "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u, err := url.Parse("https://a.test" + tc.path)
			if err != nil {
				t.Fatal(err)
			}
			if got := ParseRobots(tc.file, "trawl", "FirecrawlAgent").Allows(u); got != tc.want {
				t.Errorf("%s allowed = %v, want %v under\n%s", u, got, tc.want, tc.file)
			}
		})
	}
}

func TestRobotsDelayAndSitemaps(t *testing.T) {
	rules := ParseRobots("Sitemap: https://a.test/one.xml\nUser-agent: *\nCrawl-delay: 2.5\nDisallow: /x\nsitemap:https://a.test/two.xml\nUser-agent: slow\nCrawl-delay: 60", "trawl")
	if rules.CrawlDelay != 2500*time.Millisecond || !slices.Equal(rules.Sitemaps, []string{"https://a.test/one.xml", "https://a.test/two.xml"}) {
		t.Errorf("delay %v, sitemaps %v", rules.CrawlDelay, rules.Sitemaps)
	}
	for _, odd := range []string{"-1", "soon", "NaN", "1e300", ""} {
		if d := ParseRobots("User-agent: *\nCrawl-delay: " + odd).CrawlDelay; d != 0 {
			t.Errorf("Crawl-delay %q = %v, want none", odd, d)
		}
	}
}

func TestRobotsFilesAreFetchedOnce(t *testing.T) {
	var asked atomic.Int32
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		fmt.Fprint(w, "User-agent: *\nDisallow: /private\nUser-agent: special\nDisallow: /")
	})
	files := NewRobotsFiles(engine(t), "trawl")
	u, err := url.Parse(address + "/private/x?y#z")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			rules, err := files.Rules(t.Context(), u, "")
			if err != nil || rules.Allows(u) {
				t.Errorf("rules %v, error %v; want the address refused", rules, err)
			}
		})
	}
	all.Wait()
	if n := asked.Load(); n != 1 {
		t.Errorf("asked %d times, want once", n)
	}
	u.Path = "/public"
	if rules, err := files.Rules(t.Context(), u, "special"); err != nil || rules.Allows(u) {
		t.Errorf("under another name: %v %v, want the address refused", rules, err)
	}
}

func TestRobotsThatCannotBeHadAllowAll(t *testing.T) {
	deny := "User-agent: *\nDisallow: /"
	for _, tc := range []struct {
		name    string
		handler http.HandlerFunc
		want    bool
	}{
		{"a real one", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, deny) }, false},
		{"behind a redirect", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.Redirect(w, r, "/elsewhere.txt", http.StatusFound)
				return
			}
			fmt.Fprint(w, deny)
		}, false},
		{"missing", http.NotFound, true},
		{"refused", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, deny, http.StatusForbidden) }, true},
		{"server down", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, deny, http.StatusServiceUnavailable) }, true},
		{"a page instead", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<!doctype html>\n"+deny) }, true},
		{"JSON instead", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, deny)
		}, true},
		{"without end", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat(deny+"\n", 30_000)) }, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u, err := url.Parse(serve(t, tc.handler) + "/a")
			if err != nil {
				t.Fatal(err)
			}
			rules, err := NewRobotsFiles(engine(t), "trawl").Rules(t.Context(), u, "")
			if err != nil {
				t.Fatal(err)
			}
			if got := rules.Allows(u); got != tc.want {
				t.Errorf("allowed = %v, want %v", got, tc.want)
			}
		})
	}
}

func TestRobotsWaitEndsWithTheCaller(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	files := NewRobotsFiles(Func(func(context.Context, Request) (*Page, error) { <-release; return &Page{}, nil }), "trawl")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := files.Rules(ctx, &url.URL{Scheme: "http", Host: "a.test"}, ""); err == nil {
		t.Error("no error after the caller left")
	}
}

func FuzzParseRobots(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /a*b$\nCrawl-delay: 1\nSitemap: x", "/a")
	f.Add("\xef\xbb\xbfuser-agent:trawl\rallow:/index.html", "/?")
	f.Fuzz(func(t *testing.T, file, path string) {
		rules := ParseRobots(file, "trawl")
		rules.Allows(&url.URL{Path: path})
		if rules.CrawlDelay < 0 {
			t.Errorf("delay %v", rules.CrawlDelay)
		}
	})
}
