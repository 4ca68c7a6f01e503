package api_test

import (
	"context"
	"net/netip"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/api"
)

type govFunc func(req trawl.GovSearchRequest) (trawl.GovSearchResponse, error)

func (f govFunc) GovSearch(_ context.Context, req trawl.GovSearchRequest) (trawl.GovSearchResponse, error) {
	return f(req)
}

// lawBook answers with as many results as were asked for, or fails as the query says.
func lawBook() trawl.GovSearcher {
	return govFunc(func(req trawl.GovSearchRequest) (trawl.GovSearchResponse, error) {
		switch req.Query {
		case "broken":
			return trawl.GovSearchResponse{}, trawl.Errorf(trawl.Upstream, "Bad Gateway").WithCode("GOV_INDEX_ERROR")
		case "slow":
			return trawl.GovSearchResponse{}, trawl.Errorf(trawl.UpstreamTimeout, "Gateway Timeout").WithCode("GOV_INDEX_TIMEOUT")
		case "nothing":
			return trawl.GovSearchResponse{Empty: true}, nil
		}
		n := int(req.K)
		if n == 0 {
			n = 10
		}
		found := trawl.GovSearchResponse{}
		for i := range n {
			found.Web = append(found.Web, trawl.GovResult{URL: "https://law.test/", Title: "T", Description: "D", Position: i + 1})
		}
		return found, nil
	})
}

func TestGovSearchReadsItsFieldsStrictly(t *testing.T) {
	d := open(t, doorOptions{change: func(o *api.Options) { o.Gov = lawBook() }})
	for _, tc := range []struct {
		name, method, target, body string
		status                     int
		want                       string
	}{
		{"query", "GET", "?query=tax", "", 200, `"position":10}]}}`},
		{"k as digits", "GET", "?query=tax&k=2", "", 200, `"position":2}]}}`},
		{"body", "POST", "", `{"query":"tax","k":1}`, 200, `"position":1}]}}`},
		{"k as text", "POST", "", `{"query":"tax","k":"5"}`, 200, `"position":5}]}}`},
		{"k as a whole number with a point", "POST", "", `{"query":"tax","k":3.0}`, 200, `"position":3}]}}`},
		{"label of a client", "POST", "", `{"query":"tax","origin":"js-sdk@4"}`, 200, `"success":true`},
		{"nothing found", "POST", "", `{"query":"nothing"}`, 200, `{"success":true,"data":{"web":[]}}`},
		{"no query", "GET", "", "", 400, `"path":["query"]`},
		{"empty query", "GET", "?query=", "", 400, `"too_small"`},
		{"blank query", "POST", "", `{"query":"  "}`, 400, `"too_small"`},
		{"long query", "POST", "", `{"query":"` + strings.Repeat("x", 2001) + `"}`, 400, `"too_big"`},
		{"k of 0", "GET", "?query=tax&k=0", "", 400, `"BAD_REQUEST"`},
		{"k of 101", "POST", "", `{"query":"tax","k":101}`, 400, `"too_big"`},
		{"k of 2.5", "POST", "", `{"query":"tax","k":2.5}`, 400, `"BAD_REQUEST"`},
		{"k of -1", "GET", "?query=tax&k=-1", "", 400, `"BAD_REQUEST"`},
		{"k of nothing", "GET", "?query=tax&k=", "", 400, `"BAD_REQUEST"`},
		{"k of letters", "POST", "", `{"query":"tax","k":"abc"}`, 400, `"BAD_REQUEST"`},
		{"unknown parameter", "GET", "?query=tax&year=2020", "", 400, `"error":"Unrecognized query parameter: \"year\""`},
		{"unknown key", "POST", "", `{"query":"tax","year":1}`, 400, `"error":"Unrecognized key in body: \"year\""`},
		{"parameter twice", "GET", "?query=a&query=b", "", 400, `"BAD_REQUEST"`},
		{"index fails", "GET", "?query=broken", "", 502, `"error":"Bad Gateway","code":"GOV_INDEX_ERROR"`},
		{"index too slow", "GET", "?query=slow", "", 504, `"error":"Gateway Timeout","code":"GOV_INDEX_TIMEOUT"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := d.call(t, tc.method, "/v2/search/gov"+tc.target, tc.body, as(d.key)...)
			if got.status != tc.status || !strings.Contains(got.body, tc.want) {
				t.Errorf("%d %s, want %d with %s", got.status, got.body, tc.status, tc.want)
			}
		})
	}
}

func TestGovSearchNeedsNoKeyButHasALimit(t *testing.T) {
	d := open(t, doorOptions{
		access: access.Options{Keyless: access.Keyless{Operations: map[string]bool{"gov": true}, GovPerMinute: 2, GovPerDay: 3}},
		change: func(o *api.Options) {
			o.Gov = lawBook()
			o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		},
	})
	ask := func() answer {
		return d.call(t, "GET", "/v2/search/gov?query=tax", "", "X-Forwarded-For", "203.0.113.9")
	}
	for range 2 {
		if got := ask(); got.status != 200 {
			t.Fatalf("%d %s", got.status, got.body)
		}
	}
	if got := ask(); got.status != 429 || got.header.Get("Retry-After") != "50" || got.header.Get("WWW-Authenticate") == "" {
		t.Errorf("third in a minute: %d %v", got.status, got.header)
	}
	*d.now = d.now.Add(60e9)
	if got := ask(); got.status != 200 {
		t.Errorf("a minute later: %d %s", got.status, got.body)
	}
	if got := ask(); got.status != 429 || !strings.Contains(got.body, `"reason":"requests"`) {
		t.Errorf("fourth in a day: %d %s", got.status, got.body)
	}
	if got := d.call(t, "GET", "/v2/search/gov?query=tax", "", as(d.key)...); got.status != 200 {
		t.Errorf("a key gives more: %d", got.status)
	}
	if got := d.call(t, "GET", "/v2/search/gov?query=tax", "", as("fc-wrong")...); got.status != 401 {
		t.Errorf("a bad key is never taken for none: %d", got.status)
	}
}
