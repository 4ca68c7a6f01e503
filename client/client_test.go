package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/client"
)

// roundTrip is a server in one function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// answer makes a response; header comes as "Name: value".
func answer(status int, body string, header ...string) *http.Response {
	h := http.Header{}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		h.Set(name, value)
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}
}

// talkingTo makes a client whose requests go to the function.
func talkingTo(t testing.TB, server roundTrip) *client.Client {
	t.Helper()
	c, err := client.New(client.Options{BaseURL: "http://trawl.test/", Key: "fc-key", HTTP: &http.Client{Transport: server}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestScrapeSendsTheRequestAndReadsTheDocument(t *testing.T) {
	t.Parallel()
	var method, path, auth, contentType string
	var sent map[string]any
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		method, path, auth, contentType = r.Method, r.URL.Path, r.Header.Get("Authorization"), r.Header.Get("Content-Type")
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
			t.Errorf("decode what was sent: %v", err)
		}
		_, _ = io.WriteString(w, `{"success":true,"data":{"markdown":"# A","metadata":{"statusCode":200,"sourceURL":"a.test","scrapeId":"1","title":"A"}}}`)
	}))
	defer srv.Close()
	c, err := client.New(client.Options{BaseURL: srv.URL + "/", Key: "fc-key"})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := c.Scrape(t.Context(), trawl.ScrapeRequest{URL: "a.test", ScrapeOptions: trawl.ScrapeOptions{WaitFor: 5}})
	if err != nil {
		t.Fatal(err)
	}
	if method != "POST" || path != "/v2/scrape" || auth != "Bearer fc-key" || contentType != "application/json" {
		t.Errorf("request was %s %s, %q, %q", method, path, auth, contentType)
	}
	if sent["url"] != "a.test" || sent["waitFor"] != 5.0 || len(sent) != 2 {
		t.Errorf("body was %v, want url and waitFor only", sent)
	}
	if doc.Markdown != "# A" || doc.Metadata.StatusCode != 200 || doc.Metadata.Page["title"] != "A" {
		t.Errorf("document = %+v", doc)
	}
}

func TestMethodsAskForTheRightAddress(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, want, body string
		call             func(context.Context, *client.Client) error
	}{
		{"scrape read again", "GET /v2/scrape/a%2Fb", `{"success":true,"data":{"metadata":{}}}`,
			func(ctx context.Context, c *client.Client) error { _, err := c.Scraped(ctx, "a/b"); return err }},
		{"credit usage", "GET /v2/team/credit-usage", `{"success":true,"data":{"remainingCredits":7}}`,
			func(ctx context.Context, c *client.Client) error {
				usage, err := c.CreditUsage(ctx)
				if err == nil && usage.RemainingCredits != 7 {
					return errors.New("remaining credits were lost")
				}
				return err
			}},
		{"token usage", "GET /v2/team/token-usage", `{"success":true,"data":{"remainingTokens":7}}`,
			func(ctx context.Context, c *client.Client) error { _, err := c.TokenUsage(ctx); return err }},
		{"history by key", "GET /v2/team/credit-usage/historical?byApiKey=true", `{"success":true,"periods":[]}`,
			func(ctx context.Context, c *client.Client) error { _, err := c.CreditHistory(ctx, true); return err }},
		{"queue status", "GET /v2/team/queue-status", `{"success":true,"jobsInQueue":1}`,
			func(ctx context.Context, c *client.Client) error { _, err := c.QueueStatus(ctx); return err }},
		{"concurrency", "GET /v2/concurrency-check", `{"success":true,"maxConcurrency":2}`,
			func(ctx context.Context, c *client.Client) error { _, err := c.Concurrency(ctx); return err }},
		{"new key", "POST /v2/team/api-keys", `{"success":true,"apiKey":{"token":"fc-new","createdAt":"2026-03-14T08:30:00.000Z"}}`,
			func(ctx context.Context, c *client.Client) error {
				_, err := c.CreateKey(ctx, trawl.KeyRequest{Name: "ci"})
				return err
			}},
		{"keys", "GET /v2/team/api-keys", `{"success":true,"apiKeys":[]}`,
			func(ctx context.Context, c *client.Client) error { _, err := c.Keys(ctx); return err }},
		{"revoked key", "DELETE /v2/team/api-keys/k1", `{"success":true}`,
			func(ctx context.Context, c *client.Client) error { return c.RevokeKey(ctx, "k1") }},
		{"an operation of its own", "GET /v2/anything?a=b", `{}`,
			func(ctx context.Context, c *client.Client) error {
				return c.Do(ctx, client.Call{Path: "/v2/anything", Query: map[string][]string{"a": {"b"}}})
			}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var got string
			c := talkingTo(t, func(r *http.Request) (*http.Response, error) {
				got = r.Method + " " + r.URL.RequestURI()
				return answer(200, tc.body), nil
			})
			if err := tc.call(t.Context(), c); err != nil || got != tc.want {
				t.Errorf("asked for %s (%v), want %s", got, err, tc.want)
			}
		})
	}
}

func TestNewRefusesAnAddressThatIsNone(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"", "trawl.test", "ftp://trawl.test", "http://", "http://[broken"} {
		if _, err := client.New(client.Options{BaseURL: base}); err == nil {
			t.Errorf("New(%q) succeeded", base)
		}
	}
}

func TestNoKeySendsNoHeader(t *testing.T) {
	t.Parallel()
	c, err := client.New(client.Options{BaseURL: "http://trawl.test", HTTP: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		if _, ok := r.Header["Authorization"]; ok {
			t.Error("Authorization was sent without a key")
		}
		return answer(200, `{"success":true}`), nil
	})}})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Do(t.Context(), client.Call{Path: "/v2/search/gov"}); err != nil {
		t.Error(err)
	}
}

func TestAnswerThatCannotBeReadIsTheServersFault(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{"no JSON": "<html>", "no document": `{"success":true}`, "wrong type": `{"success":true,"data":[]}`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := talkingTo(t, func(*http.Request) (*http.Response, error) { return answer(200, body), nil })
			_, err := c.Scrape(t.Context(), trawl.ScrapeRequest{URL: "a.test"})
			var failed *trawl.Error
			if !errors.As(err, &failed) || failed.Kind != trawl.Upstream {
				t.Errorf("error = %#v, want kind Upstream", err)
			}
		})
	}
}

// FuzzAnswer feeds answers of a server nobody vouches for: a call must end in a
// document or an error, never in a panic.
func FuzzAnswer(f *testing.F) {
	f.Add(200, []byte(`{"success":true,"data":{"markdown":"x","metadata":{"statusCode":200}}}`))
	f.Add(200, []byte(`{"success":false,"error":"x","code":"SCRAPE_DNS_RESOLUTION_ERROR"}`))
	f.Add(400, []byte(`{"success":false,"error":"Invalid URL","details":[{"code":"invalid_format","path":["url"],"message":"Invalid URL"}]}`))
	f.Add(422, []byte(`{"success":false,"error":5,"code":null,"details":{"retryable":"no"},"more":1}`))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		if status < 200 || status > 999 || status >= 300 && status < 400 || status == 408 || status == 429 || status >= 500 {
			return // redirects and waiting are net/http's and retry's business
		}
		c := talkingTo(t, func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body))}, nil
		})
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond) // too short for a second attempt
		defer cancel()
		doc, err := c.Scrape(ctx, trawl.ScrapeRequest{URL: "a.test"})
		if (doc == nil) == (err == nil) {
			t.Errorf("document %v and error %v", doc, err)
		}
	})
}
