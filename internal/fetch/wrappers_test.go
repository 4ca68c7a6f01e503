package fetch

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// script answers each fetch with the next of its results; the last one stays.
type script struct {
	calls   int
	results []result
}

type result struct {
	page Page
	err  error
}

func (s *script) Fetch(context.Context, Request) (*Page, error) {
	r := s.results[min(s.calls, len(s.results)-1)]
	s.calls++
	try := Attempt{Engine: EngineHTTP, Status: r.page.Status, Ms: 1}
	if r.err != nil {
		try.Reason = reasonOf(r.err)
		return nil, withAttempts(r.err, []Attempt{try})
	}
	page := r.page
	page.Attempts = []Attempt{try}
	page.FetchedAt = time.Now()
	return &page, nil
}

func status(code int, header ...string) result {
	h := http.Header{}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return result{page: Page{Status: code, Reason: http.StatusText(code), Header: h, Engine: EngineHTTP, ContentType: "text/html"}}
}

func body(text string) result {
	r := status(http.StatusOK)
	r.page.Body = []byte(text)
	return r
}

func failing(netError string) result { return result{err: siteError(netError, "broken")} }

func TestRetryOnlyWhereItIsSafe(t *testing.T) {
	for _, tc := range []struct {
		name    string
		results []result
		calls   int
		status  int // 0: fails
		within  time.Duration
	}{
		{"good at once", []result{status(200)}, 1, 200, time.Minute},
		{"reset, then good", []result{failing("ERR_CONNECTION_RESET"), status(200)}, 2, 200, time.Minute},
		{"empty for ever", []result{failing("ERR_EMPTY_RESPONSE")}, 3, 0, time.Minute},
		{"refused is final", []result{failing("ERR_CONNECTION_REFUSED"), status(200)}, 1, 0, time.Minute},
		{"cut in the body is final", []result{failing("ERR_CONTENT_LENGTH_MISMATCH"), status(200)}, 1, 0, time.Minute},
		{"502 once more", []result{status(502)}, 2, 502, time.Minute},
		{"503 without a time is final", []result{status(503), status(200)}, 1, 503, time.Minute},
		{"429 with a short time", []result{status(429, "Retry-After", "2"), status(200)}, 2, 200, time.Minute},
		{"429 with a long time is final", []result{status(429, "Retry-After", "60"), status(200)}, 1, 429, time.Hour},
		{"429 with a time past the deadline", []result{status(429, "Retry-After", "4"), status(200)}, 1, 429, 3 * time.Second},
		{"404 is a page", []result{status(404), status(200)}, 1, 404, time.Minute},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), tc.within)
				defer cancel()
				s := &script{results: tc.results}
				page, err := Retry(s).Fetch(ctx, request(t, "http://a.test/"))
				if s.calls != tc.calls {
					t.Errorf("tried %d times, want %d", s.calls, tc.calls)
				}
				if tc.status == 0 {
					if got := len(attemptsOf(err)); got != tc.calls {
						t.Errorf("error lists %d attempts, want %d: %v", got, tc.calls, err)
					}
					return
				}
				if err != nil || page.Status != tc.status || len(page.Attempts) != tc.calls {
					t.Errorf("page %+v, error %v; want status %d after %d attempts", page, err, tc.status, tc.calls)
				}
			})
		})
	}
}

func TestPerHostKeepsItsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most, done atomic.Int32
		f := PerHost(Func(func(context.Context, Request) (*Page, error) {
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(time.Second)
			now.Add(-1)
			done.Add(1)
			return &Page{}, nil
		}), 3)
		began := time.Now()
		var all sync.WaitGroup
		for i := range 12 {
			host := []string{"http://a.test/", "http://A.TEST/x"}[i%2]
			all.Go(func() {
				if _, err := f.Fetch(t.Context(), request(t, host)); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if most.Load() != 3 || done.Load() != 12 || time.Since(began) != 4*time.Second {
			t.Errorf("at most %d at once, %d done in %v; want 3, 12, 4s", most.Load(), done.Load(), time.Since(began))
		}
	})
}

func TestPerHostForgetsHostsThatAreDone(t *testing.T) {
	lines := &hostLines{limit: 1, lines: map[string]*hostLine{}}
	for _, host := range []string{"a.test", "b.test"} {
		leave, err := lines.enter(t.Context(), host)
		if err != nil {
			t.Fatal(err)
		}
		leave()
	}
	if len(lines.lines) != 0 {
		t.Errorf("still holds %d hosts", len(lines.lines))
	}
}

func TestPerHostWaitsNoLongerThanTheCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		f := PerHost(Func(func(context.Context, Request) (*Page, error) { <-release; return &Page{}, nil }), 1)
		var all sync.WaitGroup
		all.Go(func() { _, _ = f.Fetch(t.Context(), request(t, "http://a.test/")) })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := f.Fetch(ctx, request(t, "http://a.test/"))
		if e, _ := failure(t, err); e.Code != "SCRAPE_TIMEOUT" {
			t.Errorf("second caller got %v, want SCRAPE_TIMEOUT", err)
		}
		close(release)
		all.Wait()
	})
}

func TestWayOutIsChosen(t *testing.T) {
	blocked := result{err: allFailed("challenge")}
	for _, tc := range []struct {
		name, proxy    string
		basic, stealth []result
		used           string // empty: fails
		attempts       int
		warned         bool
	}{
		{"basic", ProxyBasic, []result{status(200)}, []result{status(200)}, ProxyBasic, 1, false},
		{"basic stays basic when blocked", ProxyBasic, []result{blocked}, []result{status(200)}, "", 1, false},
		{"stealth", ProxyStealth, []result{blocked}, []result{status(200)}, ProxyStealth, 1, false},
		{"stealth where there is none", ProxyStealth, []result{status(200)}, nil, ProxyBasic, 1, true},
		{"auto needs no stealth", ProxyAuto, []result{status(200)}, []result{blocked}, ProxyBasic, 1, false},
		{"auto turns to stealth", ProxyAuto, []result{blocked}, []result{status(200)}, ProxyStealth, 2, false},
		{"nothing said is auto", "", []result{blocked}, []result{status(200)}, ProxyStealth, 2, false},
		{"auto, both blocked", ProxyAuto, []result{blocked}, []result{blocked}, "", 2, false},
		{"auto without stealth", ProxyAuto, []result{blocked}, nil, "", 1, false},
		{"auto, site down", ProxyAuto, []result{failing("ERR_CONNECTION_REFUSED")}, []result{status(200)}, "", 1, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var stealth Fetcher
			if tc.stealth != nil {
				stealth = &script{results: tc.stealth}
			}
			r := request(t, "http://a.test/")
			r.Proxy = tc.proxy
			page, err := Proxied(&script{results: tc.basic}, stealth).Fetch(t.Context(), r)
			if tc.used == "" {
				if got := len(attemptsOf(err)); got != tc.attempts {
					t.Errorf("error %v lists %d attempts, want %d", err, got, tc.attempts)
				}
				return
			}
			if err != nil || page.ProxyUsed != tc.used || len(page.Attempts) != tc.attempts || (len(page.Warnings) > 0) != tc.warned {
				t.Errorf("page %+v, error %v; want %s after %d attempts", page, err, tc.used, tc.attempts)
			}
		})
	}
}

func TestEngineIsChosen(t *testing.T) {
	shellPage := body(`<body><div id="root"></div><script src="/a.js"></script></body>`)
	rendered := status(200)
	rendered.page.Engine = EngineBrowser
	for _, tc := range []struct {
		name           string
		edit           func(*Request)
		plain, browser []result
		engine         string // empty: fails
		plainCalls     int
	}{
		{"plain page", func(*Request) {}, []result{body("<p>hello</p>")}, []result{rendered}, EngineHTTP, 1},
		{"shell", func(*Request) {}, []result{shellPage}, []result{rendered}, EngineBrowser, 1},
		{"shell in fast mode", func(r *Request) { r.PlainOnly = true }, []result{shellPage}, []result{rendered}, EngineHTTP, 1},
		{"shell without a browser", func(*Request) {}, []result{shellPage}, nil, EngineHTTP, 1},
		{"shell that cannot be rendered", func(*Request) {}, []result{shellPage}, []result{failing("ERR_FAILED")}, EngineHTTP, 1},
		{"screenshot", func(r *Request) { r.Browser.Screenshot = &Shot{} }, []result{status(200)}, []result{rendered}, EngineBrowser, 0},
		{"screenshot in fast mode", func(r *Request) { r.Browser.Screenshot, r.PlainOnly = &Shot{}, true }, []result{status(200)}, []result{rendered}, EngineBrowser, 0},
		{"wait without a browser", func(r *Request) { r.Browser.WaitFor = time.Second }, []result{status(200)}, nil, "", 0},
		{"blocked", func(*Request) {}, []result{{err: allFailed("challenge")}}, []result{rendered}, EngineBrowser, 1},
		{"site down", func(*Request) {}, []result{failing("ERR_CONNECTION_REFUSED")}, []result{rendered}, "", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			plain := &script{results: tc.plain}
			var browser Fetcher
			if tc.browser != nil {
				browser = &script{results: tc.browser}
			}
			r := request(t, "http://a.test/")
			tc.edit(&r)
			page, err := Engines(plain, browser).Fetch(t.Context(), r)
			if (err == nil) != (tc.engine != "") || err == nil && page.Engine != tc.engine || plain.calls != tc.plainCalls {
				t.Errorf("page %+v, error %v, %d plain calls; want engine %q, %d", page, err, plain.calls, tc.engine, tc.plainCalls)
			}
		})
	}
}

func TestChallengesAreNotContent(t *testing.T) {
	page := func(code int, text string, header ...string) result {
		r := status(code, header...)
		r.page.Body = []byte(text)
		return r
	}
	long := strings.Repeat("words ", 60_000)
	for _, tc := range []struct {
		name    string
		result  result
		blocked bool
	}{
		{"managed challenge by header", page(403, "<p>Just a moment</p>", "Cf-Mitigated", "challenge"), true},
		{"managed challenge by script", page(503, `<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/x"></script>`), true},
		{"captcha frame of a gatekeeper", page(403, `<script src="https://ct.captcha-delivery.com/c.js"></script>`), true},
		{"block page of a CDN", page(403, `<p>Reference <a href="https://errors.edgesuite.net/18.1">18.1</a>`), true},
		{"tiny script page with status 200", page(200, `<html><head><script src="/_Incapsula_Resource?SWJI=1"></script></head></html>`), true},
		{"proof of work with status 200", page(200, `<script id="anubis_challenge" type="application/json">{}</script>`), true},
		{"answer of a firewall", page(202, "", "X-Amzn-Waf-Action", "challenge"), true},
		{"captcha and nothing else", page(429, `<form><div class="g-recaptcha"></div></form>`), true},

		{"plain refusal", page(403, "<h1>Members only</h1>"), false},
		{"page with a contact form", page(200, `<form><div class="g-recaptcha"></div></form>`), false},
		{"page of a protected site", page(200, `<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script><p>Text</p>`), false},
		{"large page of a protected site", page(200, long+`<script src="/_Incapsula_Resource?SWJI=1"></script>`), false},
		{"article about challenges", page(200, "<p>How cf-browser-verification and window._cf_chl_opt work</p>"), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Blocked(&script{results: []result{tc.result}}).Fetch(t.Context(), request(t, "http://a.test/"))
			if (err != nil) != tc.blocked {
				t.Fatalf("error %v, want blocked %v", err, tc.blocked)
			}
			if !tc.blocked {
				return
			}
			e, d := failure(t, err)
			if e.Code != "SCRAPE_ALL_ENGINES_FAILED" || !d.Retryable || len(d.Attempts) != 1 || !strings.HasPrefix(d.Attempts[0].Reason, "blocked by ") {
				t.Errorf("error %s with %+v", e.Code, d)
			}
		})
	}
}

func TestGuardLooksFirst(t *testing.T) {
	s := &script{results: []result{status(200)}}
	f := Guard(s, guardFor(t, ""))
	for _, address := range []string{"http://127.0.0.1/", "http://[::1]:8080/", "http://2130706433/", "ftp://a.test/"} {
		if _, err := f.Fetch(t.Context(), request(t, address)); err == nil {
			t.Errorf("%s passed", address)
		}
	}
	if _, err := f.Fetch(t.Context(), Request{}); err == nil {
		t.Error("no address passed")
	}
	if s.calls != 0 {
		t.Errorf("%d fetches behind the guard, want none", s.calls)
	}
	if _, err := f.Fetch(t.Context(), request(t, "http://a.test/")); err != nil {
		t.Errorf("public name: %v", err)
	}
}
