package browser

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trawlhq/trawl"
)

// hangUp takes the connection over and ends it after saying something.
func hangUp(w http.ResponseWriter, words string, linger int) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	fmt.Fprint(c, words)
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(linger)
	}
	_ = c.Close()
}

func TestSiteThatCannotBeLoadedSaysWhy(t *testing.T) {
	t.Parallel()
	site := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/reset":
			hangUp(w, "", 0)
		case "/empty":
			hangUp(w, "", -1)
		case "/garbage":
			hangUp(w, "\x00\x01\x02 nonsense\r\n\r\n", -1)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/chain":
			http.Redirect(w, r, r.URL.Path+"?"+r.URL.RawQuery+"x", http.StatusFound)
		}
	})
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	unusable := serveFunc(t, func(w http.ResponseWriter, r *http.Request) { hangUp(w, "no TLS here", -1) })

	for _, tc := range []struct{ name, url, code, browserCode string }{
		{"refused", closed.URL, "SCRAPE_SITE_ERROR", "ERR_CONNECTION_REFUSED"},
		{"refused over TLS", "https" + strings.TrimPrefix(closed.URL, "http"), "SCRAPE_SITE_ERROR", "ERR_CONNECTION_REFUSED"},
		{"reset", site.URL + "/reset", "SCRAPE_SITE_ERROR", "ERR_CONNECTION_RESET"},
		{"empty", site.URL + "/empty", "SCRAPE_SITE_ERROR", "ERR_EMPTY_RESPONSE"},
		{"not HTTP", site.URL + "/garbage", "SCRAPE_SITE_ERROR", "ERR_INVALID_HTTP_RESPONSE"},
		{"redirect loop", site.URL + "/loop", "SCRAPE_SITE_ERROR", "ERR_TOO_MANY_REDIRECTS"},
		{"endless chain", site.URL + "/chain", "SCRAPE_SITE_ERROR", "ERR_TOO_MANY_REDIRECTS"},
		{"TLS where there is none", "https" + strings.TrimPrefix(unusable.URL, "http"), "SCRAPE_SSL_ERROR", "ERR_SSL_PROTOCOL_ERROR"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := render(t, shared, Request{URL: tc.url})
			got := wantError(t, err, trawl.SiteFailed, tc.code)
			want := map[string]any{"browserErrorCode": tc.browserCode, "retryable": false, "origin": "target_site"}
			if diff := cmp.Diff(want, got.Details); diff != "" {
				t.Errorf("details (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCertificateIsCheckedUnlessToldNotTo(t *testing.T) {
	t.Parallel()
	site := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<p>signed by myself</p>")
	}))
	site.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	site.StartTLS()
	t.Cleanup(site.Close)
	_, err := render(t, shared, Request{URL: site.URL})
	wantError(t, err, trawl.SiteFailed, "SCRAPE_SSL_ERROR")
	got := mustRender(t, shared, Request{URL: site.URL, SkipTLSVerify: true})
	if !strings.Contains(got.HTML, "signed by myself") {
		t.Errorf("HTML = %s", got.HTML)
	}
	_, err = render(t, shared, Request{URL: site.URL})
	wantError(t, err, trawl.SiteFailed, "SCRAPE_SSL_ERROR") // the leniency is not remembered
}

func TestReasonOfTheDialerReachesTheCaller(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		failure error
		kind    trawl.Kind
		code    string
	}{
		{"a host without address", &net.DNSError{Err: "no such host", Name: "a.test", IsNotFound: true}, trawl.Unresolved, "SCRAPE_DNS_RESOLUTION_ERROR"},
		{"the guard's own refusal", trawl.Errorf(trawl.Forbidden, "Forbidden").WithCode("PRIVATE_ADDRESS_BLOCKED"), trawl.Forbidden, "PRIVATE_ADDRESS_BLOCKED"},
		{"an outbound proxy", fmt.Errorf("connect: %w", ErrUpstreamProxy), trawl.SiteFailed, "SCRAPE_SITE_ERROR"},
		{"too slow", context.DeadlineExceeded, trawl.SiteFailed, "SCRAPE_SITE_ERROR"},
	} {
		for _, scheme := range []string{"http", "https"} {
			t.Run(tc.name+" over "+scheme, func(t *testing.T) {
				t.Parallel()
				_, err := render(t, shared, Request{
					URL:  scheme + "://a.test/",
					Dial: func(context.Context, string, string) (net.Conn, error) { return nil, tc.failure },
				})
				got := wantError(t, err, tc.kind, tc.code)
				if tc.name == "an outbound proxy" {
					want := map[string]any{"browserErrorCode": "ERR_PROXY_CONNECTION_FAILED", "retryable": true, "origin": "provider_proxy"}
					if diff := cmp.Diff(want, got.Details); diff != "" {
						t.Errorf("details (-want +got):\n%s", diff)
					}
				}
			})
		}
	}
}

func TestAnswerComesWithinTheDeadline(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	site := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		pages := map[string]string{
			"/busy":    `<p>x</p><script>while (true) {}</script>`,
			"/later":   `<p>x</p><script>addEventListener('load', () => setTimeout(() => { while (true) {} }))</script>`,
			"/dialogs": `<p>x</p><script>while (true) alert('again')</script>`,
		}
		switch r.URL.Path {
		case "/silent":
			<-release
		case "/drip":
			for {
				if _, err := fmt.Fprint(w, "x"); err != nil {
					return
				}
				if err := http.NewResponseController(w).Flush(); err != nil {
					return
				}
				select {
				case <-release:
					return
				case <-r.Context().Done():
					return
				case <-time.After(50 * time.Millisecond):
				}
			}
		default:
			fmt.Fprint(w, pages[r.URL.Path])
		}
	})
	t.Cleanup(func() { close(release) }) // before the site is closed, which waits for its answers
	p := openPool(t, nil)
	mustRender(t, p, Request{URL: site.URL + "/plain"}) // the browser is up
	mustRender(t, p, Request{URL: site.URL + "/plain"}) // takes the tab opened ahead, so it is there by now
	before := familyOf(t, p)
	t.Cleanup(func() { // after the parallel ones, before the pool is closed
		if !eventually(t, patience, func() bool { return p.Stats().Busy == 0 && len(familyOf(t, p)) <= len(before) }) {
			t.Errorf("processes after pages that hang:\n%s\nbefore:\n%s", strings.Join(familyOf(t, p), "\n"), strings.Join(before, "\n"))
		}
		if s := p.Stats(); s.Started != 1 {
			t.Errorf("%d browsers were started; a page that hangs should cost its tab only", s.Started)
		}
	})
	const timeout = 2 * time.Second
	for _, path := range []string{"/silent", "/busy", "/later", "/dialogs"} {
		t.Run("a page that is "+path[1:], func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			defer cancel()
			began := time.Now()
			_, err := p.Render(ctx, Request{URL: site.URL + path})
			if took := time.Since(began); took > timeout+time.Second {
				t.Errorf("answered after %v, want %v and at most a second more", took, timeout)
			}
			wantError(t, err, trawl.TimedOut, "SCRAPE_TIMEOUT")
		})
	}
	t.Run("a page whose body never ends is taken as far as it came", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		got, err := p.Render(ctx, Request{URL: site.URL + "/drip"})
		if err != nil || !strings.Contains(got.HTML, "xxx") {
			t.Errorf("got %v, %v", got, err)
		}
	})
}
