package browser

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
)

func TestAwkwardPagesAreBroughtAllTheSame(t *testing.T) {
	t.Parallel()
	site := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		pages := map[string]string{
			"/dialogs":  `<p>x</p><script>alert('a'); document.write(confirm('b') + ' ' + prompt('c', 'standard'))</script>`,
			"/unload":   `<p>still here</p><script>addEventListener('beforeunload', e => { e.preventDefault(); e.returnValue = 'x' })</script>`,
			"/restless": `<p>never quiet</p><p id=n></p><script>setInterval(() => { n.textContent = Date.now(); fetch('/x?' + Date.now()) }, 20)</script>`,
			"/popups":   `<p>opener</p><script>for (let i = 0; i < 5; i++) window.open('/other')</script>`,
			"/hanging":  `<p>image missing</p><img src="/never">`,
			"/leaving":  `<p>first</p><script>setTimeout(() => location = '/arrived', 30)</script>`,
			"/arrived":  `<p>second</p>`,
			"/wander":   `<p>wandering</p><script>setTimeout(() => location.reload(), 400)</script>`,
			"/stream":   `<p>streaming</p><script>new EventSource('/never')</script>`,
			"/frames":   strings.Repeat(`<iframe src="/arrived" width=50 height=50></iframe>`, 20),
			"/hostile": `<p>spoiled</p><script>for (const p of ['childNodes', 'nodeType', 'attributes']) Object.defineProperty(Node.prototype, p, {get() { throw 1 }});
				JSON.stringify = Array.prototype.push = Promise.prototype.then = () => { throw 2 }</script>`,
			"/download": `<p>stays</p><script>setTimeout(() => location = '/file', 10)</script>`,
		}
		switch r.URL.Path {
		case "/never":
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case "/file":
			w.Header().Set("Content-Type", "application/zip")
			fmt.Fprint(w, "PK")
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, pages[r.URL.Path])
		}
	})
	for _, tc := range []struct{ name, path, want string }{
		{"dialogs are answered", "/dialogs", "true standard"},
		{"a page that does not want to be left", "/unload", "still here"},
		{"a page that is never quiet", "/restless", "never quiet"},
		{"popups are closed", "/popups", "opener"},
		{"an image that never comes", "/hanging", "image missing"},
		{"a page that leaves while it is looked at", "/leaving", "second"},
		{"a page that reloads for ever", "/wander", "wandering"},
		{"a stream that stays open", "/stream", "streaming"},
		{"many frames", "/frames", "second"},
		{"a page that broke its own DOM", "/hostile", "spoiled"},
		{"a page that sets off a download", "/download", "stays"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			got, err := shared.Render(ctx, Request{URL: site.URL + tc.path})
			if err != nil {
				t.Fatalf("render: %v", err)
			}
			if !strings.Contains(got.HTML, tc.want) {
				t.Errorf("HTML = %.500s, want %q in it", got.HTML, tc.want)
			}
		})
	}
}

func TestPageThatEatsMemoryIsEnded(t *testing.T) {
	t.Parallel()
	site := serve(t, map[string]string{
		"/bomb": `<p>x</p><script>const kept = []; const eat = () => { kept.push(new Uint8Array(16 << 20).fill(1)); setTimeout(eat) }; eat()</script>`,
		"/fine": `<p>fine</p>`,
	})
	p := openPool(t, func(o *Options) { o.PageMemory = 300 << 20 })
	_, err := render(t, p, Request{URL: site.URL + "/bomb", WaitFor: 20 * time.Second})
	got := wantError(t, err, trawl.SiteFailed, "SCRAPE_SITE_ERROR")
	if code := got.Details.(map[string]any)["browserErrorCode"]; code != "ERR_OUT_OF_MEMORY" {
		t.Errorf("browserErrorCode = %v, want ERR_OUT_OF_MEMORY", code)
	}
	if got := mustRender(t, p, Request{URL: site.URL + "/fine"}); !strings.Contains(got.HTML, "fine") {
		t.Errorf("the next page = %s", got.HTML)
	}
	if s := p.Stats(); s.Started != 1 {
		t.Errorf("%d browsers were started; one page should not cost the browser", s.Started)
	}
}

func TestNothingIsSharedBetweenRenders(t *testing.T) {
	t.Parallel()
	site := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Set-Cookie", "seen=1; Path=/")
		fmt.Fprintf(w, `<p>cookie: %q</p><script>document.write('stored: ' + localStorage.getItem('k')); localStorage.setItem('k', 'v')</script>`, r.Header.Get("Cookie"))
	})
	for range 3 {
		got := mustRender(t, shared, Request{URL: site.URL})
		if !strings.Contains(got.HTML, `cookie: ""`) || !strings.Contains(got.HTML, "stored: null") {
			t.Errorf("HTML = %s, want no trace of an earlier render", got.HTML)
		}
	}
}
