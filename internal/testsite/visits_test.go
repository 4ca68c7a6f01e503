package testsite_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/testsite"
)

// visitor follows redirects and keeps cookies, as a browser would.
func visitor(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar}
}

func TestVisitsEndWhereTheyShould(t *testing.T) {
	t.Parallel()
	s := testsite.New(t)
	for _, tc := range []struct {
		name, path, end, want string
	}{
		{"chain of nine", "/redirect/chain/9", "/redirect/end", "You have arrived"},
		{"chain to an address given", "/redirect/chain/2?to=/read/short", "/read/short", "Closed on Monday"},
		{"permanent redirect", "/redirect/to?url=/redirect/end&status=308", "/redirect/end", "You have arrived"},
		{"relative location", "/redirect/relative", "/redirect/end", "You have arrived"},
		{"cookies across redirects", "/cookies/set", "/cookies/show", "<li>first=one</li><li>second=two</li><li>step=three</li>"},
		{"cookie wall", "/cookies/wall", "/cookies/wall", "The cookie came back"},
		{"account without a login", "/act/account", "/act/login", "Log in"},
		{"chain into the other host", s.Origin("graph") + "/away", "/welcome", "other /welcome"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			address := tc.path
			if strings.HasPrefix(address, "/") {
				address = s.URL + address
			}
			resp, err := visitor(t).Get(address)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = resp.Body.Close() }()
			body, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			if resp.Request.URL.Path != tc.end || !strings.Contains(string(body), tc.want) {
				t.Errorf("%s ends at %s with %.300s, want %s with %s", tc.path, resp.Request.URL.Path, body, tc.end, tc.want)
			}
		})
	}
}

func TestLoginLetsTheKeeperIn(t *testing.T) {
	t.Parallel()
	s := testsite.New(t)
	for password, end := range map[string]string{"lantern": "/act/account", "wrong": "/act/login"} {
		resp, err := visitor(t).PostForm(s.URL+"/act/login", url.Values{"user": {"keeper"}, "password": {password}})
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close() // only where it led counts
		if resp.Request.URL.Path != end {
			t.Errorf("login with %s ends at %s, want %s", password, resp.Request.URL.Path, end)
		}
	}
}

func TestConditionalRequestsAreAnsweredWithNotModified(t *testing.T) {
	t.Parallel()
	s := testsite.New(t)
	for path, headers := range map[string][2]string{
		"/cache/etag":     {"Etag", "If-None-Match"},
		"/cache/modified": {"Last-Modified", "If-Modified-Since"},
	} {
		first, _ := get(t, s.URL+path)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(headers[1], first.Header.Get(headers[0]))
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close() // has none
		if first.StatusCode != http.StatusOK || resp.StatusCode != http.StatusNotModified {
			t.Errorf("GET %s = %d, then %d; want 200, then 304", path, first.StatusCode, resp.StatusCode)
		}
	}
}
