package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/api"
)

// kinds makes a scraper fail as the address says: http://<kind>.test.
func kinds() trawl.Scraper {
	fail := map[string]error{
		"http://timeout.test":     trawl.Errorf(trawl.TimedOut, "Request Timeout").WithCode("SCRAPE_TIMEOUT"),
		"http://slots.test":       trawl.Errorf(trawl.RateLimited, "Concurrency limit reached").WithCode("CONCURRENCY_QUEUE_TIMEOUT").After(time.Second),
		"http://injection.test":   trawl.Errorf(trawl.Forbidden, "SCRAPE_PROMPT_INJECTION_DETECTED").WithCode("SCRAPE_PROMPT_INJECTION_DETECTED"),
		"http://private.test":     trawl.Errorf(trawl.Forbidden, "Private").WithCode("PRIVATE_ADDRESS_BLOCKED"),
		"http://conflict.test":    trawl.Errorf(trawl.Conflict, "Conflict").WithCode("IDEMPOTENCY_KEY_REUSED").WithDetails(map[string]any{"id": "x"}),
		"http://schema.test":      trawl.Errorf(trawl.Unprocessable, "Unprocessable Entity").WithCode("EXTRACTION_SCHEMA_MISMATCH"),
		"http://upstream.test":    trawl.Errorf(trawl.Upstream, "Bad Gateway"),
		"http://unavailable.test": trawl.Errorf(trawl.Unavailable, "Service Unavailable"),
		"http://gateway.test":     trawl.Errorf(trawl.UpstreamTimeout, "Gateway Timeout"),
		"http://dns.test":         trawl.Errorf(trawl.Unresolved, "No such host").WithCode("SCRAPE_DNS_RESOLUTION_ERROR"),
		"http://tls.test":         trawl.Errorf(trawl.SiteFailed, "Bad certificate").WithCode("SCRAPE_SSL_ERROR"),
		"http://blocked.test":     trawl.Errorf(trawl.SiteFailed, "All engines failed").WithCode("SCRAPE_ALL_ENGINES_FAILED"),
		"http://fault.test":       errors.New("secret inside"),
	}
	return scraperFunc(func(_ context.Context, req trawl.ScrapeRequest) (*trawl.Document, error) {
		if req.URL == "http://panic.test" {
			panic("secret inside")
		}
		if err, ok := fail[req.URL]; ok {
			return nil, err
		}
		return &trawl.Document{Markdown: "# Hello"}, nil
	})
}

// TestGeneralErrorTable holds every row of the contract's table: status, error, code, details.
func TestGeneralErrorTable(t *testing.T) {
	d := open(t, doorOptions{scraper: kinds()})
	scraping := d.newKey(t, trawl.Key{Scopes: []string{"map"}})
	expired := d.newKey(t, trawl.Key{ExpiresAt: d.now.Add(-time.Second)})
	post := func(body string) []string { return []string{"POST", "/v2/scrape", body} }
	for _, tc := range []struct {
		name    string
		request []string
		headers []string
		status  int
		want    string
	}{
		{"not JSON", post(`{"url":`), as(d.key), 400, `{"success":false,"error":"Bad Request","code":"BAD_REQUEST_INVALID_JSON","details":{"retryable":false}}`},
		{"empty body", post(``), as(d.key), 400, `{"success":false,"error":"Bad Request","code":"BAD_REQUEST_INVALID_JSON","details":{"retryable":false}}`},
		{"wrong type", post(`{"url":"a.test","timeout":"1"}`), as(d.key), 400,
			`{"success":false,"error":"Bad Request","code":"BAD_REQUEST","details":[{"code":"invalid_type","path":["timeout"],"message":"Invalid input: expected integer, received string","expected":"integer"}]}`},
		{"unknown key", post(`{"url":"a.test","cache":1}`), as(d.key), 400,
			`{"success":false,"error":"Unrecognized key in body: \"cache\"","code":"BAD_REQUEST","details":[{"code":"unrecognized_keys","keys":["cache"],"path":[],"message":"Unrecognized key: \"cache\""}]}`},
		{"two unknown keys", post(`{"url":"a.test","b":1,"a":1}`), as(d.key), 400,
			`{"success":false,"error":"Unrecognized key in body: \"a\", \"b\"","code":"BAD_REQUEST","details":[{"code":"unrecognized_keys","keys":["a","b"],"path":[],"message":"Unrecognized keys: \"a\", \"b\""}]}`},
		{"no address", post(`{}`), as(d.key), 400,
			`{"success":false,"error":"Invalid URL","code":"BAD_REQUEST","details":[{"code":"invalid_type","path":["url"],"message":"Required"}]}`},
		{"scheme we cannot fetch", post(`{"url":"ftp://a.test"}`), as(d.key), 400,
			`{"success":false,"error":"Invalid URL","code":"BAD_REQUEST","details":[{"code":"invalid_format","format":"url","path":["url"],"message":"URL uses unsupported protocol"}]}`},
		{"no top-level domain", post(`{"url":"http://localhost/x"}`), as(d.key), 400,
			`{"success":false,"error":"Invalid URL","code":"BAD_REQUEST","details":[{"code":"invalid_format","format":"url","path":["url"],"message":"URL must have a valid top-level domain or be an IP address"}]}`},
		{"two schemes", post(`{"url":"http://http://a.test"}`), as(d.key), 400,
			`{"success":false,"error":"Invalid URL","code":"BAD_REQUEST","details":[{"code":"invalid_format","format":"url","path":["url"],"message":"Invalid URL"}]}`},
		{"rule across fields", post(`{"url":"a.test","timeout":1000,"waitFor":600}`), as(d.key), 400,
			`{"success":false,"error":"waitFor must not exceed half of timeout","code":"BAD_REQUEST","details":[{"code":"custom","path":["waitFor"],"message":"waitFor must not exceed half of timeout"}]}`},
		{"id that is no UUID", []string{"GET", "/v2/scrape/42", ""}, as(d.key), 400,
			`{"success":false,"error":"Invalid job ID format. Job ID must be a valid UUID."}`},
		{"no key", post(`{}`), nil, 401, `{"success":false,"error":"Unauthorized: Invalid token"}`},
		{"no token", post(`{}`), []string{"Authorization", "Bearer "}, 401, `{"success":false,"error":"Unauthorized: Invalid token"}`},
		{"other scheme", post(`{}`), []string{"Authorization", "Basic " + d.key}, 401, `{"success":false,"error":"Unauthorized: Invalid token"}`},
		{"unknown key of ours", post(`{}`), as("fc-unknown"), 401, `{"success":false,"error":"Unauthorized: Invalid token"}`},
		{"expired key", post(`{}`), as(expired), 401, `{"success":false,"error":"Unauthorized: Invalid token"}`},
		{"key without the scope", post(`{"url":"a.test"}`), as(scraping), 403,
			`{"success":false,"error":"Forbidden","details":{"reason":"The key lacks the scope scrape.","allowed":["map"]}}`},
		{"prompt injection", post(`{"url":"http://injection.test"}`), as(d.key), 403,
			`{"success":false,"error":"SCRAPE_PROMPT_INJECTION_DETECTED","code":"SCRAPE_PROMPT_INJECTION_DETECTED","details":{"retryable":false}}`},
		{"private address", post(`{"url":"http://private.test"}`), as(d.key), 403,
			`{"success":false,"error":"Private","code":"PRIVATE_ADDRESS_BLOCKED","details":{"retryable":false}}`},
		{"unknown path", []string{"GET", "/v2/nothing", ""}, as(d.key), 404, `{"success":false,"error":"Not Found"}`},
		{"unknown method", []string{"PUT", "/v2/scrape", ""}, as(d.key), 404, `{"success":false,"error":"Not Found"}`},
		{"path that a mux would redirect", []string{"GET", "/v2//team", ""}, as(d.key), 404, `{"success":false,"error":"Not Found"}`},
		{"unknown id", []string{"GET", "/v2/scrape/01a1dd2f-8941-748a-89a3-ee17d7db8678", ""}, as(d.key), 404, `{"success":false,"error":"Not Found"}`},
		{"timeout", post(`{"url":"http://timeout.test"}`), as(d.key), 408,
			`{"success":false,"error":"Request Timeout","code":"SCRAPE_TIMEOUT","details":{"retryable":true}}`},
		{"conflict", post(`{"url":"http://conflict.test"}`), as(d.key), 409,
			`{"success":false,"error":"Conflict","code":"IDEMPOTENCY_KEY_REUSED","details":{"id":"x","retryable":false}}`},
		{"body over the limit", post(`{"url":"` + strings.Repeat("a", api.DefaultBodyLimit) + `"}`), as(d.key), 413, `{"success":false,"error":"Payload Too Large"}`},
		{"schema that is none", post(`{"url":"a.test","formats":[{"type":"json","schema":{"type":"sausage"}}]}`), as(d.key), 422, ""},
		{"schema not satisfied", post(`{"url":"http://schema.test"}`), as(d.key), 422,
			`{"success":false,"error":"Unprocessable Entity","code":"EXTRACTION_SCHEMA_MISMATCH","details":{"retryable":false}}`},
		{"no slot", post(`{"url":"http://slots.test"}`), as(d.key), 429,
			`{"success":false,"error":"Concurrency limit reached","code":"CONCURRENCY_QUEUE_TIMEOUT","details":{"retryable":true}}`},
		{"fault", post(`{"url":"http://fault.test"}`), as(d.key), 500,
			`{"success":false,"error":"Internal Server Error","code":"UNKNOWN_ERROR","details":{"requestId":"r-1","retryable":true}}`},
		{"panic", post(`{"url":"http://panic.test"}`), as(d.key), 500,
			`{"success":false,"error":"Internal Server Error","code":"UNKNOWN_ERROR","details":{"requestId":"r-1","retryable":true}}`},
		{"bad gateway", post(`{"url":"http://upstream.test"}`), as(d.key), 502, `{"success":false,"error":"Bad Gateway","details":{"requestId":"r-1"}}`},
		{"unavailable", post(`{"url":"http://unavailable.test"}`), as(d.key), 503, `{"success":false,"error":"Service Unavailable","details":{"requestId":"r-1"}}`},
		{"gateway timeout", post(`{"url":"http://gateway.test"}`), as(d.key), 504, `{"success":false,"error":"Gateway Timeout","details":{"requestId":"r-1"}}`},
		{"host without an address", post(`{"url":"http://dns.test"}`), as(d.key), 200,
			`{"success":false,"error":"No such host","code":"SCRAPE_DNS_RESOLUTION_ERROR","details":{"retryable":false}}`},
		{"certificate", post(`{"url":"http://tls.test"}`), as(d.key), 500,
			`{"success":false,"error":"Bad certificate","code":"SCRAPE_SSL_ERROR","details":{"requestId":"r-1","retryable":false}}`},
		{"all engines failed", post(`{"url":"http://blocked.test"}`), as(d.key), 500,
			`{"success":false,"error":"All engines failed","code":"SCRAPE_ALL_ENGINES_FAILED","details":{"requestId":"r-1","retryable":true}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := d.call(t, tc.request[0], tc.request[1], tc.request[2], append([]string{"X-Request-Id", "r-1"}, tc.headers...)...)
			if got.status != tc.status {
				t.Errorf("status = %d, want %d: %s", got.status, tc.status, got.body)
			}
			if tc.want != "" {
				sameJSON(t, got.body, tc.want)
			}
			if kind := got.header.Get("Content-Type"); kind != "application/json; charset=utf-8" {
				t.Errorf("Content-Type = %q", kind)
			}
			if got.header.Get("X-Request-Id") != "r-1" {
				t.Errorf("X-Request-Id = %q", got.header.Get("X-Request-Id"))
			}
			if (got.status == 429 || got.status == 503) != (got.header.Get("Retry-After") != "") {
				t.Errorf("Retry-After = %q with status %d", got.header.Get("Retry-After"), got.status)
			}
			if (got.status == 401) != (got.header.Get("WWW-Authenticate") != "") {
				t.Errorf("WWW-Authenticate = %q with status %d", got.header.Get("WWW-Authenticate"), got.status)
			}
		})
	}
}

// TestOrderOfChecks sends requests with two faults; the earlier check of the contract must answer.
func TestOrderOfChecks(t *testing.T) {
	plans := map[string]access.Plan{"tight": {Credits: 1, RPM: map[string]int{access.ClassScrape: 3}}}
	d := open(t, doorOptions{access: access.Options{Plans: plans, DefaultPlan: "tight"}})
	mapOnly := d.newKey(t, trawl.Key{Scopes: []string{"map"}})
	large := strings.Repeat(" ", api.DefaultBodyLimit+1)
	steps := []struct {
		name, path, body, key string
		status                int
	}{
		{"404 before 413", "/v2/nothing", large, "", 404},
		{"413 before 401", "/v2/scrape", large, "fc-wrong", 413},
		{"401 before 400", "/v2/scrape", "{", "fc-wrong", 401},
		{"403 scope before 400", "/v2/scrape", "{", mapOnly, 403},
		{"400 JSON before 400 validation", "/v2/scrape", `{"x":1`, d.key, 400},
		{"400 JSON again, the last of three", "/v2/scrape", "{", d.key, 400},
		{"429 rate before 400", "/v2/scrape", "{", d.key, 429},
		{"429 rate before 403", "/v2/scrape", "{", mapOnly, 429},
	}
	for _, step := range steps {
		got := d.call(t, "POST", step.path, step.body, as(step.key)...)
		if got.status != step.status {
			t.Errorf("%s: status = %d, want %d: %s", step.name, got.status, step.status, got.body)
		}
	}
}

func TestChunkedBodyOverTheLimitIsRefusedBeforeTheKey(t *testing.T) {
	d := open(t, doorOptions{change: func(o *api.Options) { o.BodyLimit = 1000 }})
	req, err := http.NewRequestWithContext(t.Context(), "POST", d.URL+"/v2/scrape", endless{})
	if err != nil {
		t.Fatal(err)
	}
	res, err := d.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 413 {
		t.Errorf("status = %d, want 413", res.StatusCode)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestRateLimitTellsWhenToComeBack(t *testing.T) {
	plans := map[string]access.Plan{"tight": {RPM: map[string]int{access.ClassAccount: 2}}}
	d := open(t, doorOptions{access: access.Options{Plans: plans, DefaultPlan: "tight"}})
	for i, remaining := range []string{"1", "0"} {
		got := d.call(t, "GET", "/v2/team", "", as(d.key)...)
		if got.status != 200 || got.header.Get("X-RateLimit-Limit") != "2" || got.header.Get("X-RateLimit-Remaining") != remaining {
			t.Errorf("request %d: %d, limit %s, remaining %s", i, got.status, got.header.Get("X-RateLimit-Limit"), got.header.Get("X-RateLimit-Remaining"))
		}
	}
	got := d.call(t, "GET", "/v2/team", "", as(d.key)...)
	if got.status != 429 || got.header.Get("Retry-After") != "50" {
		t.Errorf("third request: %d, Retry-After %q, want 429 and 50 (the window began at full minute)", got.status, got.header.Get("Retry-After"))
	}
	sameJSON(t, got.body, `{"success":false,"error":"Rate limit exceeded","code":"RATE_LIMITED","details":{"retryable":true}}`)
	*d.now = d.now.Add(50 * time.Second)
	if got := d.call(t, "GET", "/v2/team", "", as(d.key)...); got.status != 200 {
		t.Errorf("in the next minute: %d, want 200", got.status)
	}
}

func sameJSON(t *testing.T, got, want string) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		t.Fatalf("answer is no JSON: %s", got)
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatalf("wanted answer is no JSON: %s", want)
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}
