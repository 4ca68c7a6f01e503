package crawl_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/testsite"
)

func refusal(t *testing.T, err error) *trawl.Error {
	t.Helper()
	var e *trawl.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v, want one for the caller", err)
	}
	return e
}

func TestDocumentsArePagedInAStableOrder(t *testing.T) {
	site := testsite.New(t)
	h := build(t, houseOptions{})
	id := h.start(t, trawl.CrawlRequest{URL: site.Origin("shop") + "/", CrawlOptions: trawl.CrawlOptions{Limit: 130}})
	_, all := h.finish(t, id, h.CrawlStatus)
	var read []string
	for skip := 0; ; {
		st, err := h.CrawlStatus(t.Context(), id, trawl.Window{Skip: skip, Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		docs, err := st.Documents()
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range docs {
			read = append(read, d.Metadata.ScrapeID)
		}
		skip += len(docs)
		if !st.More {
			break
		}
	}
	var want []string
	for _, d := range all {
		want = append(want, d.Metadata.ScrapeID)
	}
	if !slices.Equal(read, want) || len(read) != 130 {
		t.Errorf("paging gave %d documents in another order than the %d at once", len(read), len(want))
	}
	for _, d := range all[:3] {
		again, err := h.Scraper.Scraped(t.Context(), d.Metadata.ScrapeID)
		if err != nil || again.Markdown != d.Markdown {
			t.Errorf("scrape %s read again: %v", d.Metadata.ScrapeID, err)
		}
	}
	if st, err := h.CrawlStatus(t.Context(), id, trawl.Window{Skip: 500}); err != nil || len(st.Data) != 0 || st.More {
		t.Errorf("beyond the end: %d documents, more %v, %v", len(st.Data), st.More, err)
	}
}

func TestACancelledCrawlStopsFetchingAndKeepsWhatItHas(t *testing.T) {
	var mu sync.Mutex
	var last time.Time
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		last = time.Now()
		mu.Unlock()
		time.Sleep(20 * time.Millisecond)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<h1>Page</h1><p>A page of a site without end.</p>")
		for i := range 10 {
			fmt.Fprintf(w, `<a href="%s/%d">next</a> `, strings.TrimSuffix(r.URL.Path, "/"), i)
		}
	}))
	defer site.Close()
	h := build(t, houseOptions{})
	id := h.start(t, trawl.CrawlRequest{URL: site.URL + "/", CrawlOptions: trawl.CrawlOptions{Sitemap: trawl.SitemapSkip}})
	for {
		st, err := h.CrawlStatus(t.Context(), id, trawl.Window{})
		if err != nil {
			t.Fatal(err)
		}
		if st.Completed >= 5 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if active, err := h.ActiveCrawls(t.Context()); err != nil || len(active) != 1 || active[0].ID != id || active[0].Options.Sitemap != trawl.SitemapSkip {
		t.Errorf("active crawls %+v, %v", active, err)
	}
	if err := h.CancelCrawl(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	cancelled := time.Now()
	st, docs := h.finish(t, id, h.CrawlStatus)
	if st.Status != trawl.CrawlCancelled || len(docs) < 5 {
		t.Errorf("%s with %d documents", st.Status, len(docs))
	}
	h.stop()
	mu.Lock()
	defer mu.Unlock()
	if late := last.Sub(cancelled); late > time.Second {
		t.Errorf("a page was fetched %v after the crawl was cancelled", late)
	}
	if err := h.CancelCrawl(t.Context(), id); err != nil {
		t.Errorf("cancelled twice: %v", err)
	}
	c, err := h.store.Crawl(t.Context(), id)
	if err != nil || c.Leased != 0 || c.Waiting != 0 {
		t.Errorf("%d pages still leased, %d waiting, %v", c.Leased, c.Waiting, err)
	}
	if active, err := h.ActiveCrawls(t.Context()); err != nil || len(active) != 0 {
		t.Errorf("still active: %v, %v", active, err)
	}
}

func TestAFinishedCrawlCannotBeCancelled(t *testing.T) {
	site := testsite.New(t)
	h := build(t, houseOptions{})
	id := h.start(t, trawl.CrawlRequest{URL: site.Origin("graph") + "/blogger"})
	h.finish(t, id, h.CrawlStatus)
	if e := refusal(t, h.CancelCrawl(t.Context(), id)); e.Kind != trawl.Conflict || e.Code != "JOB_ALREADY_FINISHED" {
		t.Errorf("cancel = %+v", e)
	}
	if e := refusal(t, h.CancelBatch(t.Context(), id)); e.Kind != trawl.NotFound {
		t.Errorf("a crawl is a batch: %+v", e)
	}
}

func TestABatchScrapesEveryAddressAndLeavesBadOnesOut(t *testing.T) {
	site := testsite.New(t)
	h := build(t, houseOptions{})
	good, gone := site.Origin("graph")+"/about", "http://127.0.0.1:1/"
	begun, err := h.StartBatch(t.Context(), trawl.BatchRequest{URLs: []string{good, "ftp://a.test/", good, gone, "http://"}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(*begun.InvalidURLs, []string{"ftp://a.test/", "http://"}) {
		t.Errorf("invalid addresses %q", *begun.InvalidURLs)
	}
	st, docs := h.finish(t, begun.ID, h.BatchStatus)
	if st.Status != trawl.CrawlCompleted || len(docs) != 2 || docs[0].Metadata.SourceURL != good || docs[0].Metadata.ScrapeID == docs[1].Metadata.ScrapeID {
		t.Errorf("%s with %d documents", st.Status, len(docs))
	}
	problems, err := h.BatchErrors(t.Context(), begun.ID)
	if err != nil || len(problems.Errors) != 1 || problems.Errors[0].URL != gone || problems.Errors[0].Code == "" {
		t.Errorf("errors %+v, %v", problems, err)
	}

	// Appending reopens it, with options of its own.
	formats := []trawl.Format{{Type: trawl.FormatLinks}}
	more, err := h.StartBatch(t.Context(), trawl.BatchRequest{
		URLs: []string{site.Origin("graph") + "/blog/"}, AppendToID: begun.ID, ScrapeOptions: trawl.ScrapeOptions{Formats: &formats},
	})
	if err != nil || more.ID != begun.ID {
		t.Fatalf("append: %+v, %v", more, err)
	}
	_, docs = h.finish(t, begun.ID, h.BatchStatus)
	if len(docs) != 3 || docs[2].Markdown != "" || len(docs[2].Links) == 0 {
		t.Errorf("after appending: %d documents", len(docs))
	}
}

func TestABatchWithABadAddressCanBeRefusedAsAWhole(t *testing.T) {
	h := build(t, houseOptions{idle: true})
	no := false
	_, err := h.StartBatch(t.Context(), trawl.BatchRequest{URLs: []string{"http://a.test/", "ftp://a.test/"}, IgnoreInvalidURLs: &no})
	if e := refusal(t, err); e.Message != "Invalid URL" {
		t.Errorf("refused with %+v", e)
	}
	_, err = h.StartBatch(t.Context(), trawl.BatchRequest{URLs: []string{"ftp://a.test/"}})
	if e := refusal(t, err); e.Message != "No valid URLs provided" {
		t.Errorf("refused with %+v", e)
	}
	_, err = h.StartBatch(t.Context(), trawl.BatchRequest{URLs: []string{"http://a.test/"}, AppendToID: "01a1dd59-0786-752e-8f09-d41a85d06648"})
	if e := refusal(t, err); e.Kind != trawl.NotFound {
		t.Errorf("refused with %+v", e)
	}
}

func TestAnIdempotencyKeyWorksOnce(t *testing.T) {
	h := build(t, houseOptions{idle: true})
	first, err := h.StartCrawl(t.Context(), trawl.CrawlRequest{URL: "http://a.test/", IdempotencyKey: "k"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = h.StartBatch(t.Context(), trawl.BatchRequest{URLs: []string{"http://a.test/"}, IdempotencyKey: "k"})
	e := refusal(t, err)
	if details, _ := e.Details.(map[string]any); e.Code != "IDEMPOTENCY_KEY_REUSED" || details["id"] != first.ID {
		t.Errorf("second use = %+v", e)
	}
}

func TestATeamMayNotQueueMoreThanItsPlanAllows(t *testing.T) {
	h := build(t, houseOptions{idle: true, plans: map[string]access.Plan{access.BuiltInPlan: {Queued: 3}}})
	if _, err := h.StartBatch(t.Context(), trawl.BatchRequest{URLs: []string{"http://a.test/1", "http://a.test/2"}}); err != nil {
		t.Fatal(err)
	}
	_, err := h.StartBatch(t.Context(), trawl.BatchRequest{URLs: []string{"http://a.test/3", "http://a.test/4"}})
	if e := refusal(t, err); e.Kind != trawl.RateLimited || e.Code != "QUEUE_FULL" {
		t.Errorf("refused with %+v", e)
	}
}

func TestCreditsLowerTheLimitOfACrawlAndRefuseABatch(t *testing.T) {
	site := testsite.New(t)
	h := build(t, houseOptions{plans: map[string]access.Plan{access.BuiltInPlan: {Credits: 3}}})
	_, err := h.StartBatch(t.Context(), trawl.BatchRequest{URLs: []string{"http://a.test/1", "http://a.test/2", "http://a.test/3", "http://a.test/4"}})
	if e := refusal(t, err); e.Kind != trawl.PaymentRequired {
		t.Errorf("batch refused with %+v", e)
	}
	id := h.start(t, trawl.CrawlRequest{URL: site.Origin("shop") + "/"})
	if st, _ := h.finish(t, id, h.CrawlStatus); st.Completed != 3 || st.CreditsUsed != 3 {
		t.Errorf("%d pages for %d credits, want 3 for 3", st.Completed, st.CreditsUsed)
	}
	_, err = h.StartCrawl(t.Context(), trawl.CrawlRequest{URL: site.Origin("shop") + "/"})
	if e := refusal(t, err); e.Kind != trawl.PaymentRequired {
		t.Errorf("crawl refused with %+v", e)
	}
}

func TestRobotsSwitchesNeedPermission(t *testing.T) {
	h := build(t, houseOptions{idle: true})
	_, err := h.StartCrawl(t.Context(), trawl.CrawlRequest{URL: "http://a.test/", CrawlOptions: trawl.CrawlOptions{IgnoreRobotsTxt: true}})
	if e := refusal(t, err); e.Kind != trawl.Forbidden {
		t.Errorf("refused with %+v", e)
	}
}

func TestAWorkerThatStopsIsFollowedByAnother(t *testing.T) {
	site := testsite.New(t)
	dir := t.TempDir()
	h := build(t, houseOptions{dir: dir})
	id := h.start(t, trawl.CrawlRequest{URL: site.Origin("shop") + "/", CrawlOptions: trawl.CrawlOptions{Limit: 400}})
	for range 4 {
		before, err := h.CrawlStatus(t.Context(), id, trawl.Window{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		for {
			st, err := h.CrawlStatus(t.Context(), id, trawl.Window{Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			if st.Ended() || st.Completed > before.Completed+20 {
				break
			}
			time.Sleep(2 * time.Millisecond)
		}
		h.stop()
		h = build(t, houseOptions{dir: dir, store: h.store})
	}
	_, docs := h.finish(t, id, h.CrawlStatus)
	seen := map[string]bool{}
	for _, d := range docs {
		if seen[d.Metadata.SourceURL] {
			t.Errorf("%s is there twice", d.Metadata.SourceURL)
		}
		seen[d.Metadata.SourceURL] = true
	}
	if len(docs) != 400 {
		t.Errorf("%d documents, want 400", len(docs))
	}
}

func TestPagesThatAreGoneAreScrapedAsHidden(t *testing.T) {
	var mu sync.Mutex
	links := `<a href="/kept">kept</a> <a href="/dropped">dropped</a>`
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<main><h1>%s</h1><p>A page of its own, with a sentence on it.</p>%s</main>", r.URL.Path, map[bool]string{true: links}[r.URL.Path == "/"])
	}))
	defer site.Close()
	h := build(t, houseOptions{})
	formats := []trawl.Format{{Type: trawl.FormatMarkdown}, {Type: trawl.FormatChangeTracking}}
	fast := trawl.ScrapeOptions{Formats: &formats, FastMode: true}
	req := trawl.CrawlRequest{URL: site.URL + "/", CrawlOptions: trawl.CrawlOptions{Sitemap: trawl.SitemapSkip}, ScrapeOptions: fast}
	h.finish(t, h.start(t, req), h.CrawlStatus)
	mu.Lock()
	links = `<a href="/kept">kept</a>`
	mu.Unlock()
	_, docs := h.finish(t, h.start(t, req), h.CrawlStatus)
	visible := map[string]string{}
	for _, d := range docs {
		visible[strings.TrimPrefix(d.Metadata.SourceURL, site.URL)] = d.ChangeTracking.Visibility
	}
	if len(visible) != 3 || visible["/"] != "visible" || visible["/kept"] != "visible" || visible["/dropped"] != "hidden" {
		t.Errorf("visibility %v", visible)
	}
}
