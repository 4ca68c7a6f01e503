package crawl_test

import (
	"context"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/blob"
	"github.com/trawlhq/trawl/internal/crawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/htmldoc"
	"github.com/trawlhq/trawl/internal/fetch"
	"github.com/trawlhq/trawl/internal/job"
	"github.com/trawlhq/trawl/internal/netguard"
	"github.com/trawlhq/trawl/internal/notify"
	"github.com/trawlhq/trawl/internal/scrape"
	"github.com/trawlhq/trawl/internal/sitemap"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/telemetry"
	"github.com/trawlhq/trawl/internal/weburl"
)

// house is a crawler with everything it stands on.
type house struct {
	*crawl.Service
	store *store.Store
	stop  func() // ends the workers, as a server that stops
}

type houseOptions struct {
	store  *store.Store // nil: a new one
	dir    string
	plans  map[string]access.Plan
	change func(*crawl.Options)
	idle   bool                            // nobody works
	blobs  func(scrape.Blobs) scrape.Blobs // stands before the place of large contents; nil: nothing does
}

// build makes a house for one test and lets its workers run.
func build(t testing.TB, o houseOptions) *house {
	t.Helper()
	if o.dir == "" {
		o.dir = t.TempDir()
	}
	if o.store == nil {
		db, err := store.Open(context.Background(), store.Options{DataDir: o.dir})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() }) // a second close does nothing
		o.store = db
	}
	h, queue, writes, err := furnish(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if !o.idle {
			_ = queue.Run(ctx) // returns nil
		}
	}()
	writing, stopWriting := context.WithCancel(context.Background())
	written := make(chan struct{})
	go func() { defer close(written); _ = writes.Run(writing) }()
	h.stop = func() { cancel(); <-done; stopWriting(); <-written }
	t.Cleanup(h.stop)
	return h
}

// furnish puts the parts together; the kill test does so in a process of its own.
func furnish(ctx context.Context, o houseOptions) (*house, *job.Queue, *store.Group, error) {
	log := slog.New(slog.DiscardHandler)
	policy, err := netguard.ParsePolicy("true")
	if err != nil {
		return nil, nil, nil, err
	}
	guard := netguard.New(policy, netguard.Options{})
	blobs, err := blob.Open(blob.Options{Dir: o.dir + "/blobs"})
	if err != nil {
		return nil, nil, nil, err
	}
	kept := scrape.Blobs(blobs)
	if o.blobs != nil {
		kept = o.blobs(kept)
	}
	gate := access.New(o.store, access.Options{Off: true, Slots: 16, Plans: o.plans})
	if _, err := gate.Start(ctx); err != nil {
		return nil, nil, nil, err
	}
	parse := func(raw string) (*url.URL, error) { return weburl.Parse(raw, guard.AllowsName) }
	fetcher := fetch.Retry(fetch.NewHTTP(guard, nil))
	writes := store.NewGroup(o.store, log)
	scraper := scrape.New(scrape.Options{
		Fetcher: fetcher, Store: o.store, Blobs: kept, Writes: writes, Access: gate, ParseURL: parse, Log: log, Metrics: telemetry.NewMetrics(),
		Readers: document.Readers{document.HTML: func(_ context.Context, in document.Input) (*document.Doc, error) {
			return htmldoc.Read(in.Body, in.ContentType, in.URL)
		}},
	})
	queue := job.New(job.Options{Store: o.store, Log: log, Interactive: 4, Bulk: 4, Lease: time.Second, Poll: 50 * time.Millisecond})
	robots := fetch.NewRobotsFiles(fetcher, "trawl", "FirecrawlAgent")
	finder := &sitemap.Finder{Fetcher: fetcher, Robots: robots}
	bell := notify.New(notify.Options{
		Store: o.store, Queue: queue, Guard: guard, Retries: []time.Duration{50 * time.Millisecond, 50 * time.Millisecond},
		Document: func(ctx context.Context, team, id string) (*trawl.Document, error) {
			return scraper.Scraped(trawl.WithCaller(ctx, trawl.Caller{TeamID: team}), id)
		},
	})
	options := crawl.Options{
		Store: o.store, Queue: queue, Scraper: scraper, Access: gate, Robots: robots, Sitemaps: finder, Notify: bell, ParseURL: parse, Log: log,
		Mapper: sitemap.New(sitemap.Options{Finder: finder, Fetcher: fetcher, Store: o.store, Access: gate, ParseURL: parse, Refuse: scraper.Check}),
	}
	if o.change != nil {
		o.change(&options)
	}
	h := &house{Service: crawl.New(options), store: o.store}
	queue.Handle(crawl.JobKind, job.Handler{Work: h.Work})
	queue.Handle(notify.JobKind, job.Handler{Work: bell.Work})
	return h, queue, writes, nil
}

// start begins a crawl that must be accepted.
func (h *house) start(t testing.TB, req trawl.CrawlRequest) string {
	t.Helper()
	begun, err := h.StartCrawl(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return begun.ID
}

// patience is how long anything in a test may take on a busy machine.
const patience = 60 * time.Second

// finish waits for the end of a crawl and checks what must hold of every ended one.
func (h *house) finish(t testing.TB, id string, status func(context.Context, string, trawl.Window) (*trawl.CrawlStatus, error)) (*trawl.CrawlStatus, []*trawl.Document) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		st, err := status(t.Context(), id, trawl.Window{Limit: trawl.MaxWindow})
		if err != nil {
			t.Fatal(err)
		}
		if st.Completed > st.Total {
			t.Fatalf("completed %d of a total of %d", st.Completed, st.Total)
		}
		if st.Ended() {
			docs, err := st.Documents()
			if err != nil {
				t.Fatal(err)
			}
			if st.Total != st.Completed || !st.More && len(docs) != st.Completed {
				t.Errorf("total %d, completed %d, %d documents: they must agree at the end", st.Total, st.Completed, len(docs))
			}
			return st, docs
		}
		if time.Now().After(deadline) {
			t.Fatalf("still %s after %v: %d of %d", st.Status, patience, st.Completed, st.Total)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// sources are the addresses of documents, sorted, without their origin: those
// that were asked for, but for redirects, of which any that leads to a page may have come first.
func sources(docs []*trawl.Document, origin string) []string {
	list := make([]string, len(docs))
	for i, doc := range docs {
		address := doc.Metadata.SourceURL
		if strings.HasSuffix(address, "/back-inside") {
			address = doc.Metadata.URL
		}
		list[i] = strings.TrimPrefix(address, origin)
	}
	slices.Sort(list)
	return list
}

func sorted(list ...string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}
