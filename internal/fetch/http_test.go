package fetch

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/netguard"
)

func guardFor(t testing.TB, setting string) *netguard.Guard {
	t.Helper()
	policy, err := netguard.ParsePolicy(setting)
	if err != nil {
		t.Fatal(err)
	}
	return netguard.New(policy, netguard.Options{})
}

func engine(t testing.TB) *HTTP {
	t.Helper()
	f := NewHTTP(guardFor(t, "true"), nil)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func serve(t testing.TB, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func request(t testing.TB, address string) Request {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return Request{URL: u}
}

func failure(t *testing.T, err error) (*trawl.Error, Details) {
	t.Helper()
	d, e, ok := detailsOf(err)
	if !ok {
		t.Fatalf("error %v is not ours", err)
	}
	return e, d
}

func TestPageArrivesAsSent(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
		w.Header().Set("X-Seen", r.Header.Get("User-Agent"))
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte("caf\xe9\x00"))
	})
	page, err := engine(t).Fetch(t.Context(), request(t, address+"/a?b=1#c"))
	if err != nil {
		t.Fatal(err)
	}
	if page.Status != 404 || page.Reason != "Not Found" || string(page.Body) != "caf\xe9\x00" || page.ContentType != "text/html; charset=iso-8859-1" {
		t.Errorf("page = %d %q %q %q", page.Status, page.Reason, page.Body, page.ContentType)
	}
	if page.URL != address+"/a?b=1#c" || page.Engine != EngineHTTP || page.ProxyUsed != ProxyBasic || page.FetchedAt.IsZero() {
		t.Errorf("page = %+v", page)
	}
	if len(page.Attempts) != 1 || page.Attempts[0].Status != 404 || !strings.Contains(page.Header.Get("X-Seen"), "Mozilla") {
		t.Errorf("attempts %+v, header %v", page.Attempts, page.Header)
	}
}

func TestBodiesAreDecoded(t *testing.T) {
	text := strings.Repeat("All the encodings of the web. ", 500)
	pack := func(w func(io.Writer) io.WriteCloser) []byte {
		var b bytes.Buffer
		z := w(&b)
		_, _ = io.WriteString(z, text)
		_ = z.Close()
		return b.Bytes()
	}
	gz := pack(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
	for _, tc := range []struct {
		name, encoding string
		body           []byte
	}{
		{"plain", "", []byte(text)},
		{"identity", "identity", []byte(text)},
		{"gzip", "gzip", gz},
		{"x-gzip", "X-GZIP", gz},
		{"brotli", "br", pack(func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) })},
		{"zstd", "zstd", pack(func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z })},
		{"deflate as zlib", "deflate", pack(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })},
		{"deflate bare", "deflate", pack(func(w io.Writer) io.WriteCloser { z, _ := flate.NewWriter(w, 5); return z })},
		{"brotli over gzip", "gzip, br", pack2(gz)},
		{"announced gzip, sent plain", "gzip", []byte(text)},
		{"announced zstd, sent plain", "zstd", []byte(text)},
		{"a charset where the encoding belongs", "utf-8", []byte(text)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			address := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if tc.encoding != "" {
					w.Header().Set("Content-Encoding", tc.encoding)
				}
				_, _ = w.Write(tc.body)
			})
			f := engine(t)
			for range 3 { // decoders are used again
				page, err := f.Fetch(t.Context(), request(t, address))
				if err != nil {
					t.Fatal(err)
				}
				if string(page.Body) != text {
					t.Fatalf("body of %d bytes differs from the text", len(page.Body))
				}
			}
		})
	}
}

func pack2(gz []byte) []byte {
	var b bytes.Buffer
	z := brotli.NewWriter(&b)
	_, _ = z.Write(gz)
	_ = z.Close()
	return b.Bytes()
}

// raw answers every connection with these bytes and then does as told.
func raw(t *testing.T, answer string, then func(*net.TCPConn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				buf := make([]byte, 4096)
				_, _ = conn.Read(buf)
				_, _ = io.WriteString(conn, answer)
				if tcp, ok := conn.(*net.TCPConn); ok && then != nil {
					then(tcp)
				}
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

func reset(c *net.TCPConn) { _ = c.SetLinger(0) }

func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}

func bomb(t *testing.T, encoding string) string {
	t.Helper()
	var b bytes.Buffer
	var z io.WriteCloser
	switch encoding {
	case "gzip":
		z = gzip.NewWriter(&b)
	case "br":
		z = brotli.NewWriter(&b)
	case "zstd":
		z, _ = zstd.NewWriter(&b)
	}
	zeros := make([]byte, 1<<20)
	for range 8 {
		_, _ = z.Write(zeros)
	}
	_ = z.Close()
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", encoding)
		_, _ = w.Write(b.Bytes())
	})
}

func TestBadSitesGiveTheirCode(t *testing.T) {
	endless := serve(t, func(w http.ResponseWriter, r *http.Request) {
		block := bytes.Repeat([]byte("x"), 32<<10)
		for r.Context().Err() == nil {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	slow := serve(t, func(w http.ResponseWriter, r *http.Request) {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-r.Context().Done():
				return
			case <-tick.C:
				_, _ = w.Write([]byte("x"))
				_ = http.NewResponseController(w).Flush()
			}
		}
	})
	silent := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	loop := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) })
	chain := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path+"x", http.StatusFound) })
	to := func(location string) string {
		return serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", location)
			w.WriteHeader(http.StatusFound)
		})
	}
	broken := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03this is no gzip"))
	})
	for _, tc := range []struct {
		name, address string
		kind          trawl.Kind
		code, net     string
	}{
		{"no such host", "http://nowhere.invalid/", trawl.Unresolved, "SCRAPE_DNS_RESOLUTION_ERROR", ""},
		{"metadata address", "http://169.254.169.254/", trawl.Forbidden, "PRIVATE_ADDRESS_BLOCKED", ""},
		{"redirect to a metadata address", to("http://169.254.169.254/latest/"), trawl.Forbidden, "PRIVATE_ADDRESS_BLOCKED", ""},
		{"redirect to a file", to("file:///etc/passwd"), trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_UNSAFE_REDIRECT"},
		{"redirect to nonsense", to("http://[::bad/"), trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_INVALID_REDIRECT"},
		{"redirect to nowhere", to("http://nowhere.invalid/"), trawl.Unresolved, "SCRAPE_DNS_RESOLUTION_ERROR", ""},
		{"closed port", closedPort(t), trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_CONNECTION_REFUSED"},
		{"reset before the answer", raw(t, "", reset), trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_CONNECTION_RESET"},
		{"closed before the answer", raw(t, "", nil), trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_EMPTY_RESPONSE"},
		{"reset in the body", raw(t, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nhalf", waitThenReset), trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_CONNECTION_RESET"},
		{"less than announced", raw(t, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", nil), trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_CONTENT_LENGTH_MISMATCH"},
		{"chunks broken off", raw(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", nil), trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_INCOMPLETE_CHUNKED_ENCODING"},
		{"chunks that are none", raw(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n", nil), trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_INVALID_CHUNKED_ENCODING"},
		{"not HTTP", raw(t, "SSH-2.0-OpenSSH_9.2\r\n", nil), trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_INVALID_HTTP_RESPONSE"},
		{"headers without end", raw(t, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 2<<20), nil), trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_RESPONSE_HEADERS_TOO_BIG"},
		{"endless body", endless, trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_FILE_TOO_BIG"},
		{"gzip bomb", bomb(t, "gzip"), trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_FILE_TOO_BIG"},
		{"brotli bomb", bomb(t, "br"), trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_FILE_TOO_BIG"},
		{"zstd bomb", bomb(t, "zstd"), trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_FILE_TOO_BIG"},
		{"broken gzip", broken, trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_CONTENT_DECODING_FAILED"},
		{"redirect loop", loop, trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_TOO_MANY_REDIRECTS"},
		{"redirect chain", chain + "/", trawl.SiteFailed, "SCRAPE_SITE_ERROR", "ERR_TOO_MANY_REDIRECTS"},
		{"a few bytes a second", slow, trawl.TimedOut, "SCRAPE_TIMEOUT", ""},
		{"no answer", silent, trawl.TimedOut, "SCRAPE_TIMEOUT", ""},
		{"TLS on a plain port", strings.Replace(loop, "http:", "https:", 1), trawl.SiteFailed, "SCRAPE_SSL_ERROR", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			within := time.Minute
			if tc.code == "SCRAPE_TIMEOUT" {
				within = 300 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), within)
			defer cancel()
			r := request(t, tc.address)
			r.MaxBytes = 1 << 20
			page, err := engine(t).Fetch(ctx, r)
			if err == nil {
				t.Fatalf("page %d of %d bytes, want %s", page.Status, len(page.Body), tc.code)
			}
			e, d := failure(t, err)
			if e.Kind != tc.kind || e.Code != tc.code || d.BrowserErrorCode != tc.net {
				t.Errorf("error %d %s %s (%v), want %d %s %s", e.Kind, e.Code, d.BrowserErrorCode, err, tc.kind, tc.code, tc.net)
			}
			if len(d.Attempts) != 1 || d.Attempts[0].Reason == "" || d.Attempts[0].Engine != EngineHTTP {
				t.Errorf("attempts = %+v, want one with its reason", d.Attempts)
			}
		})
	}
}

// waitThenReset gives the client time to read the head, then cuts the line.
func waitThenReset(c *net.TCPConn) {
	_ = c.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	_, _ = c.Read(make([]byte, 1))
	reset(c)
}

func TestCallerWhoLeavesGetsTheirOwnError(t *testing.T) {
	arrived := make(chan struct{})
	address := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	if _, err := engine(t).Fetch(ctx, request(t, address)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func TestCopyStillGoodIsNotSentAgain(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, "fresh")
	})
	r := request(t, address)
	for _, tc := range []struct {
		etag        string
		notModified bool
		body        string
	}{{`"1"`, true, ""}, {`"2"`, false, "fresh"}} {
		r.Conditional = Conditional{ETag: tc.etag}
		page, err := engine(t).Fetch(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if page.NotModified != tc.notModified || string(page.Body) != tc.body {
			t.Errorf("with %s: not modified %v, body %q", tc.etag, page.NotModified, page.Body)
		}
	}
}

func TestConnectionsAreUsedAgain(t *testing.T) {
	var opened atomic.Int32
	site := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/", http.StatusFound)
			return
		}
		fmt.Fprint(w, strings.Repeat("page ", 10_000))
	}))
	site.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened.Add(1)
		}
	}
	site.Start()
	defer site.Close()
	f := engine(t)
	for range 10 {
		for _, path := range []string{"/", "/moved"} {
			if _, err := f.Fetch(t.Context(), request(t, site.URL+path)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := opened.Load(); n != 1 {
		t.Errorf("30 requests opened %d connections, want 1", n)
	}
}

func TestRedirectDoesNotWaitForItsBody(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/moved" {
			fmt.Fprint(w, "there")
			return
		}
		w.Header().Set("Location", "/")
		w.WriteHeader(http.StatusFound)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done() // a body that never comes
	})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	page, err := engine(t).Fetch(ctx, request(t, address+"/moved"))
	if err != nil || string(page.Body) != "there" {
		t.Errorf("page %v, error %v", page, err)
	}
}

func TestBodyIsCutWhereThatIsAsked(t *testing.T) {
	r := request(t, serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "0123456789") }))
	r.MaxBytes, r.CutBody = 4, true
	page, err := engine(t).Fetch(t.Context(), r)
	if err != nil || string(page.Body) != "0123" {
		t.Errorf("page %v, error %v", page, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("gzip", []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"))
	f.Add("br, gzip", []byte("x"))
	f.Add("deflate", []byte("\x78\x9c\x03\x00"))
	f.Add("zstd", []byte("\x28\xb5\x2f\xfd\x00\x00"))
	bodies := newBodyReader()
	f.Fuzz(func(t *testing.T, encoding string, body []byte) {
		res := &http.Response{Header: http.Header{"Content-Encoding": {encoding}}, Body: io.NopCloser(bytes.NewReader(body))}
		got, err := bodies.read(t.Context(), res, Request{MaxBytes: 1 << 16})
		if err == nil && len(got) > 1<<16 {
			t.Errorf("%d bytes came through a cap of %d", len(got), 1<<16)
		}
	})
}
