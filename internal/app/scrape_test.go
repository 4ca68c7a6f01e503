package app_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testsite"
)

func TestAPageBecomesADocument(t *testing.T) {
	site, r := testsite.New(t), start(t, settings(t))
	got := r.scrape(t, site.URL+"/read/article", map[string]any{"formats": []string{"markdown", "html", "rawHtml", "links"}})
	if got.Status != 200 || !got.Success {
		t.Fatalf("%d %s", got.Status, got.Raw)
	}
	doc := got.Data
	if !strings.HasPrefix(doc.Markdown, "# Why the harbour clock runs late") || strings.Contains(doc.Markdown, "<") {
		t.Errorf("markdown: %.200s", doc.Markdown)
	}
	if !strings.Contains(doc.HTML, "<h1>") || !strings.Contains(doc.RawHTML, "<!doctype html>") && !strings.Contains(doc.RawHTML, "<!DOCTYPE html>") {
		t.Errorf("html: %.200s; rawHtml: %.200s", doc.HTML, doc.RawHTML)
	}
	m := doc.Metadata
	if m.SourceURL != site.URL+"/read/article" || m.StatusCode != 200 || m.ProxyUsed != "basic" || m.CacheState != "miss" || m.CreditsUsed != 1 || m.ScrapeID == "" || m.ConcurrencyLimited {
		t.Errorf("metadata %+v", m)
	}
	if m.Page["title"] == nil || m.Page["language"] == nil {
		t.Errorf("page metadata %v", m.Page)
	}
}

func TestAFieldIsThereOnlyWhenAskedFor(t *testing.T) {
	site, r := testsite.New(t), start(t, settings(t))
	links := r.scrape(t, site.URL+"/read/article", map[string]any{"formats": []string{"links"}})
	if links.Data.Markdown != "" || strings.Contains(links.Raw, `"markdown"`) {
		t.Errorf("markdown leaked: %s", links.Raw)
	}
	nothing := r.scrape(t, site.URL+"/read/article", map[string]any{"formats": []string{}})
	if nothing.Status != 200 || !strings.HasPrefix(nothing.Raw, `{"success":true,"data":{"metadata":`) {
		t.Errorf("no format: %s", nothing.Raw)
	}
}

func TestAFinishedScrapeCanBeReadAgain(t *testing.T) {
	site, r := testsite.New(t), start(t, settings(t))
	first := r.scrape(t, site.URL+"/read/article", nil)
	path := "/v2/scrape/" + first.Data.Metadata.ScrapeID
	if again := r.call(t, "GET", path, nil); again.Status != 200 || again.Data.Markdown != first.Data.Markdown || again.Data.Metadata.ScrapeID != first.Data.Metadata.ScrapeID {
		t.Errorf("at once: %d %.300s", again.Status, again.Raw)
	}
	eventually(t, 5*time.Second, "the scrape is in the store", func() bool {
		_, _, err := r.Store.Scrape(t.Context(), trawl.DefaultTeam, first.Data.Metadata.ScrapeID, time.Now())
		return err == nil
	})
	if later := r.call(t, "GET", path, nil); later.Status != 200 || later.Data.Markdown != first.Data.Markdown || later.Data.Metadata.Page["title"] == nil {
		t.Errorf("from the store: %d %.300s", later.Status, later.Raw)
	}
	if err := r.Access.EnsureTeam(t.Context(), "others"); err != nil {
		t.Fatal(err)
	}
	_, token, err := r.Access.CreateKey(t.Context(), trawl.Key{TeamID: "others"})
	if err != nil {
		t.Fatal(err)
	}
	if other := r.call(t, "GET", path, nil, token); other.Status != 404 || other.Error != "Not Found" {
		t.Errorf("another team: %d %s", other.Status, other.Raw)
	}
}

func TestNothingIsRetainedWhenAskedNotTo(t *testing.T) {
	site, r := testsite.New(t), start(t, settings(t))
	got := r.scrape(t, site.URL+"/read/article", map[string]any{"zeroDataRetention": true})
	if got.Status != 200 || got.Data.Metadata.CreditsUsed != 2 {
		t.Fatalf("%d, %d credits", got.Status, got.Data.Metadata.CreditsUsed)
	}
	if again := r.call(t, "GET", "/v2/scrape/"+got.Data.Metadata.ScrapeID, nil); again.Status != 404 {
		t.Errorf("reading it again: %d, want 404", again.Status)
	}
	if next := r.scrape(t, site.URL+"/read/article", nil); next.Data.Metadata.CacheState != "miss" {
		t.Errorf("cache after zero retention: %s, want miss", next.Data.Metadata.CacheState)
	}
}

func TestACopyServesAnyFormat(t *testing.T) {
	site, r := testsite.New(t), start(t, settings(t))
	page := site.URL + "/read/article"
	r.scrape(t, page, nil)
	hits := site.Hits(page)
	second := r.scrape(t, page, map[string]any{"formats": []string{"html", "links"}})
	if m := second.Data.Metadata; m.CacheState != "hit" || m.CachedAt == nil || second.Data.HTML == "" || site.Hits(page) != hits {
		t.Errorf("second: %+v, %d hits after %d", m, site.Hits(page), hits)
	}
	fresh := r.scrape(t, page, map[string]any{"maxAge": 0})
	if fresh.Data.Metadata.CacheState != "" || strings.Contains(fresh.Raw, "cacheState") || site.Hits(page) != hits+1 {
		t.Errorf("maxAge 0: %s", fresh.Raw)
	}
	own := r.scrape(t, page, map[string]any{"headers": map[string]string{"X-Own": "1"}})
	if own.Data.Metadata.CacheState != "" {
		t.Errorf("with headers: cacheState %q", own.Data.Metadata.CacheState)
	}
}

func TestCacheOnlyRequestsNeverGoOut(t *testing.T) {
	site, r := testsite.New(t), start(t, settings(t))
	page := site.URL + "/read/docs"
	for _, tc := range []struct {
		name    string
		options map[string]any
		code    string
	}{
		{"lockdown", map[string]any{"lockdown": true}, "SCRAPE_LOCKDOWN_CACHE_MISS"},
		{"minAge", map[string]any{"minAge": 0}, "SCRAPE_NO_CACHED_DATA"},
	} {
		if got := r.scrape(t, page, tc.options); got.Status != 404 || got.Code != tc.code {
			t.Errorf("%s: %d %s", tc.name, got.Status, got.Raw)
		}
	}
	if site.Hits(page) != 0 {
		t.Errorf("%d requests went out", site.Hits(page))
	}
	r.scrape(t, page, nil)
	got := r.scrape(t, page, map[string]any{"lockdown": true})
	if got.Status != 200 || got.Data.Metadata.CacheState != "hit" || got.Data.Metadata.CreditsUsed != 5 {
		t.Errorf("lockdown with a copy: %d %s", got.Status, got.Raw)
	}
	if old := r.scrape(t, page, map[string]any{"minAge": 3_600_000}); old.Status != 404 {
		t.Errorf("a copy that is too young: %d", old.Status)
	}
}

func TestATargetThatAnswersWithAnErrorIsADocument(t *testing.T) {
	site, r := testsite.New(t), start(t, settings(t))
	got := r.scrape(t, site.URL+"/status/404", nil)
	if got.Status != 200 || !got.Success || got.Data.Metadata.StatusCode != 404 || got.Data.Metadata.Error != "Not Found" || got.Data.Metadata.CreditsUsed != 1 {
		t.Errorf("%d %s", got.Status, got.Raw)
	}
}

func TestTheTimeoutIsKept(t *testing.T) {
	site, r := testsite.New(t), start(t, settings(t))
	began := time.Now()
	got := r.scrape(t, site.URL+"/slow/never", map[string]any{"timeout": 1000, "fastMode": true})
	if got.Status != 408 || got.Error != "Request Timeout" || got.Code != "SCRAPE_TIMEOUT" {
		t.Errorf("%d %s", got.Status, got.Raw)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("the answer took %s", took)
	}
}

func TestWhatThisServerCannotDoIsRefused(t *testing.T) {
	site, r := testsite.New(t), start(t, settings(t))
	for _, options := range []map[string]any{
		{"formats": []any{"summary"}},
		{"formats": []any{map[string]any{"type": "json", "prompt": "x"}}},
		{"formats": []any{"menu"}},
		{"redactPII": true},
	} {
		if got := r.scrape(t, site.URL+"/read/article", options); got.Status != 400 || !strings.Contains(got.Error, "not available on this server") {
			t.Errorf("%v: %d %s", options, got.Status, got.Raw)
		}
	}
	if got := r.scrape(t, site.URL+"/read/article", map[string]any{"formats": []string{"audio"}}); got.Status != 400 || got.Code != "SCRAPE_AUDIO_UNSUPPORTED_URL" {
		t.Errorf("audio: %d %s", got.Status, got.Raw)
	}
	if got := r.scrape(t, site.URL+"/read/article", map[string]any{"threatProtection": map[string]any{"mode": "normal"}}); got.Status != 403 {
		t.Errorf("threat protection: %d %s", got.Status, got.Raw)
	}
	blocked := map[string]any{"threatProtection": map[string]any{"mode": "manual-only", "blacklist": []string{"127.0.0.1"}}}
	if got := r.scrape(t, site.URL+"/read/article", blocked); got.Status != 403 || got.Code != "unsafe_domain_blocked" {
		t.Errorf("blacklist: %d %s", got.Status, got.Raw)
	}
}

func TestCreditsAreChargedAndRefused(t *testing.T) {
	site := testsite.New(t)
	s := settings(t)
	s.Plans, s.DefaultPlan = writePlans(t, "plans:\n  tiny: {credits: 2}\n"), "tiny"
	r := start(t, s)
	for i := range 2 {
		if got := r.scrape(t, site.URL+"/read/article", nil); got.Status != 200 {
			t.Fatalf("scrape %d: %d %s", i, got.Status, got.Raw)
		}
	}
	got := r.scrape(t, site.URL+"/read/article", nil)
	if got.Status != 402 || got.Error != "Payment Required: Insufficient credits" {
		t.Errorf("third: %d %s", got.Status, got.Raw)
	}
	if team := r.call(t, "GET", "/v2/team", nil); team.Status != 200 {
		t.Errorf("reads stay open: %d", team.Status)
	}
}

func TestWaitingForASlotIsBounded(t *testing.T) {
	site := testsite.New(t)
	s := settings(t)
	s.MaxBrowsers = 1
	r := start(t, s)
	slow := make(chan reply, 1)
	go func() {
		got, err := r.try(t.Context(), "POST", "/v2/scrape", map[string]any{"url": site.URL + "/slow/headers?ms=3000", "fastMode": true}, key)
		if err != nil {
			t.Error(err)
		}
		slow <- got
	}()
	eventually(t, 5*time.Second, "the slot is taken", func() bool {
		busy, _, err := r.Access.Busy(t.Context(), trawl.DefaultTeam)
		return err == nil && busy == 1
	})
	got := r.scrape(t, site.URL+"/read/article", map[string]any{"timeout": 1000, "fastMode": true})
	if got.Status != 429 || got.Error != "Concurrency limit reached" || got.Code != "CONCURRENCY_QUEUE_TIMEOUT" {
		t.Errorf("impatient: %d %s", got.Status, got.Raw)
	}
	patient := r.scrape(t, site.URL+"/read/docs", map[string]any{"timeout": 30000, "fastMode": true})
	if m := patient.Data; patient.Status != 200 || !m.Metadata.ConcurrencyLimited || m.Metadata.ConcurrencyQueueDurationMs <= 0 {
		t.Errorf("patient: %d %s", patient.Status, patient.Raw)
	}
	if first := <-slow; first.Status != 200 {
		t.Errorf("the slow one: %d %s", first.Status, first.Raw)
	}
}

func TestEveryScrapeIsActivityOnce(t *testing.T) {
	site, r := testsite.New(t), start(t, settings(t))
	r.scrape(t, site.URL+"/read/article", nil)
	r.scrape(t, site.URL+"/read/docs", map[string]any{"zeroDataRetention": true})
	r.scrape(t, "http://no-such-host.invalid/", nil)
	var list trawl.ActivityReply
	eventually(t, 5*time.Second, "all three are listed", func() bool {
		res, err := http.DefaultClient.Do(r.request(t, "GET", "/v2/team/activity"))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if err := json.NewDecoder(res.Body).Decode(&list); err != nil {
			t.Fatal(err)
		}
		return len(list.Data) >= 3
	})
	var targets []string
	for _, e := range list.Data {
		if e.Target == nil {
			targets = append(targets, "null")
			continue
		}
		targets = append(targets, strings.TrimPrefix(*e.Target, site.URL))
	}
	if got := strings.Join(targets, " "); got != "http://no-such-host.invalid/ null /read/article" {
		t.Errorf("activity %q, newest first, each once, nothing of what must not be retained", got)
	}
}
