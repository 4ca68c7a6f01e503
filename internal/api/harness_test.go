package api_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/access"
	"github.com/trawlhq/trawl/internal/api"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/telemetry"
	"github.com/trawlhq/trawl/internal/weburl"
)

// scraperFunc is a scraper that does what a test says.
type scraperFunc func(ctx context.Context, req trawl.ScrapeRequest) (*trawl.Document, error)

func (f scraperFunc) Scrape(ctx context.Context, req trawl.ScrapeRequest) (*trawl.Document, error) {
	return f(ctx, req)
}

func (f scraperFunc) Scraped(context.Context, string) (*trawl.Document, error) {
	return nil, trawl.Errorf(trawl.NotFound, "Not Found")
}

type noQueue struct{}

func (noQueue) Depth(context.Context, string) (int, int, error) { return 0, 0, nil }

// door is a server on a store of its own.
type door struct {
	*httptest.Server
	access *access.Service
	key    string // all scopes
	now    *time.Time
}

type doorOptions struct {
	access  access.Options
	scraper trawl.Scraper
	change  func(*api.Options)
}

// open makes a server for one test. The clock stands still unless the test moves it.
func open(t *testing.T, o doorOptions) *door {
	t.Helper()
	ctx := t.Context()
	db, err := store.Open(ctx, store.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 15, 12, 0, 10, 0, time.UTC)
	d := &door{key: "fc-all", now: &now}
	o.access.BootstrapKey, o.access.Now = d.key, func() time.Time { return *d.now }
	if o.access.Slots == 0 {
		o.access.Slots = 4
	}
	d.access = access.New(db, o.access)
	if _, err := d.access.Start(ctx); err != nil {
		t.Fatal(err)
	}
	if o.scraper == nil {
		o.scraper = scraperFunc(func(context.Context, trawl.ScrapeRequest) (*trawl.Document, error) {
			return &trawl.Document{Markdown: "# Hello"}, nil
		})
	}
	options := api.Options{
		Access: d.access, Scraper: o.scraper, Queue: noQueue{}, Version: "test",
		Log: slog.New(slog.DiscardHandler), Metrics: telemetry.NewMetrics(),
		CheckURL: func(raw string) string {
			if _, err := weburl.Parse(raw, nil); err != nil {
				return err.Error()
			}
			return ""
		},
	}
	if o.change != nil {
		o.change(&options)
	}
	server, err := api.New(options)
	if err != nil {
		t.Fatal(err)
	}
	d.Server = httptest.NewServer(server.Handler())
	t.Cleanup(func() {
		d.Close()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// newKey makes a further key.
func (d *door) newKey(t *testing.T, k trawl.Key) string {
	t.Helper()
	k.TeamID = trawl.DefaultTeam
	_, token, err := d.access.CreateKey(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// call sends a request; headers come as pairs.
func (d *door) call(t *testing.T, method, path, body string, headers ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, d.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := d.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, strings.TrimSpace(string(data))}
}

// as gives the header of a key.
func as(key string) []string { return []string{"Authorization", "Bearer " + key} }

func newRequest(t *testing.T, ctx context.Context, url, body, key string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	return req
}
