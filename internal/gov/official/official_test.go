package official

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// office is a local server that speaks the lists and formats of the sources.
type office struct {
	*httptest.Server
	mu       sync.Mutex
	requests []string
	fail     map[string]int    // path → how many more times it answers 503
	cut      map[string]int    // path → after how many bytes the next answer breaks off
	bodies   map[string]string // path → document
}

func newOffice(t *testing.T, bodies map[string]string) *office {
	t.Helper()
	o := &office{fail: make(map[string]int), cut: make(map[string]int), bodies: bodies}
	o.Server = httptest.NewServer(o)
	t.Cleanup(o.Close)
	return o
}

func (o *office) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	o.requests = append(o.requests, r.URL.Path+" "+r.Header.Get("Range")+r.Header.Get("If-None-Match"))
	body, known := o.bodies[r.URL.Path]
	failing, cut := o.fail[r.URL.Path] > 0, o.cut[r.URL.Path]
	if failing {
		o.fail[r.URL.Path]--
	}
	delete(o.cut, r.URL.Path)
	o.mu.Unlock()
	body = strings.ReplaceAll(body, "{root}", o.URL)
	switch {
	case failing:
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusServiceUnavailable)
	case !known:
		http.NotFound(w, r)
	case cut > 0:
		w.Header().Set("ETag", fmt.Sprintf("%q", tag(body)))
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		_, _ = w.Write([]byte(body[:cut])) // the connection ends too early
	default:
		w.Header().Set("ETag", fmt.Sprintf("%q", tag(body)))
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(body))
	}
}

func tag(body string) string { return fmt.Sprintf("%d-%x", len(body), body[:min(8, len(body))]) }

func (o *office) asked() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	out := o.requests
	o.requests = nil
	return out
}

func (o *office) options(t *testing.T) Options {
	return Options{Client: o.Client(), Dir: t.TempDir(), Root: o.URL, Pause: time.Microsecond,
		now: func() time.Time { return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) }}
}

func zipped(t *testing.T, name, body string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(body)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEverySourceIsListedAndBrought(t *testing.T) {
	for _, tc := range []struct {
		source string
		bodies map[string]string
		want   map[string]string // file → words in it
	}{
		{"ecfr", map[string]string{
			"/api/versioner/v1/titles.json":                 `{"titles":[{"number":7,"latest_issue_date":"2026-02-01"},{"number":35,"reserved":true}]}`,
			"/api/versioner/v1/full/2026-02-01/title-7.xml": `<ECFR><DIV1 N="7"/></ECFR>`,
		}, map[string]string{"title-7.xml": "DIV1"}},
		{"uscode", map[string]string{
			"/download/download.shtml":                                  `<a href="releasepoints/us/pl/119/36/xml_usc01@119-36.zip">XML</a> <a href="releasepoints/us/pl/119/36/htm_usc01@119-36.zip">HTML</a>`,
			"/download/releasepoints/us/pl/119/36/xml_usc01@119-36.zip": "zip bytes",
		}, map[string]string{"usc01.zip": "zip bytes"}},
		{"federal-register", map[string]string{
			"/api/v1/documents.json": `{"results":[{"document_number":"2026-00001","title":"Kites","raw_text_url":"{root}/text/1.txt","html_url":"https://www.federalregister.gov/x"}],"next_page_url":"{root}/page2"}`,
			"/page2":                 `{"results":[{"document_number":"2026-00002","title":"Strings","raw_text_url":"{root}/text/2.txt"}]}`,
			"/text/1.txt":            "Kites may fly.", "/text/2.txt": "Strings hold.",
		}, map[string]string{"2026-00001.txt": "Kites may fly", "2026-00001.json": `"title":"Kites"`, "2026-00002.txt": "Strings hold"}},
		{"courtlistener", map[string]string{
			"/api/rest/v4/opinions/": `{"results":[{"id":77,"resource_uri":"{root}/api/rest/v4/opinions/77/","absolute_url":"/opinion/77/a-v-b/","plain_text":"We hold."}],"next":null}`,
		}, map[string]string{"77.json": "We hold"}},
		{"dc-code", map[string]string{"/repos/DCCouncil/law-xml-codified/zipball": zipped(t, "16-101.xml", "<section/>")}, map[string]string{"law-xml-codified.zip": "16-101.xml"}},
	} {
		t.Run(tc.source, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t, tc.bodies)
			opts := o.options(t)
			dir, p, err := Fetch(context.Background(), tc.source, opts)
			if err != nil {
				t.Fatal(err)
			}
			for name, words := range tc.want {
				body, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil || !strings.Contains(string(body), words) {
					t.Errorf("%s = %q, %v; want %q in it", name, body, err, words)
				}
			}
			if p.Done == 0 || p.Bytes == 0 {
				t.Errorf("progress = %+v", p)
			}
			_, again, err := Fetch(context.Background(), tc.source, opts)
			if err != nil || again.Same != again.Done || again.Bytes != 0 {
				t.Errorf("second run = %+v, %v; want everything unchanged", again, err)
			}
		})
	}
}

func TestBrokenDownloadIsGoneOnWith(t *testing.T) {
	text := strings.Repeat("A long document about kites. ", 400)
	o := newOffice(t, map[string]string{
		"/api/versioner/v1/titles.json":                 `{"titles":[{"number":1,"latest_issue_date":"2026-02-01"}]}`,
		"/api/versioner/v1/full/2026-02-01/title-1.xml": text,
	})
	opts := o.options(t)
	o.cut["/api/versioner/v1/full/2026-02-01/title-1.xml"] = 5000
	if _, _, err := Fetch(context.Background(), "ecfr", opts); err == nil {
		t.Fatal("a download that broke off was taken for whole")
	}
	o.asked()
	dir, _, err := Fetch(context.Background(), "ecfr", opts)
	if err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile(filepath.Join(dir, "title-1.xml"))
	if err != nil || string(body) != text {
		t.Fatalf("file has %d bytes, want %d (%v)", len(body), len(text), err)
	}
	if asked := strings.Join(o.asked(), "\n"); !strings.Contains(asked, "bytes=5000-") {
		t.Errorf("asked for the whole again: %s", asked)
	}
}

func TestBusyPublisherIsGivenTime(t *testing.T) {
	const list = "/api/versioner/v1/titles.json"
	for _, tc := range []struct {
		name  string
		fails int
		ok    bool
	}{{"twice busy", 2, true}, {"always busy", 99, false}} {
		t.Run(tc.name, func(t *testing.T) {
			o := newOffice(t, map[string]string{list: `{"titles":[]}`})
			o.fail[list] = tc.fails
			opts := o.options(t)
			c := newClient(source{root: o.URL}, opts)
			var waited []time.Duration
			c.wait = func(_ context.Context, d time.Duration) error { waited = append(waited, d); return nil }
			_, err := c.read(context.Background(), list)
			if (err == nil) != tc.ok {
				t.Errorf("read = %v", err)
			}
			if len(waited) == 0 || waited[0] != 7*time.Second {
				t.Errorf("waited %v, want what the publisher asked for", waited)
			}
		})
	}
}

func TestLimitEndsARun(t *testing.T) {
	o := newOffice(t, map[string]string{
		"/api/versioner/v1/titles.json":        `{"titles":[{"number":1,"latest_issue_date":"d"},{"number":2,"latest_issue_date":"d"}]}`,
		"/api/versioner/v1/full/d/title-1.xml": "one", "/api/versioner/v1/full/d/title-2.xml": "two",
	})
	opts := o.options(t)
	opts.Limit = 1
	dir, p, err := Fetch(context.Background(), "ecfr", opts)
	if err != nil || p.Done != 1 {
		t.Fatalf("progress %+v, %v", p, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "title-2.xml")); !errors.Is(err, os.ErrNotExist) {
		t.Error("more was brought than asked for")
	}
}

func TestUnknownSourceAndMissingFileAreErrors(t *testing.T) {
	if _, _, err := Fetch(context.Background(), "atlantis", Options{Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "ecfr") {
		t.Errorf("unknown source: %v, want an error that names the known ones", err)
	}
	if _, _, err := Fetch(context.Background(), "ecfr", Options{Dir: t.TempDir()}); err == nil {
		t.Error("a run without a client went on")
	}
	o := newOffice(t, nil)
	if _, _, err := Fetch(context.Background(), "ecfr", o.options(t)); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("missing list: %v", err)
	}
}

func TestCancelledRunStops(t *testing.T) {
	o := newOffice(t, map[string]string{"/api/versioner/v1/titles.json": `{"titles":[{"number":1,"latest_issue_date":"d"}]}`})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Fetch(ctx, "ecfr", o.options(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("Fetch = %v, want context.Canceled", err)
	}
}
