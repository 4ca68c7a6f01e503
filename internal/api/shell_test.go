package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/api"
)

func TestAnyOriginMayAsk(t *testing.T) {
	d := open(t, doorOptions{})
	got := d.call(t, "OPTIONS", "/v2/scrape", "", "Origin", "https://a.test", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization, x-own")
	if got.status != 200 || got.header.Get("Access-Control-Allow-Origin") != "*" || got.header.Get("Access-Control-Allow-Headers") != "authorization, x-own" {
		t.Errorf("preflight: %d %v", got.status, got.header)
	}
}

func TestRequestIDIsEchoedWhenSane(t *testing.T) {
	d := open(t, doorOptions{})
	for sent, echoed := range map[string]bool{"abc-1 2": true, strings.Repeat("x", 129): false, "": false, "caf\u00e9": false} {
		got := d.call(t, "GET", "/healthz", "", "X-Request-Id", sent).header.Get("X-Request-Id")
		if (got == sent) != echoed || got == "" {
			t.Errorf("sent %q, got %q", sent, got)
		}
	}
}

func TestReadyzNamesThePartThatFails(t *testing.T) {
	d := open(t, doorOptions{change: func(o *api.Options) {
		o.Checks = []api.Check{
			{Name: "database", Verify: func(context.Context) (string, error) { return "sqlite", nil }},
			{Name: "blobs", Verify: func(context.Context) (string, error) { return "", errors.New("disk is full") }},
		}
	}})
	got := d.call(t, "GET", "/readyz", "")
	if got.status != 503 || !strings.Contains(got.body, `"blobs":{"ok":false,"error":"disk is full"}`) || !strings.Contains(got.body, `"database":{"ok":true`) {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestForwardedHeadersCountOnlyFromTrustedProxies(t *testing.T) {
	for _, tc := range []struct {
		name    string
		trusted []netip.Prefix
		public  string
		want    string
	}{
		{"stranger", nil, "", "http://127.0.0.1:"},
		{"trusted proxy", []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, "", "https://api.example.com"},
		{"public URL wins", []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, "https://trawl.example.org/", "https://trawl.example.org"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := open(t, doorOptions{change: func(o *api.Options) { o.TrustedProxies, o.PublicURL = tc.trusted, tc.public }})
			got := d.call(t, "GET", "/.well-known/oauth-protected-resource", "", "X-Forwarded-Proto", "https", "X-Forwarded-Host", "api.example.com")
			var doc struct {
				Resource string `json:"resource"`
			}
			if err := json.Unmarshal([]byte(got.body), &doc); err != nil || !strings.HasPrefix(doc.Resource, tc.want) {
				t.Errorf("resource %q, want it to start with %q", doc.Resource, tc.want)
			}
		})
	}
}

func TestKeylessCallersHaveTheirOwnBudget(t *testing.T) {
	keyless := access.Keyless{Operations: map[string]bool{"scrape": true}, RequestsPerDay: 2, CreditsPerDay: 100}
	d := open(t, doorOptions{
		access: access.Options{Keyless: keyless},
		change: func(o *api.Options) { o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} },
	})
	from := func(ip string) answer {
		return d.call(t, "POST", "/v2/scrape", `{"url":"a.test"}`, "X-Forwarded-For", ip)
	}
	for range 2 {
		if got := from("203.0.113.7"); got.status != 200 {
			t.Fatalf("stranger: %d %s", got.status, got.body)
		}
	}
	got := from("203.0.113.7")
	if got.status != 429 || got.header.Get("Retry-After") == "" || got.header.Get("WWW-Authenticate") == "" ||
		!strings.Contains(got.body, `"reason":"requests"`) || !strings.Contains(got.body, `"retry_after_seconds":43190`) {
		t.Errorf("third: %d %s", got.status, got.body)
	}
	if got := from("203.0.113.8"); got.status != 200 {
		t.Errorf("another stranger: %d", got.status)
	}
	if a, b := from("2001:db8::1").status, from("2001:db8::2").status; a != 200 || b != 200 || from("2001:db8:0:0:ffff::3").status != 429 {
		t.Error("the 64 bits of an IPv6 network must share one budget")
	}
	if got := d.call(t, "POST", "/v2/scrape", `{"url":"a.test"}`, as("fc-wrong")...); got.status != 401 {
		t.Errorf("a bad key is never taken for none: %d", got.status)
	}
	if got := d.call(t, "GET", "/v2/team", ""); got.status != 401 {
		t.Errorf("operation that is never keyless: %d", got.status)
	}
}

func TestWithoutAuthenticationEverybodyIsTheDefaultTeam(t *testing.T) {
	d := open(t, doorOptions{access: access.Options{Off: true}})
	for _, headers := range [][]string{nil, as("anything at all"), as("fc-wrong")} {
		if got := d.call(t, "GET", "/v2/team", "", headers...); got.status != 200 || !strings.Contains(got.body, `"id":"default"`) {
			t.Errorf("%v: %d %s", headers, got.status, got.body)
		}
	}
}

func TestCallerWhoLeavesEndsTheWork(t *testing.T) {
	began, ended := make(chan struct{}), make(chan struct{})
	d := open(t, doorOptions{scraper: scraperFunc(func(ctx context.Context, _ trawl.ScrapeRequest) (*trawl.Document, error) {
		close(began)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	})})
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		<-began
		leave()
	}()
	req := newRequest(t, ctx, d.URL+"/v2/scrape", `{"url":"a.test"}`, d.key)
	if res, err := d.Client().Do(req); err == nil {
		_ = res.Body.Close()
		t.Error("the request should have been given up")
	}
	<-ended
}

func TestDocumentDescribesEveryRoute(t *testing.T) {
	d := open(t, doorOptions{})
	var doc struct {
		OpenAPI string                    `json:"openapi"`
		Paths   map[string]map[string]any `json:"paths"`
	}
	if err := json.Unmarshal([]byte(d.call(t, "GET", "/openapi.json", "").body), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.OpenAPI != "3.1.0" || doc.Paths["/v2/scrape"]["post"] == nil || doc.Paths["/v2/team/api-keys/{id}"]["delete"] == nil {
		t.Errorf("document %+v", doc)
	}
	for path, item := range doc.Paths {
		for method := range item {
			got := d.call(t, strings.ToUpper(method), strings.ReplaceAll(path, "{id}", "x"), "")
			if got.status == 404 {
				t.Errorf("%s %s is documented but not there", method, path)
			}
		}
	}
}

func TestDocsPageNeedsNothingFromOutside(t *testing.T) {
	d := open(t, doorOptions{})
	page := d.call(t, "GET", "/docs", "").body
	for _, outside := range []string{"http://", "https://", `src="`, "@import", "<link"} {
		if strings.Contains(strings.ReplaceAll(page, "https://example.com", ""), outside) {
			t.Errorf("the page has %q in it", outside)
		}
	}
}
