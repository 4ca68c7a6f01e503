package crawl_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
	"github.com/trawlhq/trawl/internal/testsite"
)

// victimVariable makes the test binary a worker that is there to be killed: its
// value is the store to work on, as JSON.
const victimVariable = "TRAWL_TEST_CRAWL_VICTIM"

// roundsVariable sets how often workers are killed; `make kill` raises it.
const roundsVariable = "TRAWL_TEST_KILL_ROUNDS"

func TestMain(m *testing.M) {
	if text := os.Getenv(victimVariable); text != "" {
		os.Exit(beVictim(text))
	}
	os.Exit(m.Run())
}

// beVictim works on crawls until it is killed.
func beVictim(text string) int {
	var opt store.Options
	if err := json.Unmarshal([]byte(text), &opt); err != nil {
		return 2
	}
	ctx := context.Background()
	db, err := store.Open(ctx, opt)
	if err != nil {
		return 3
	}
	dir := opt.DataDir
	if dir == "" {
		dir = os.TempDir()
	}
	h, queue, writes, err := furnish(ctx, houseOptions{store: db, dir: dir})
	if err != nil {
		return 4
	}
	go func() { _ = writes.Run(ctx) }()
	go func() { _ = h.Run(ctx) }()
	_ = queue.Run(ctx)
	return 0
}

// startVictim runs a worker in a process of its own.
func startVictim(t *testing.T, opt store.Options) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(opt)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victimVariable+"="+string(text))
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// receiver counts the webhook events it gets, by the id that stays the same on retries.
type receiver struct {
	mu     sync.Mutex
	events map[string]trawl.WebhookEvent
}

func (r *receiver) ServeHTTP(_ http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	var e trawl.WebhookEvent
	if err != nil || json.Unmarshal(body, &e) != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events[e.WebhookID] = e
}

func (r *receiver) count(kind string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, e := range r.events {
		if e.Type == kind {
			n++
		}
	}
	return n
}

func TestACrawlWhoseWorkersAreKilledIsCompleteAndExact(t *testing.T) {
	rounds := 3
	if n, err := strconv.Atoi(os.Getenv(roundsVariable)); err == nil {
		rounds = n
	}
	const pages = 400
	storetest.EachOptions(t, func(t *testing.T, opt store.Options) {
		site := testsite.New(t)
		bell := &receiver{events: map[string]trawl.WebhookEvent{}}
		hook := httptest.NewServer(bell)
		defer hook.Close()
		db := storetest.Open(t, opt)
		h := build(t, houseOptions{store: db, idle: true})
		id := h.start(t, trawl.CrawlRequest{
			URL: site.Origin("shop") + "/", CrawlOptions: trawl.CrawlOptions{Limit: pages, Sitemap: trawl.SitemapSkip}, Webhook: &trawl.Webhook{URL: hook.URL},
		})
		victims := make([]*exec.Cmd, 1)
		if opt.DatabaseURL != "" {
			victims = make([]*exec.Cmd, 3)
		}
		for i := range victims {
			victims[i] = startVictim(t, opt)
		}
		defer func() {
			for _, v := range victims {
				_ = v.Process.Kill()
				_ = v.Wait()
			}
		}()
		for round := range rounds {
			waitForProgress(t, h, id, 40)
			v := victims[round%len(victims)]
			_ = v.Process.Kill() // SIGKILL
			_ = v.Wait()
			victims[round%len(victims)] = startVictim(t, opt)
		}
		_, docs := h.finish(t, id, h.CrawlStatus)
		seen := map[string]bool{}
		for _, d := range docs {
			if seen[d.Metadata.SourceURL] {
				t.Errorf("%s is there twice", d.Metadata.SourceURL)
			}
			seen[d.Metadata.SourceURL] = true
		}
		if len(docs) != pages {
			t.Errorf("%d documents, want %d", len(docs), pages)
		}
		deadline := time.Now().Add(patience)
		for bell.count("crawl.page") < pages || bell.count("crawl.completed") < 1 {
			if time.Now().After(deadline) {
				t.Fatalf("%d page events and %d at the end, want %d and 1", bell.count("crawl.page"), bell.count("crawl.completed"), pages)
			}
			time.Sleep(20 * time.Millisecond)
		}
		if n := len(bell.events); n != pages+2 {
			t.Errorf("%d different events, want %d", n, pages+2)
		}
	})
}

// waitForProgress waits until some more pages are done, or all are.
func waitForProgress(t *testing.T, h *house, id string, more int) {
	t.Helper()
	before := -1
	deadline := time.Now().Add(patience)
	for time.Now().Before(deadline) {
		st, err := h.CrawlStatus(t.Context(), id, trawl.Window{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		if before < 0 {
			before = st.Completed
		}
		if st.Ended() || st.Completed >= before+more {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("the crawl does not go on")
}
