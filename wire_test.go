package trawl_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trawlhq/trawl"
)

// roundTrip decodes and encodes again.
func roundTrip[T any](t *testing.T, text string) (T, string) {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return v, string(out)
}

func TestUnionsKeepBothForms(t *testing.T) {
	for _, text := range []string{`"markdown"`, `{"type":"screenshot","fullPage":true}`, `{"type":"json","schema":{"type":"object"}}`} {
		if _, got := roundTrip[trawl.Format](t, text); got != text {
			t.Errorf("format %s became %s", text, got)
		}
	}
	for text, want := range map[string]bool{"true": true, "false": false, `{"mode":"fast"}`: true} {
		r, back := roundTrip[trawl.Redaction](t, text)
		again, _ := roundTrip[trawl.Redaction](t, back)
		if on := !again.Off; r.Off == want || on != want {
			t.Errorf("redactPII %s: on is %v, and %v after %s", text, !r.Off, on, back)
		}
	}
	p, _ := roundTrip[trawl.Parser](t, `{"type":"pdf","pageMarkdown":true,"pages":false}`)
	if p.WantsPages() {
		t.Error("pages must win over its older name")
	}
	if p, _ := roundTrip[trawl.Parser](t, `"image"`); p.Type != "image" {
		t.Errorf("parser %+v", p)
	}
}

func TestMetadataIsOneObject(t *testing.T) {
	at := time.Date(2026, 11, 15, 3, 4, 5, 6e6, time.UTC)
	m := trawl.Metadata{
		Page:     map[string]any{"title": "T", "statusCode": "from the page", "og:type": []any{"a", "b"}},
		ScrapeID: "1", SourceURL: "a.test", StatusCode: 200, ProxyUsed: "basic", CreditsUsed: 1, CacheState: "hit", CachedAt: &at,
	}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"title":"T"`, `"statusCode":200`, `"cachedAt":"2026-11-15T03:04:05.006Z"`, `"concurrencyLimited":false`} {
		if !strings.Contains(string(data), part) {
			t.Errorf("%s lacks %s", data, part)
		}
	}
	if strings.Contains(string(data), "from the page") || strings.Contains(string(data), "QueueDuration") {
		t.Errorf("%s has what it must not have", data)
	}
	var back trawl.Metadata
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	delete(m.Page, "statusCode")
	if diff := cmp.Diff(m, back); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

func TestRulesAcrossFields(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"nothing wrong", `{"url":"a.test","formats":["markdown",{"type":"changeTracking"}],"timeout":2000,"waitFor":1000}`, ""},
		{"raw bytes come alone", `{"formats":["rawBase64","links"]}`, "The rawBase64 format cannot be combined with other formats"},
		{"one screenshot", `{"formats":["screenshot",{"type":"screenshot"}]}`, "You may only specify one screenshot format"},
		{"one kind of json", `{"formats":["json","deterministicJson"]}`, "Cannot specify both json and deterministicJson formats"},
		{"changes need the text", `{"formats":["changeTracking"]}`, "The changeTracking format requires the markdown format to be specified as well"},
		{"wait and timeout", `{"timeout":1000,"waitFor":501}`, "waitFor must not exceed half of timeout"},
		{"wait for both", `{"actions":[{"type":"wait","milliseconds":1,"selector":"a"}]}`, "Either 'milliseconds' or 'selector' must be provided, but not both."},
		{"wait for nothing", `{"actions":[{"type":"wait"}]}`, "Either 'milliseconds' or 'selector' must be provided, but not both."},
		{"waits add up", `{"waitFor":30000,"actions":[{"type":"wait","milliseconds":29001},{"type":"wait","selector":"a"}]}`, "Total wait time (waitFor + wait actions) cannot exceed 60 seconds"},
		{"too many actions", `{"actions":[` + strings.Repeat(`{"type":"scrape"},`, 50) + `{"type":"scrape"}]}`, "Number of actions cannot exceed 50"},
		{"no such country", `{"location":{"country":"XX"}}`, "Invalid country code. Please use a valid ISO 3166-1 alpha-2 country code."},
		{"country in small letters", `{"location":{"country":"de"}}`, ""},
		{"no country at all", `{"location":{"country":"us-generic"}}`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			req, _ := roundTrip[trawl.ScrapeRequest](t, tc.body)
			got := ""
			if issues := req.Validate(); len(issues) > 0 {
				got = trawl.BadRequest(issues).Message
			}
			if got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

func TestTLSIsCheckedWhenTheCallerSendsSomething(t *testing.T) {
	for body, skips := range map[string]bool{
		`{}`: true, `{"headers":{}}`: true, `{"headers":{"a":"b"}}`: false, `{"actions":[{"type":"scrape"}]}`: false,
		`{"headers":{"a":"b"},"skipTlsVerification":true}`: true, `{"skipTlsVerification":false}`: false,
	} {
		if req, _ := roundTrip[trawl.ScrapeRequest](t, body); req.SkipsTLS() != skips {
			t.Errorf("%s: skips %v, want %v", body, req.SkipsTLS(), skips)
		}
	}
}

func TestASealedDocumentIsWrittenAsBefore(t *testing.T) {
	doc := trawl.Document{Markdown: "# <A> & B", Links: []string{"http://a.test/?a=1&b=2"}}
	doc.Metadata = trawl.Metadata{ScrapeID: "1", SourceURL: "a.test", StatusCode: 200, ProxyUsed: "basic", Page: map[string]any{"title": "T", "url": "of the page"}}
	plain, err := doc.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Seal(); err != nil {
		t.Fatal(err)
	}
	same := func(when string) {
		t.Helper()
		sealed, err := doc.AppendJSON(nil)
		var a, b any
		if err != nil || json.Unmarshal(plain, &a) != nil || json.Unmarshal(sealed, &b) != nil || !cmp.Equal(a, b) {
			t.Errorf("%s: %s, want %s (%v)", when, sealed, plain, err)
		}
	}
	same("sealed")
	if text, err := doc.MetadataJSON(); err != nil || strings.Contains(string(text), "of the page") {
		t.Errorf("metadata %s, %v", text, err)
	}
	same("with its metadata written before")
	doc.Warn("careful")
	if text, err := doc.AppendJSON(nil); err != nil || !strings.Contains(string(text), `"warning":"careful"`) {
		t.Errorf("a change after sealing is lost: %s, %v", text, err)
	}
	if empty, err := (&trawl.Document{}).AppendJSON(nil); err != nil || !strings.HasPrefix(string(empty), `{"metadata":{`) {
		t.Errorf("nothing at all: %s, %v", empty, err)
	}
}
