package crawlbench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/bench/house"
	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/client"
)

// killEvery is how long nobody dies.
const killEvery = 3 * time.Second

// kills crawls while processes are killed with SIGKILL every few seconds: the
// only one, on SQLite, and one of three workers on PostgreSQL, where there is
// one. It fails unless every page came exactly once, all counters agree and
// every event was delivered under one id.
func kills(ctx context.Context, env suite.Env, s *stage) ([]suite.Result, error) {
	pages := 2000
	if env.Quick {
		pages = 200
	}
	arenas := []arena{{name: "sqlite", servers: []string{"all"}}}
	if address := os.Getenv("TRAWL_TEST_POSTGRES"); address != "" {
		arenas = append(arenas, arena{name: "postgres", database: address, servers: []string{"api", "worker", "worker", "worker"}})
	} else {
		fmt.Fprintln(env.Log, "crawl-kills: no PostgreSQL (scripts/with-postgres), so only SQLite")
	}
	var results []suite.Result
	for _, a := range arenas {
		killed, took, err := s.survive(ctx, a, pages)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.name, err)
		}
		fmt.Fprintf(env.Log, "crawl-kills: %s: %d pages in %.0f s, %d times SIGKILL: every page once, %d events, each under an id of its own\n",
			a.name, pages, took.Seconds(), killed, pages+2)
		results = append(results, suite.Result{Name: "crawl-kills." + a.name, Value: float64(killed), Unit: "kills",
			Note: fmt.Sprintf("survived by a crawl of %d pages, each of which came once", pages)})
	}
	return results, nil
}

// arena is a set of servers on one database, by their roles; the first one answers requests.
type arena struct {
	name     string
	database string // empty: SQLite
	servers  []string
}

// survive runs one crawl among killings.
func (s *stage) survive(ctx context.Context, a arena, pages int) (killed int, took time.Duration, err error) {
	dir, err := os.MkdirTemp(s.dir, "kills-")
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	bell := &bell{events: map[string]trawl.WebhookEvent{}}
	hook := httptest.NewServer(bell)
	defer hook.Close()
	crew := &crew{stage: s, arena: a, dir: dir}
	defer func() { err = errors.Join(err, crew.stop()) }()
	if err := crew.start(ctx); err != nil {
		return 0, 0, err
	}
	api, err := client.New(client.Options{BaseURL: crew.victims[0].url, Key: house.Key})
	if err != nil {
		return 0, 0, err
	}
	begun, err := api.StartCrawl(ctx, trawl.CrawlRequest{
		URL: s.site.URL, CrawlOptions: trawl.CrawlOptions{Limit: pages}, Webhook: &trawl.Webhook{URL: hook.URL},
	})
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	if killed, err = crew.killUntilDone(ctx, begun.ID); err != nil {
		return killed, 0, err
	}
	took = time.Since(began)
	return killed, took, errors.Join(crew.inspect(ctx, begun.ID, pages), bell.inspect(ctx, pages))
}

// killUntilDone kills one process after the other until the crawl has ended.
func (c *crew) killUntilDone(ctx context.Context, id string) (killed int, err error) {
	for {
		select {
		case <-ctx.Done():
			return killed, ctx.Err()
		case <-time.After(killEvery):
		}
		status, err := c.status(ctx, id, trawl.Window{Limit: 1})
		if err != nil || status.Ended() {
			return killed, err
		}
		mortal := len(c.victims) - 1 // with several, the one that answers lives
		victim := mortal - rand.IntN(max(mortal, 1))
		if err := c.victims[victim].kill(); err != nil {
			return killed, err
		}
		killed++
		if err := c.revive(ctx, victim); err != nil {
			return killed, err
		}
	}
}

// inspect pages through the result and looks for what is there twice or not at all.
func (c *crew) inspect(ctx context.Context, id string, pages int) error {
	seen := map[string]bool{}
	for skip := 0; ; {
		status, err := c.status(ctx, id, trawl.Window{Skip: skip, Limit: trawl.DefaultWindow})
		if err != nil {
			return err
		}
		if status.Status != trawl.CrawlCompleted || status.Completed != pages || status.Total != pages || status.CreditsUsed != pages {
			return fmt.Errorf("%s with %d of %d pages and %d credits, want %d", status.Status, status.Completed, status.Total, status.CreditsUsed, pages)
		}
		docs, err := status.Documents()
		if err != nil {
			return err
		}
		for _, doc := range docs {
			if seen[doc.Metadata.SourceURL] {
				return fmt.Errorf("%s is there twice", doc.Metadata.SourceURL)
			}
			seen[doc.Metadata.SourceURL] = true
		}
		if skip += len(docs); len(docs) == 0 || skip >= pages {
			break
		}
	}
	if len(seen) != pages {
		return fmt.Errorf("%d different pages, want %d", len(seen), pages)
	}
	return nil
}

// bell receives events.
type bell struct {
	mu     sync.Mutex
	events map[string]trawl.WebhookEvent // by the id that stays the same on retries
}

// ServeHTTP takes one event.
func (b *bell) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var e trawl.WebhookEvent
	if err = errors.Join(err, json.Unmarshal(body, &e)); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events[e.WebhookID] = e
}

// bellTime is how long the last events may take.
const bellTime = 2 * time.Minute

// inspect waits until all events are there, and wants no others.
func (b *bell) inspect(ctx context.Context, pages int) error {
	want := map[string]int{"crawl.started": 1, "crawl.page": pages, "crawl.completed": 1}
	var got map[string]int
	for deadline := time.Now().Add(bellTime); time.Now().Before(deadline) && ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		if got = b.count(); !slices.ContainsFunc([]string{"crawl.started", "crawl.page", "crawl.completed"}, func(kind string) bool { return got[kind] < want[kind] }) {
			break
		}
	}
	for kind, n := range got {
		if n != want[kind] {
			return fmt.Errorf("%d events %s, want %d", n, kind, want[kind])
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("events %v, want %v", got, want)
	}
	return nil
}

func (b *bell) count() map[string]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := map[string]int{}
	for _, e := range b.events {
		n[e.Type]++
	}
	return n
}

// dataDir is where a server keeps what it has; on PostgreSQL blobs are shared in it.
func (c *crew) dataDir() string { return filepath.Join(c.dir, "data") }
