package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/store"
)

// get calls and decodes into T; anything but 200 ends the test.
func get[T any](t *testing.T, d *door, path string) (out T) {
	t.Helper()
	got := d.call(t, "GET", path, "", as(d.key)...)
	if got.status != http.StatusOK {
		t.Fatalf("GET %s = %d %s", path, got.status, got.body)
	}
	if err := json.Unmarshal([]byte(got.body), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestKeyLivesAndDies(t *testing.T) {
	d := open(t, doorOptions{})
	got := d.call(t, "POST", "/v2/team/api-keys", `{"name":"ci","scopes":["scrape","browser"],"spendLimit":{"credits":5,"interval":"day"},"origin":"js-sdk@4"}`, as(d.key)...)
	var made trawl.KeyReply
	if err := json.Unmarshal([]byte(got.body), &made); err != nil || got.status != 200 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	if k := made.APIKey; len(k.Token) != 35 || !strings.HasPrefix(k.Token, "fc-") || k.Name != "ci" || fmt.Sprint(k.Scopes) != "[scrape interact]" || k.SpendLimit.Credits != 5 {
		t.Errorf("made %+v", k)
	}
	if got := d.call(t, "POST", "/v2/scrape", `{"url":"a.test"}`, as(made.APIKey.Token)...); got.status != 200 {
		t.Errorf("new key: %d %s", got.status, got.body)
	}
	if got := d.call(t, "GET", "/v2/team/api-keys", "", as(made.APIKey.Token)...); got.status != 403 {
		t.Errorf("listing without admin: %d, want 403", got.status)
	}
	for _, k := range get[trawl.KeysReply](t, d, "/v2/team/api-keys").APIKeys {
		if k.Token != "" || k.Last4 == "" {
			t.Errorf("listed %+v: the text must be gone, its end must show", k)
		}
	}
	if got := d.call(t, "DELETE", "/v2/team/api-keys/"+made.APIKey.ID, "", as(d.key)...); got.status != 200 {
		t.Errorf("revoking: %d %s", got.status, got.body)
	}
	if got := d.call(t, "POST", "/v2/scrape", `{"url":"a.test"}`, as(made.APIKey.Token)...); got.status != 401 {
		t.Errorf("revoked key: %d, want 401 at once", got.status)
	}
	if got := d.call(t, "DELETE", "/v2/team/api-keys/"+made.APIKey.ID, "", as(d.key)...); got.status != 404 {
		t.Errorf("revoking again: %d, want 404", got.status)
	}
}

func TestLastAdminKeyStays(t *testing.T) {
	d := open(t, doorOptions{})
	admin := get[trawl.KeysReply](t, d, "/v2/team/api-keys").APIKeys[0]
	got := d.call(t, "DELETE", "/v2/team/api-keys/"+admin.ID, "", as(d.key)...)
	if got.status != 409 || !strings.Contains(got.body, `"error":"Conflict"`) {
		t.Errorf("%d %s, want 409 Conflict", got.status, got.body)
	}
}

func TestAKeyMakesNoKeyWiderThanItself(t *testing.T) {
	d := open(t, doorOptions{})
	narrow := d.newKey(t, trawl.Key{Scopes: []string{"scrape"}, Formats: []string{"markdown"}})
	for _, tc := range []struct {
		body   string
		status int
	}{
		{`{"scopes":["scrape"]}`, 200},
		{`{}`, 200},
		{`{"scopes":["crawl"]}`, 403},
		{`{"scopes":["admin"]}`, 403},
		{`{"formats":["html"]}`, 403},
		{`{"scopes":["nonsense"]}`, 400},
		{`{"spendLimit":{"credits":0,"interval":"day"}}`, 400},
	} {
		if got := d.call(t, "POST", "/v2/team/api-keys", tc.body, as(narrow)...); got.status != tc.status {
			t.Errorf("%s = %d %s, want %d", tc.body, got.status, got.body, tc.status)
		}
	}
}

func TestFormatRestrictionIsKept(t *testing.T) {
	d := open(t, doorOptions{})
	key := d.newKey(t, trawl.Key{Formats: []string{"markdown"}})
	for _, tc := range []struct {
		body   string
		status int
	}{
		{`{"url":"a.test"}`, 200},
		{`{"url":"a.test","formats":["html"]}`, 403},
		{`{"url":"a.test","actions":[{"type":"screenshot"}]}`, 403},
		{`{"url":"a.test","actions":[{"type":"executeJavascript","script":"1"}]}`, 403},
		{`{"url":"a.test","actions":[{"type":"press","key":"Enter"}]}`, 200},
	} {
		if got := d.call(t, "POST", "/v2/scrape", tc.body, as(key)...); got.status != tc.status {
			t.Errorf("%s = %d %s, want %d", tc.body, got.status, got.body, tc.status)
		}
	}
}

func TestUsageIsReportedInWholeNumbers(t *testing.T) {
	d := open(t, doorOptions{access: access.Options{Plans: map[string]access.Plan{"small": {Credits: 100}}, DefaultPlan: "small"}})
	caller := trawl.Caller{TeamID: trawl.DefaultTeam, KeyID: get[trawl.KeysReply](t, d, "/v2/team/api-keys").APIKeys[0].ID}
	charge, err := d.access.Reserve(t.Context(), caller, 10)
	if err != nil {
		t.Fatal(err)
	}
	charge.Settle(7)
	if err := d.access.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	credits := get[trawl.CreditUsageReply](t, d, "/v2/team/credit-usage").Data
	if credits.RemainingCredits != 93 || credits.PlanCredits != 100 {
		t.Errorf("credits %+v, want 93 of 100", credits)
	}
	tokens := get[trawl.TokenUsageReply](t, d, "/v2/team/token-usage").Data
	if tokens.RemainingTokens != 93*15 || tokens.PlanTokens != 1500 {
		t.Errorf("tokens %+v", tokens)
	}
	history := get[trawl.HistoryReply](t, d, "/v2/team/credit-usage/historical?byApiKey=true")
	if len(history.Periods) != 1 || *history.Periods[0].CreditsUsed != 7 || history.Periods[0].APIKey != "bootstrap" || history.Periods[0].EndDate != nil {
		t.Errorf("history %+v", history)
	}
	if whole := get[trawl.HistoryReply](t, d, "/v2/team/token-usage/historical"); *whole.Periods[0].TokensUsed != 105 || whole.Periods[0].APIKey != "" {
		t.Errorf("token history %+v", whole)
	}
	if week := get[trawl.HistoryReply](t, d, "/v2/team/credit-usage/historical?timeRange=week"); week.Window == nil || *week.Periods[0].CreditsUsed != 7 {
		t.Errorf("week %+v", week)
	}
	for query, want := range map[string]string{
		"timeRange=year":              "timeRange must be day, week, or month.",
		"timeRange=day&byApiKey=true": "byApiKey cannot be combined with timeRange.",
	} {
		got := d.call(t, "GET", "/v2/team/credit-usage/historical?"+query, "", as(d.key)...)
		if got.status != 400 || !strings.Contains(got.body, want) {
			t.Errorf("%s = %d %s", query, got.status, got.body)
		}
	}
}

func TestUnlimitedPlansReportABillion(t *testing.T) {
	d := open(t, doorOptions{})
	if u := get[trawl.CreditUsageReply](t, d, "/v2/team/credit-usage").Data; u.RemainingCredits != 1_000_000_000 || u.PlanCredits != 1_000_000_000 {
		t.Errorf("credits %+v", u)
	}
	if u := get[trawl.TokenUsageReply](t, d, "/v2/team/token-usage").Data; u.RemainingTokens != 1_000_000_000 {
		t.Errorf("tokens %+v", u)
	}
	if q := get[trawl.QueueReply](t, d, "/v2/team/queue-status"); q.MaxConcurrency != 4 || q.MostRecentSuccess != nil {
		t.Errorf("queue %+v", q)
	}
	if c := get[trawl.ConcurrencyReply](t, d, "/v2/concurrency-check"); c.Concurrency != 0 || c.MaxConcurrency != 4 {
		t.Errorf("concurrency %+v", c)
	}
}

func TestActivityIsReadInPages(t *testing.T) {
	d := open(t, doorOptions{})
	for i := range 5 {
		endpoint, target := "scrape", fmt.Sprintf("http://a.test/%d", i)
		if i == 4 {
			endpoint, target = "map", ""
		}
		d.access.Note(store.Activity{TeamID: trawl.DefaultTeam, Endpoint: endpoint, Target: target, At: d.now.Add(time.Duration(i) * time.Second)})
	}
	var seen []string
	path := "/v2/team/activity?limit=2"
	for pages := 0; pages < 5; pages++ {
		page := get[trawl.ActivityReply](t, d, path)
		for _, e := range page.Data {
			if e.Target == nil {
				seen = append(seen, "null")
			} else {
				seen = append(seen, (*e.Target)[len("http://a.test/"):])
			}
		}
		if page.HasMore != (page.Cursor != nil) {
			t.Fatalf("has_more %v but cursor %v", page.HasMore, page.Cursor)
		}
		if !page.HasMore {
			break
		}
		path = "/v2/team/activity?limit=2&cursor=" + *page.Cursor
	}
	if got := strings.Join(seen, " "); got != "null 3 2 1 0" {
		t.Errorf("seen %q, newest first, each once", got)
	}
	if only := get[trawl.ActivityReply](t, d, "/v2/team/activity?endpoint=map"); len(only.Data) != 1 {
		t.Errorf("filtered: %+v", only)
	}
	for query, want := range map[string]string{"endpoint=x": "Invalid endpoint filter. Must be one of: scrape, crawl,", "cursor=!": "Invalid cursor."} {
		if got := d.call(t, "GET", "/v2/team/activity?"+query, "", as(d.key)...); got.status != 400 || !strings.Contains(got.body, want) {
			t.Errorf("%s = %d %s", query, got.status, got.body)
		}
	}
}
