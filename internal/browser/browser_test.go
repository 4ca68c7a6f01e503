package browser

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
)

// shared is the pool of all tests that need nothing special of it.
var shared *Pool

func TestMain(m *testing.M) {
	if os.Getenv(victimVariable) != "" {
		beVictim()
		return
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil { // most of the time they wait for a browser
		panic(err)
	}
	os.Exit(runWithPool(m))
}

func runWithPool(m *testing.M) int {
	dir, err := os.MkdirTemp("", "trawl-browser-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	shared, err = Open(Options{MaxBrowsers: 1, PagesPerBrowser: 6, Dial: new(net.Dialer).DialContext, DataDir: dir})
	if err != nil {
		panic(err)
	}
	defer shared.Close()
	return m.Run()
}

// openPool makes a pool of the test's own, closed with it.
func openPool(t testing.TB, change func(*Options)) *Pool {
	t.Helper()
	opts := Options{
		MaxBrowsers: 1, PagesPerBrowser: 4,
		Dial:    new(net.Dialer).DialContext,
		DataDir: t.TempDir(),
		Logger:  slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
	if change != nil {
		change(&opts)
	}
	p, err := Open(opts)
	if err != nil {
		t.Fatalf("open pool: %v", err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("close pool: %v", err)
		}
	})
	return p
}

// serve runs a site of HTML pages for the test.
func serve(t testing.TB, pages map[string]string) *httptest.Server {
	t.Helper()
	return serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, body)
	})
}

func serveFunc(t testing.TB, handle http.HandlerFunc) *httptest.Server {
	t.Helper()
	site := httptest.NewUnstartedServer(handle)
	site.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	site.Start()
	t.Cleanup(site.CloseClientConnections)
	t.Cleanup(site.Close)
	return site
}

// patience is how long a render of a test may take on a busy machine.
const patience = 25 * time.Second

func render(t testing.TB, p *Pool, r Request) (*Result, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return p.Render(ctx, r)
}

func mustRender(t testing.TB, p *Pool, r Request) *Result {
	t.Helper()
	result, err := render(t, p, r)
	if err != nil {
		t.Fatalf("render %s: %v", r.URL, err)
	}
	return result
}

// wantError checks kind and code of a failed render.
func wantError(t testing.TB, err error, kind trawl.Kind, code string) *trawl.Error {
	t.Helper()
	var domain *trawl.Error
	if !errors.As(err, &domain) {
		t.Fatalf("error is %v, want one of the domain with code %s", err, code)
	}
	if domain.Kind != kind || domain.Code != code {
		t.Fatalf("error is kind %d code %s (%v), want kind %d code %s", domain.Kind, domain.Code, domain, kind, code)
	}
	return domain
}

func TestPageIsBroughtAsItStandsAfterItsScripts(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("<div>", 3000) + "bottom of it" + strings.Repeat("</div>", 3000)
	site := serve(t, map[string]string{
		"/plain":   `<!doctype html><title>x</title><p>plain &amp; simple</p>`,
		"/script":  `<title>x</title><div id=a></div><script>a.textContent='made by script'</script>`,
		"/late":    `<title>x</title><div id=a></div><script>setTimeout(() => a.textContent = 'made later', 200)</script>`,
		"/fetched": `<title>x</title><div id=a></div><script>fetch('/plain').then(r => r.text()).then(s => a.innerHTML = s)</script>`,
		"/chain":   `<div id=a>waiting</div><script>fetch('/plain').then(() => setTimeout(() => fetch('/plain').then(() => a.textContent = 'second step'), 300))</script>`,
		"/shadow": `<my-box><b slot=s>light child</b></my-box><script>
			const s = document.querySelector('my-box').attachShadow({mode: 'open'});
			s.innerHTML = '<p>from the shadow</p><slot name=s></slot>'</script>`,
		"/closed": `<my-box>light</my-box><x-none>only light</x-none><script>
			document.querySelector('my-box').attachShadow({mode: 'closed'}).innerHTML = '<p>behind closed doors</p><slot></slot>'</script>`,
		"/frame":  `<h1>outer</h1><iframe src="/plain" width=300 height=200></iframe>`,
		"/nested": `<h1>outer</h1><iframe src="/frame" width=600 height=400></iframe>`,
		"/deep":   deep + `<script>1</script>`,
		"/pre":    "<pre>a\n  b &lt;c&gt;</pre><x-y></x-y><script>document.querySelector('x-y').attachShadow({mode:'open'}).innerHTML='<i>z</i>'</script>",
		"/moved":  `<title>x</title><script>location.replace('/plain')</script>`,
		"/meta":   `<meta http-equiv=refresh content="0;url=/plain"><p>hold on`,
		"/table":  `<table><tr><td>cell text</td></tr></table>`,
	})
	for _, tc := range []struct{ name, path, want string }{
		{"a page without scripts", "/plain", `<p>plain &amp; simple</p>`},
		{"a page made by its script", "/script", `made by script`},
		{"a page made by a timer", "/late", `made later`},
		{"a page that fetches its content", "/fetched", `<p>plain &amp; simple</p>`},
		{"a page that fetches twice", "/chain", `second step`},
		{"an open shadow tree stands in place of its host's children", "/shadow", `<p>from the shadow</p><slot name="s"><b slot="s">light child</b></slot>`},
		{"so does a closed one", "/closed", `<p>behind closed doors</p><slot>light</slot></my-box><x-none>only light</x-none>`},
		{"a frame becomes a container", "/frame", `<div data-trawl-frame="iframe" src="/plain" width="300" height="200"><p>plain &amp; simple</p>`},
		{"a frame in a frame", "/nested", `<p>plain &amp; simple</p>`},
		{"nesting deeper than calls go", "/deep", `bottom of it`},
		{"white space and entities survive flattening", "/pre", "<pre>a\n  b &lt;c&gt;</pre><x-y><i>z</i></x-y>"},
		{"a page that moves by script", "/moved", `plain &amp; simple`},
		{"a page that moves by meta refresh", "/meta", `plain &amp; simple`},
		{"what the parser adds is there", "/table", `<tbody><tr><td>cell text</td></tr></tbody>`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := mustRender(t, shared, Request{URL: site.URL + tc.path})
			if !strings.Contains(got.HTML, tc.want) {
				t.Errorf("HTML = %.2000s\nwant it to contain %s", got.HTML, tc.want)
			}
			if got.Status != 200 || got.Attempts != 1 {
				t.Errorf("status %d after %d attempts, want 200 after 1", got.Status, got.Attempts)
			}
		})
	}
}

func TestFrameOfAnotherOriginIsInlined(t *testing.T) {
	t.Parallel()
	inner := serve(t, map[string]string{"/": `<p>from elsewhere</p>`})
	outer := serve(t, map[string]string{"/": `<h1>outer</h1><iframe src="` + inner.URL + `" width=300 height=200></iframe>`})
	got := mustRender(t, shared, Request{URL: outer.URL})
	if !strings.Contains(got.HTML, "<p>from elsewhere</p>") {
		t.Errorf("HTML = %s, want the frame's text in it", got.HTML)
	}
}

func TestAnswerIsDescribed(t *testing.T) {
	t.Parallel()
	site := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/from":
			http.Redirect(w, r, "/to?x=1", http.StatusFound)
		case "/empty":
			w.WriteHeader(http.StatusNoContent)
		case "/private":
			w.Header().Set("Www-Authenticate", `Basic realm="x"`)
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusUnauthorized)
			io.WriteString(w, "<p>not for you</p>")
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Add("X-Two", "one")
			w.Header().Add("X-Two", "two")
			w.WriteHeader(http.StatusTeapot)
			io.WriteString(w, "<p>short and stout</p>")
		}
	})
	got := mustRender(t, shared, Request{URL: site.URL + "/from"})
	if got.URL != site.URL+"/to?x=1" || got.Status != 418 || got.StatusText != "I'm a teapot" {
		t.Errorf("got %s %d %q, want the redirect's end and its status", got.URL, got.Status, got.StatusText)
	}
	if two := got.Header.Values("X-Two"); strings.Join(two, ",") != "one,two" && strings.Join(two, ",") != "one, two" {
		t.Errorf("X-Two = %q, want both values", two)
	}
	if got.ContentType != "text/html; charset=utf-8" {
		t.Errorf("content type %q", got.ContentType)
	}
	if got := mustRender(t, shared, Request{URL: site.URL + "/empty"}); got.Status != 204 || got.HTML != "" {
		t.Errorf("an answer without content = %d %q", got.Status, got.HTML)
	}
	if got := mustRender(t, shared, Request{URL: site.URL + "/private"}); got.Status != 401 || !strings.Contains(got.HTML, "not for you") {
		t.Errorf("a page that wants a password = %d %q", got.Status, got.HTML)
	}
}

func TestMainResourceThatIsNoPageComesAsBytes(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("0123456789", 300_000) // several chunks
	site := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		kind, body := "application/pdf", "%PDF-1.4 not really"
		switch r.URL.Path {
		case "/json":
			kind, body = "application/json", `{"a":1}`
		case "/big":
			kind, body = "application/octet-stream", big
		case "/unnamed":
			w.Header()["Content-Type"] = nil
			io.WriteString(w, "%PDF-1.4 sent without a type")
			return
		case "/download":
			kind, body = "text/html", "<p>saved page"
			w.Header().Set("Content-Disposition", `attachment; filename="x.html"`)
		case "/redirected":
			http.Redirect(w, r, "/json", http.StatusMovedPermanently)
			return
		}
		w.Header().Set("Content-Type", kind)
		io.WriteString(w, body)
	})
	for _, tc := range []struct{ name, path, url, kind, body string }{
		{"a PDF", "/pdf", "/pdf", "application/pdf", "%PDF-1.4 not really"},
		{"JSON", "/json", "/json", "application/json", `{"a":1}`},
		{"a large file", "/big", "/big", "application/octet-stream", big},
		{"a file without a type", "/unnamed", "/unnamed", "", "%PDF-1.4 sent without a type"},
		{"a download, whatever its type", "/download", "/download", "text/html", "<p>saved page"},
		{"behind a redirect", "/redirected", "/json", "application/json", `{"a":1}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := mustRender(t, shared, Request{URL: site.URL + tc.path})
			if string(got.Body) != tc.body || got.ContentType != tc.kind || got.URL != site.URL+tc.url || got.HTML != "" {
				t.Errorf("got %s %s, %d bytes, want %s %s, %d", got.URL, got.ContentType, len(got.Body), tc.url, tc.kind, len(tc.body))
			}
		})
	}
	t.Run("JSON can be photographed", func(t *testing.T) {
		t.Parallel()
		got := mustRender(t, shared, Request{URL: site.URL + "/json", Screenshot: &Shot{}})
		if string(got.Body) != `{"a":1}` || got.Screenshot == nil {
			t.Errorf("body %s, screenshot %v", got.Body, got.Screenshot)
		}
	})
	t.Run("actions on a PDF are refused", func(t *testing.T) {
		t.Parallel()
		_, err := render(t, shared, Request{URL: site.URL + "/pdf", Actions: []Action{{Type: "scrape"}}})
		wantError(t, err, trawl.Invalid, "SCRAPE_ACTIONS_NOT_SUPPORTED")
	})
	t.Run("branding of a PDF is refused", func(t *testing.T) {
		t.Parallel()
		_, err := render(t, shared, Request{URL: site.URL + "/pdf", Branding: true})
		wantError(t, err, trawl.SiteFailed, "SCRAPE_BRANDING_NOT_SUPPORTED")
	})
}

func contextWithin(t testing.TB, d time.Duration) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithTimeout(t.Context(), d)
}

// dialTo is a dialer for which a name has that address.
func dialTo(name, address string) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(addr)
		if err == nil && host == name {
			addr = net.JoinHostPort(address, port)
		}
		return new(net.Dialer).DialContext(ctx, network, addr)
	}
}
