package browser

import (
	"context"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trawlhq/trawl"
)

// inside is a server nothing may reach. It counts connections, not requests:
// the guard must refuse before the first packet.
type inside struct {
	*httptest.Server
	connections atomic.Int64
}

func serveInside(t *testing.T) *inside {
	t.Helper()
	in := &inside{}
	in.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		fmt.Fprint(w, "the secret")
	}))
	in.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			in.connections.Add(1)
		}
	}
	in.Start()
	t.Cleanup(in.Close)
	return in
}

// refusePort is a guarded dialer in small: one port is a private network.
func refusePort(forbidden string) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		if _, port, err := net.SplitHostPort(addr); err != nil || port == forbidden {
			return nil, trawl.Errorf(trawl.Forbidden, "Forbidden").WithCode("PRIVATE_ADDRESS_BLOCKED")
		}
		return new(net.Dialer).DialContext(ctx, network, addr)
	}
}

func TestNothingAPageDoesReachesTheInside(t *testing.T) {
	t.Parallel()
	in := serveInside(t)
	inURL, err := url.Parse(in.URL)
	if err != nil {
		t.Fatal(err)
	}
	port := inURL.Port()
	p := openPool(t, func(o *Options) { o.Dial = refusePort(port) })
	say := `.then(x => document.title = 'reached ' + x, e => document.title = 'failed')`
	site := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/redirect" {
			http.Redirect(w, r, in.URL, http.StatusFound)
			return
		}
		if r.URL.Path == "/worker.js" {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprintf(w, `fetch('%s').then(r => r.text()).then(s => postMessage(s), e => postMessage('failed'))`, in.URL)
			return
		}
		if r.URL.Path == "/sw.js" {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprintf(w, `self.addEventListener('install', e => e.waitUntil(fetch('%s').catch(() => 0)));`, in.URL)
			return
		}
		pages := map[string]string{
			"/fetch":      `<script>fetch('` + in.URL + `').then(r => r.text())` + say + `</script>`,
			"/localhost":  `<script>fetch('http://localhost:` + port + `').then(r => r.text())` + say + `</script>`,
			"/ipv6":       `<script>fetch('http://[::1]:` + port + `').then(r => r.text())` + say + `</script>`,
			"/https":      `<script>fetch('https://127.0.0.1:` + port + `').then(r => r.text())` + say + `</script>`,
			"/redirected": `<script>fetch('/redirect', {mode: 'no-cors'}).then(r => r.text())` + say + `</script>`,
			"/img":        `<img src="` + in.URL + `/x.png" onerror="document.title='failed'" onload="document.title='reached'">`,
			"/iframe":     `<iframe src="` + in.URL + `" width=300 height=300></iframe><script>document.title='failed'</script>`,
			"/css":        `<link rel=stylesheet href="` + in.URL + `/x.css" onerror="document.title='failed'">`,
			"/prefetch":   `<link rel=preconnect href="` + in.URL + `"><link rel=dns-prefetch href="` + in.URL + `"><link rel=prefetch href="` + in.URL + `"><script>document.title='failed'</script>`,
			"/beacon":     `<script>navigator.sendBeacon('` + in.URL + `', 'x'); document.title='failed'</script>`,
			"/websocket":  `<script>const s = new WebSocket('ws://127.0.0.1:` + port + `'); s.onopen = () => document.title='reached'; s.onerror = () => document.title='failed'</script>`,
			"/worker":     `<script>new Worker('/worker.js').onmessage = e => document.title = e.data</script>`,
			"/sw":         `<script>navigator.serviceWorker.register('/sw.js').then(r => navigator.serviceWorker.ready).then(() => document.title='failed', e => document.title = 'failed')</script>`,
			"/popup":      `<script>window.open('` + in.URL + `'); document.title='failed'</script>`,
			"/form":       `<form id=f action="` + in.URL + `" target=x method=post></form><iframe name=x></iframe><script>f.submit(); document.title='failed'</script>`,
			"/rtc": `<script>const c = new RTCPeerConnection({iceServers: [{urls: 'turn:127.0.0.1:` + port + `?transport=tcp', username: 'u', credential: 'p'}]});
				c.createDataChannel('x'); c.createOffer().then(o => c.setLocalDescription(o)).then(() => new Promise(r => setTimeout(r, 700))).then(() => document.title = 'failed')</script>`,
		}
		fmt.Fprint(w, pages[r.URL.Path])
	})
	for _, path := range []string{
		"/fetch", "/localhost", "/ipv6", "/https", "/redirected", "/img", "/iframe", "/css", "/prefetch", "/beacon",
		"/websocket", "/worker", "/sw", "/popup", "/form", "/rtc",
	} {
		t.Run(strings.TrimPrefix(path, "/"), func(t *testing.T) {
			t.Parallel()
			got := mustRender(t, p, Request{URL: site.URL + path, Actions: []Action{
				{Type: "executeJavascript", Script: waitForTitle},
			}})
			if title := string(got.Actions.JavascriptReturns[0].Value); title != `"failed"` {
				t.Errorf("the page says %s", title)
			}
			if strings.Contains(got.HTML, "the secret") {
				t.Error("the page has read the inside")
			}
		})
	}
	t.Cleanup(func() { // after the parallel ones
		if n := in.connections.Load(); n != 0 {
			t.Errorf("%d connections reached the inside", n)
		}
	})
}

func TestWhatIsAllowedIsReached(t *testing.T) {
	t.Parallel()
	other := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		if key := r.Header.Get("Sec-WebSocket-Key"); key != "" {
			sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
			hangUp(w, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "+
				base64.StdEncoding.EncodeToString(sum[:])+"\r\n\r\n", -1)
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		fmt.Fprint(w, "there")
	})
	pages := map[string]string{
		"/fetch":     `<script>fetch('%s').then(r => r.text()).then(s => document.title = s)</script>`,
		"/worker":    `<script>const w = new Worker(URL.createObjectURL(new Blob(["fetch('%s').then(r => r.text()).then(s => postMessage(s))"]))); w.onmessage = e => document.title = e.data</script>`,
		"/websocket": `<script>const s = new WebSocket('%s'.replace('http', 'ws')); s.onopen = () => document.title = 'there'</script>`,
		"/blob":      `<script>fetch(URL.createObjectURL(new Blob(['there']))).then(r => r.text()).then(s => document.title = s) // %s</script>`,
	}
	for path, page := range pages {
		pages[path] = fmt.Sprintf(page, other.URL)
	}
	site := serve(t, pages)
	for path := range pages {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			got := mustRender(t, shared, Request{URL: site.URL + path, Actions: []Action{{Type: "executeJavascript", Script: waitForTitle}}})
			if title := string(got.Actions.JavascriptReturns[0].Value); title != `"there"` {
				t.Errorf("the page says %s", title)
			}
		})
	}
}

// waitForTitle gives the title once the page has set one.
const waitForTitle = `new Promise(r => { const look = () => document.title ? r(document.title) : setTimeout(look, 20); look() })`

func TestForbiddenMainDocumentIsSaidToBe(t *testing.T) {
	t.Parallel()
	in := serveInside(t)
	u, err := url.Parse(in.URL)
	if err != nil {
		t.Fatal(err)
	}
	p := openPool(t, func(o *Options) {
		o.Dial = refusePort(u.Port())
		o.CheckURL = func(u *url.URL) error {
			if u.Hostname() == "blocked.test" {
				return trawl.Errorf(trawl.Forbidden, "Forbidden").WithCode("UNSUPPORTED_SITE")
			}
			return nil
		}
	})
	site := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/redirect":
			http.Redirect(w, r, in.URL, http.StatusFound)
		case "/redirect-tls":
			http.Redirect(w, r, "https://127.0.0.1:"+u.Port(), http.StatusFound)
		case "/redirect-blocked":
			http.Redirect(w, r, "http://blocked.test/", http.StatusFound)
		case "/script":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<script>location = '%s'</script>`, in.URL)
		}
	})
	for _, tc := range []struct{ name, url, code string }{
		{"asked for directly", in.URL, "PRIVATE_ADDRESS_BLOCKED"},
		{"asked for over TLS", "https://127.0.0.1:" + u.Port(), "PRIVATE_ADDRESS_BLOCKED"},
		{"behind a redirect", site.URL + "/redirect", "PRIVATE_ADDRESS_BLOCKED"},
		{"behind a redirect to TLS", site.URL + "/redirect-tls", "PRIVATE_ADDRESS_BLOCKED"},
		{"where a script leads", site.URL + "/script", "PRIVATE_ADDRESS_BLOCKED"},
		{"a blocked host", "http://blocked.test/", "UNSUPPORTED_SITE"},
		{"a redirect to a blocked host", site.URL + "/redirect-blocked", "UNSUPPORTED_SITE"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := render(t, p, Request{URL: tc.url})
			wantError(t, err, trawl.Forbidden, tc.code)
		})
	}
	t.Cleanup(func() {
		if n := in.connections.Load(); n != 0 {
			t.Errorf("%d connections reached the inside", n)
		}
	})
}

func TestOnlyWebAddressesAreOpened(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"file:///etc/passwd", "chrome://version", "view-source:http://a.test/", "ftp://a.test/", "javascript:alert(1)",
		"data:text/html,x", "about:blank", "//a.test", "a.test", "",
	} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			_, err := render(t, shared, Request{URL: address})
			wantError(t, err, trawl.Invalid, "")
		})
	}
}

func TestPageCannotLeadToLocalFiles(t *testing.T) {
	t.Parallel()
	site := serve(t, map[string]string{
		"/": `<p>here</p><iframe src="file:///etc/passwd" width=300 height=300></iframe><script>
			for (const u of ['file:///etc/passwd', 'chrome://version', 'view-source:' + location.href]) { try { location = u } catch {} }
			try { window.open('file:///etc/passwd') } catch {}</script>`,
	})
	got := mustRender(t, shared, Request{URL: site.URL})
	if !strings.Contains(got.HTML, "<p>here</p>") || strings.Contains(got.HTML, "root:") || got.URL != site.URL+"/" {
		t.Errorf("got %s %s", got.URL, got.HTML)
	}
}
