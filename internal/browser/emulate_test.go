package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// mirror serves a page that shows the headers it was asked with, and what its
// script sees of the device.
func mirror(t *testing.T) string {
	t.Helper()
	site := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		shown, err := json.Marshal(r.Header)
		if err != nil {
			t.Error(err)
		}
		fmt.Fprintf(w, `<meta name=viewport content="width=device-width"><style>pre { white-space: pre-wrap; overflow-wrap: anywhere }</style><pre>%s</pre><pre id=d></pre><script>
			d.textContent = ['size ' + innerWidth + 'x' + innerHeight, 'ratio ' + devicePixelRatio, 'touch ' + navigator.maxTouchPoints,
				'agent ' + navigator.userAgent, 'mobile ' + navigator.userAgentData?.mobile, 'languages ' + navigator.languages, 'cookie ' + document.cookie].join('|')
		</script>`, shown)
	})
	return site.URL
}

func TestPageSeesTheDeviceAsked(t *testing.T) {
	t.Parallel()
	at := mirror(t)
	for _, tc := range []struct {
		name    string
		request Request
		want    []string
		not     []string
	}{
		{"a desk by default", Request{}, []string{"size 1280x800", "ratio 1|", "touch 0", "mobile false", `"Accept-Language":["en-US,en;q=0.9"]`}, []string{"Headless", "Android"}},
		{"a phone", Request{Mobile: true}, []string{"size 412x915", "ratio 3|", "touch 5", "Android 10", "Mobile Safari", "mobile true", `"Sec-Ch-Ua-Mobile":["?1"]`}, []string{"Headless"}},
		{"another window", Request{Viewport: Viewport{Width: 640, Height: 480}}, []string{"size 640x480"}, nil},
		{"the window of the screenshot", Request{Screenshot: &Shot{Viewport: Viewport{Width: 500, Height: 400}}}, []string{"size 500x400"}, nil},
		{"languages", Request{Languages: []string{"de-DE", "de"}}, []string{`"Accept-Language":["de-DE,de`, "languages de-DE,de|"}, nil},
		{"a user agent", Request{UserAgent: "Reader/1"}, []string{`"User-Agent":["Reader/1"]`, "agent Reader/1"}, []string{"Chrome"}},
		{"a user agent among the headers", Request{Headers: http.Header{"User-Agent": {"Reader/2"}}}, []string{`"User-Agent":["Reader/2"]`, "agent Reader/2"}, nil},
		{"headers", Request{Headers: http.Header{"X-Own": {"mine"}, "Authorization": {"Bearer x"}}}, []string{`"X-Own":["mine"]`, `"Authorization":["Bearer x"]`}, nil},
		{"cookies", Request{Headers: http.Header{"Cookie": {"a=1; b=2"}}}, []string{`"Cookie":["a=1; b=2"]`, "cookie a=1; b=2"}, nil},
		{"a referrer", Request{Headers: http.Header{"Referer": {"http://from.test/page"}}}, []string{`"Referer":["http://from.test/`}, nil},
		{"nothing of the proxy", Request{}, nil, []string{"Proxy-", "Forwarded", "Via"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			tc.request.URL = at
			got := mustRender(t, shared, tc.request)
			for _, want := range tc.want {
				if !strings.Contains(got.HTML, want) {
					t.Errorf("page says %s, want %s in it", got.HTML, want)
				}
			}
			for _, not := range tc.not {
				if strings.Contains(got.HTML, not) {
					t.Errorf("page says %s, want no %s in it", got.HTML, not)
				}
			}
		})
	}
}

func TestHeadersGoToTheirOriginOnly(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := map[string]string{}
	note := func(who string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			seen[who+r.URL.Path] = r.Header.Get("X-Key")
			mu.Unlock()
		}
	}
	other := serveFunc(t, note("other"))
	var own string
	site := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		note("own")(w, r)
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			fmt.Fprintf(w, `<img src="%s/img"><img src="%s/img"><p>some text that is long enough</p>`, other.URL, own)
		}
	})
	own = site.URL
	mustRender(t, shared, Request{URL: site.URL, Headers: http.Header{"X-Key": {"k"}}})
	mu.Lock()
	defer mu.Unlock()
	for path, want := range map[string]string{"own/": "k", "own/img": "k", "other/img": ""} {
		if got, asked := seen[path]; !asked || got != want {
			t.Errorf("%s was asked (%v) with %q, want %q", path, asked, got, want)
		}
	}
}

func TestAdsAndBannersAreBlocked(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked := map[string]bool{}
	ads := serveFunc(t, func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked[r.URL.Path] = true
	})
	u, err := url.Parse(ads.URL)
	if err != nil {
		t.Fatal(err)
	}
	page := `<p>the article, long enough to be taken for one</p><div id=onetrust-banner-sdk>We use cookies</div>
		<script src="/gtag/js?id=1"></script><img src="http://ad.doubleclick.net:` + u.Port() + `/pixel">`
	site := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path] = true
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page)
	})
	toUs := dialTo("ad.doubleclick.net", "127.0.0.1")
	got := mustRender(t, shared, Request{URL: site.URL, BlockAds: true, Dial: toUs})
	mu.Lock()
	if asked["/pixel"] || asked["/gtag/js"] {
		t.Errorf("asked for %v, want no ads", asked)
	}
	mu.Unlock()
	if strings.Contains(got.HTML, "We use cookies") || !strings.Contains(got.HTML, "the article") {
		t.Errorf("HTML = %s, want the article without the banner", got.HTML)
	}

	got = mustRender(t, shared, Request{URL: site.URL, Dial: toUs})
	mu.Lock()
	defer mu.Unlock()
	if !asked["/pixel"] || !asked["/gtag/js"] || !strings.Contains(got.HTML, "We use cookies") {
		t.Errorf("without blocking, asked for %v and got %s", asked, got.HTML)
	}
}
