package testsite_test

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl/internal/testsite"
)

// get fetches without following redirects, so that a page is seen as it is.
func get(t *testing.T, address string) (*http.Response, string) {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("read %s: %v", address, err)
	}
	return resp, string(body)
}

func TestPagesSayWhatTheyAre(t *testing.T) {
	t.Parallel()
	s := testsite.New(t)
	for _, tc := range []struct {
		name, path string
		status     int
		want       string
	}{
		{"article has its text", "/read/article", 200, "A compromise in brass"},
		{"table is as long as asked", "/read/table?rows=3", 200, "Alloy 3<"},
		{"empty page is empty", "/read/empty", 200, ""},
		{"JSON", "/kinds/json", 200, `"tide":"high"`},
		{"Cyrillic bytes are not UTF-8", "/charset/windows-1251", 200, "\xd7\xe0\xf1\xfb"},
		{"NUL bytes are kept", "/charset/nul", 200, "Before\x00after"},
		{"status by number", "/status/410", 410, "410 Gone"},
		{"status that is no number", "/status/many", 400, "must be a number"},
		{"chain counts down", "/redirect/chain/3", 302, ""},
		{"board shows its first version", "/board/ferry", 200, "leaves at eight"},
		{"deep nesting is as deep as asked", "/huge/deep?levels=7", 200, strings.Repeat("<div>", 7) + "<p>"},
		{"target stands in the script", "/reach/fetch?target=http://127.0.0.3:9/", 200, `127.0.0.3:9`},
		{"challenge has its status", "/challenge/interstitial", 403, "Just a moment"},
		{"front page lists the pages", "/", 200, "/challenge/interstitial"},
		{"control describes the site", "/_site", 200, `"origins"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			resp, body := get(t, s.URL+tc.path)
			if resp.StatusCode != tc.status || !strings.Contains(body, tc.want) {
				t.Errorf("GET %s = %d %.200q, want %d with %q", tc.path, resp.StatusCode, body, tc.status, tc.want)
			}
		})
	}
}

// brokenOnPurpose names what cannot be read to its end by an ordinary client.
func brokenOnPurpose(path string) bool {
	for _, prefix := range []string{"/fault/", "/lie/length-", "/slow/", "/endless/", "/bomb/", "/encoded/gzip-", "/redirect/broken"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

func TestEveryPageIsServedAndDescribed(t *testing.T) {
	t.Parallel()
	s := testsite.New(t)
	seen := map[string]bool{}
	for _, p := range s.Pages() {
		if p.About == "" || seen[p.Path] {
			t.Errorf("page %s: About %q, listed before %v; want a line of its own", p.Path, p.About, seen[p.Path])
		}
		seen[p.Path] = true
		if brokenOnPurpose(p.Path) {
			continue
		}
		resp, body := get(t, s.URL+p.Path)
		if resp.StatusCode == http.StatusInternalServerError {
			t.Errorf("GET %s = 500 %s", p.Path, body)
		}
		if resp.StatusCode == http.StatusNotFound && !strings.HasPrefix(p.Path, "/status/") {
			t.Errorf("GET %s = 404, want the page", p.Path)
		}
	}
}

func TestEveryOriginAnswers(t *testing.T) {
	t.Parallel()
	s := testsite.New(t)
	for _, o := range s.Origins() {
		if strings.HasPrefix(o.URL, "https:") {
			continue
		}
		resp, _ := get(t, o.URL+"/")
		if resp.StatusCode != http.StatusOK || o.About == "" {
			t.Errorf("GET %s/ of origin %s (%q) = %d, want 200", o.URL, o.Name, o.About, resp.StatusCode)
		}
	}
}

func TestHitsAreCountedPerAddress(t *testing.T) {
	t.Parallel()
	s := testsite.New(t)
	for _, address := range []string{s.URL + "/counter", s.URL + "/counter?a=1", s.Origin("graph") + "/about"} {
		get(t, address)
	}
	for address, want := range map[string]int{
		"/counter": 2, "/counter?a=1": 1, "/counter?a=2": 0, s.Origin("graph") + "/about": 1, "/about": 0,
		s.Host("any.name") + "/counter": 2,
	} {
		if got := s.Hits(address); got != want {
			t.Errorf("Hits(%s) = %d, want %d", address, got, want)
		}
	}
}

func TestBoardShowsWhatItIsTold(t *testing.T) {
	t.Parallel()
	s := testsite.New(t)
	s.SetBoard("ferry", "<p>No ferry today.</p>")
	if _, body := get(t, s.URL+"/board/ferry"); !strings.Contains(body, "No ferry today.") {
		t.Errorf("board = %s, want the new text", body)
	}
	if _, err := http.PostForm(s.URL+"/_site/board/ferry", url.Values{"content": {""}}); err != nil {
		t.Fatal(err)
	}
	if resp, _ := get(t, s.URL+"/board/ferry"); resp.StatusCode != http.StatusNotFound {
		t.Errorf("board that was taken down = %d, want 404", resp.StatusCode)
	}
}

func TestInsideCountsConnections(t *testing.T) {
	t.Parallel()
	s := testsite.New(t)
	if n := s.Inside.Connections(); n != 0 {
		t.Fatalf("connections before any = %d", n)
	}
	get(t, s.Inside.URL)
	want := 1
	if s.Inside.URL6 != "" {
		get(t, s.Inside.URL6)
		want = 2
	}
	if n := s.Inside.Connections(); n != want {
		t.Errorf("connections = %d, want %d", n, want)
	}
	conn, err := net.Dial("udp", strings.TrimPrefix(s.Inside.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte("datagram")); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Second); s.Inside.Connections() == want; {
		if time.Now().After(deadline) {
			t.Fatal("the datagram was not counted")
		}
		runtime.Gosched()
	}
}
