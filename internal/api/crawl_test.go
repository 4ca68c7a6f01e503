package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/api"
)

const someID = "01a1dd59-0786-752e-8f09-d41a85d06648"

// fakeCrawler has one crawl with a number of documents.
type fakeCrawler struct {
	trawl.Crawler
	status string
	docs   int
	got    trawl.CrawlRequest
}

func (f *fakeCrawler) StartCrawl(_ context.Context, req trawl.CrawlRequest) (*trawl.CrawlStarted, error) {
	f.got = req
	return &trawl.CrawlStarted{Success: true, ID: someID}, nil
}

func (f *fakeCrawler) CrawlStatus(_ context.Context, id string, part trawl.Window) (*trawl.CrawlStatus, error) {
	if id != someID {
		return nil, trawl.Errorf(trawl.NotFound, "Not Found").WithCode("JOB_NOT_FOUND")
	}
	st := &trawl.CrawlStatus{Success: true, Status: f.status, Total: f.docs, Completed: f.docs, Data: []trawl.WireDocument{}}
	for i := part.Skip; i < f.docs && len(st.Data) < part.Limit; i++ {
		st.Data = append(st.Data, fmt.Appendf(nil, `{"markdown":"%d","screenshot":"/files/a.png","metadata":{"scrapeId":"%[1]d","sourceURL":"","statusCode":200,"proxyUsed":"basic","creditsUsed":1,"concurrencyLimited":false}}`, i))
	}
	st.More = part.Skip+len(st.Data) < f.docs
	return st, nil
}

func (f *fakeCrawler) CancelCrawl(context.Context, string) error { return nil }

func openCrawls(t *testing.T, f *fakeCrawler) *door {
	return open(t, doorOptions{change: func(o *api.Options) { o.Crawler = f }})
}

func TestCrawlRequestsAtTheDoor(t *testing.T) {
	f := &fakeCrawler{status: "completed", docs: 250}
	d := openCrawls(t, f)
	for _, tc := range []struct {
		name, method, path, body string
		status                   int
		want                     string
	}{
		{"a crawl", "POST", "/v2/crawl", `{"url":"https://a.test","limit":10.0,"origin":"js-sdk@4","scrapeOptions":null}`, 200, `"url":"` + d.URL + `/v2/crawl/` + someID},
		{"no address", "POST", "/v2/crawl", `{}`, 400, `"error":"Invalid URL"`},
		{"scheme we cannot fetch", "POST", "/v2/crawl", `{"url":"ftp://a.test"}`, 400, `"error":"Invalid URL"`},
		{"option of an older version", "POST", "/v2/crawl", `{"url":"https://a.test","maxDepth":2}`, 400, `"error":"Unrecognized key in body: \"maxDepth\""`},
		{"scrape option at the top", "POST", "/v2/crawl", `{"url":"https://a.test","formats":["markdown"]}`, 400, `Unrecognized key in body`},
		{"pattern that cannot be read", "POST", "/v2/crawl", `{"url":"https://a.test","includePaths":["(?=a)"]}`, 400, `RE2`},
		{"limit below one", "POST", "/v2/crawl", `{"url":"https://a.test","limit":0}`, 400, `"error":"Bad Request"`},
		{"limit with a fraction", "POST", "/v2/crawl", `{"url":"https://a.test","limit":1.5}`, 400, `"error":"Bad Request"`},
		{"delay of nothing", "POST", "/v2/crawl", `{"url":"https://a.test","delay":0}`, 400, `too_small`},
		{"delay over a minute", "POST", "/v2/crawl", `{"url":"https://a.test","delay":61}`, 400, `too_big`},
		{"wait longer than half of the timeout", "POST", "/v2/crawl", `{"url":"https://a.test","scrapeOptions":{"timeout":1000,"waitFor":900}}`, 400, `"scrapeOptions","waitFor"`},
		{"webhook as text", "POST", "/v2/crawl", `{"url":"https://a.test","webhook":"https://b.test/hook"}`, 200, someID},
		{"webhook with an event nobody knows", "POST", "/v2/crawl", `{"url":"https://a.test","webhook":{"url":"https://b.test","events":["done"]}}`, 400, `"error":"Bad Request"`},
		{"webhook with a key nobody knows", "POST", "/v2/crawl", `{"url":"https://a.test","webhook":{"url":"https://b.test","colour":1}}`, 400, `colour`},
		{"preview without a prompt", "POST", "/v2/crawl/params-preview", `{"url":"https://a.test","origin":"x"}`, 400, `"error":"Invalid request parameters: prompt: Required"`},
		{"first documents", "GET", "/v2/crawl/" + someID, "", 200, `"next":"` + d.URL + `/v2/crawl/` + someID + `?skip=100"`},
		{"files in documents are whole addresses", "GET", "/v2/crawl/" + someID + "?limit=1", "", 200, `"screenshot":"` + d.URL + `/files/a.png"`},
		{"next with the caller's own limit", "GET", "/v2/crawl/" + someID + "?skip=10&limit=20", "", 200, `?skip=30&limit=20"`},
		{"beyond the end", "GET", "/v2/crawl/" + someID + "?skip=900", "", 200, `"data":[]`},
		{"skip that is none", "GET", "/v2/crawl/" + someID + "?skip=-1", "", 400, `"error":"Invalid pagination: skip must be a non-negative integer`},
		{"limit that is too high", "GET", "/v2/crawl/" + someID + "?limit=1001", "", 400, `"error":"Invalid pagination: limit must be an integer between 1 and 1000"`},
		{"limit twice", "GET", "/v2/crawl/" + someID + "?limit=1&limit=2", "", 400, `Invalid pagination`},
		{"id that is none", "GET", "/v2/crawl/x", "", 400, `Invalid job ID format. Job ID must be a valid UUID.`},
		{"cancelled", "DELETE", "/v2/crawl/" + someID, "", 200, `{"success":true,"status":"cancelled"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := d.call(t, tc.method, tc.path, tc.body, as(d.key)...)
			if got.status != tc.status || !strings.Contains(got.body, tc.want) {
				t.Errorf("%s %s = %d %s, want %d with %s", tc.method, tc.path, got.status, got.body, tc.status, tc.want)
			}
		})
	}
	got := d.call(t, "GET", "/v2/crawl/"+someID+"?skip=200", "", as(d.key)...)
	if strings.Contains(got.body, `"next"`) {
		t.Errorf("the last page has a next one: %s", got.body)
	}
	d.call(t, "POST", "/v2/crawl", `{"url":"https://a.test"}`, append(as(d.key), "X-Idempotency-Key", "k1")...)
	if f.got.IdempotencyKey != "k1" {
		t.Errorf("idempotency key %q did not arrive", f.got.IdempotencyKey)
	}
}

func TestNextWhileACrawlRuns(t *testing.T) {
	d := openCrawls(t, &fakeCrawler{status: "scraping", docs: 3})
	for skip, want := range map[int]bool{0: true, 3: false} {
		got := d.call(t, "GET", fmt.Sprintf("/v2/crawl/%s?skip=%d", someID, skip), "", as(d.key)...)
		if strings.Contains(got.body, `"next"`) != want {
			t.Errorf("skip %d while scraping: %s", skip, got.body)
		}
	}
}

func TestAWatcherGetsAllDocumentsAndANormalEnd(t *testing.T) {
	d := openCrawls(t, &fakeCrawler{status: "completed", docs: 1500})
	address := strings.Replace(d.URL, "http", "ws", 1) + "/v2/crawl/" + someID
	conn, res, err := websocket.Dial(t.Context(), address, &websocket.DialOptions{Subprotocols: []string{d.key}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	if got := res.Header.Get("Sec-WebSocket-Protocol"); got != d.key {
		t.Errorf("subprotocol %q was not echoed", got)
	}
	conn.SetReadLimit(64 << 20)
	_, text, err := conn.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var frame struct {
		Type string
		Data trawl.CrawlStatus
	}
	if err := json.Unmarshal(text, &frame); err != nil {
		t.Fatal(err)
	}
	if frame.Type != "catchup" || len(frame.Data.Data) != 1500 || frame.Data.Status != "completed" || frame.Data.Next != "" {
		t.Errorf("first frame: %s with %d documents, next %q", frame.Type, len(frame.Data.Data), frame.Data.Next)
	}
	_, _, err = conn.Read(t.Context())
	var end websocket.CloseError
	if end.Code = websocket.CloseStatus(err); end.Code != websocket.StatusNormalClosure || !strings.Contains(err.Error(), `{\"type\":\"done\"}`) {
		t.Errorf("the stream ends with %v", err)
	}
}

func TestAWatcherIsRefusedBeforeTheUpgrade(t *testing.T) {
	d := openCrawls(t, &fakeCrawler{status: "completed"})
	upgrade := []string{"Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}
	for path, want := range map[string]int{"/v2/crawl/x": 400, "/v2/crawl/00000000-0000-7000-8000-000000000000": 404} {
		if got := d.call(t, "GET", path, "", append(as(d.key), upgrade...)...); got.status != want {
			t.Errorf("%s = %d %s, want %d", path, got.status, got.body, want)
		}
	}
	if got := d.call(t, "GET", "/v2/crawl/"+someID, "", upgrade...); got.status != 401 {
		t.Errorf("without a key = %d", got.status)
	}
}
