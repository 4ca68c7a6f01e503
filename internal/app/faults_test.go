package app_test

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl/internal/app"
	"github.com/trawlhq/trawl/internal/cli"
	"github.com/trawlhq/trawl/internal/storetest"
	"github.com/trawlhq/trawl/internal/testsite"
)

// TestMain lets the test binary be the server, and the reader of files that a
// server starts: what must be killed or starved runs in a process of its own.
func TestMain(m *testing.M) {
	if os.Getenv("TRAWL_TEST_SERVE") != "" {
		signal.Ignore(syscall.SIGXFSZ) // as main does
		os.Exit(cli.Run(context.Background(), []string{"serve"}, cli.OS()))
	}
	if len(os.Args) > 1 && os.Args[1] == app.ReadApart {
		os.Exit(cli.Run(context.Background(), os.Args[1:], cli.OS()))
	}
	os.Exit(m.Run())
}

func TestALostDatabaseIs503AndComesBackByItself(t *testing.T) {
	line := storetest.NewLine(t, storetest.Postgres(t))
	site := testsite.New(t)
	s := settings(t)
	s.DatabaseURL = line.Options.DatabaseURL
	r := start(t, s)
	page := site.URL + "/read/article"
	before := r.scrape(t, page, nil)
	if before.Status != 200 {
		t.Fatalf("%d %s", before.Status, before.Raw)
	}
	eventually(t, 5*time.Second, "the scrape is stored", func() bool {
		return r.Writes.Failing() == nil && r.call(t, "GET", "/readyz", nil).Status == 200
	})
	line.Cut()
	eventually(t, 10*time.Second, "scrapes are refused while the database is away", func() bool {
		got := r.scrape(t, page, nil)
		if got.Status != 200 && got.Status != 503 {
			t.Errorf("%d %s, want 503", got.Status, got.Raw)
		}
		return got.Status == 503 && got.Error == "Service Unavailable"
	})
	if ready := r.call(t, "GET", "/readyz", nil); ready.Status != 503 || !strings.Contains(ready.Raw, `"database":{"ok":false`) {
		t.Errorf("readyz: %d %s", ready.Status, ready.Raw)
	}
	line.Mend()
	eventually(t, 20*time.Second, "scrapes work again", func() bool { return r.scrape(t, page, nil).Status == 200 })
	if again := r.call(t, "GET", "/v2/scrape/"+before.Data.Metadata.ScrapeID, nil); again.Status != 200 {
		t.Errorf("what was stored before: %d %s", again.Status, again.Raw)
	}
}

// TestAFullDiskIs503AndRecovers starves a server of disk: its files may not
// grow any more, and then they may again.
func TestAFullDiskIs503AndRecovers(t *testing.T) {
	site := testsite.New(t)
	address := freeAddress(t)
	dir := t.TempDir()
	shareEngine(t, filepath.Join(dir, "data"))
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command(self)
	server.Env = append(os.Environ(), "TRAWL_TEST_SERVE=1", "TRAWL_DATA_DIR="+filepath.Join(dir, "data"), "TRAWL_ADDR="+address,
		"TRAWL_BOOTSTRAP_KEY="+key, "TRAWL_ALLOW_PRIVATE_NETWORKS=true", "TRAWL_LOG_LEVEL=error", "TRAWL_GOV_SYNC=off")
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGKILL)
		_ = server.Wait()
	})
	r := &running{URL: "http://" + address}
	eventually(t, 20*time.Second, "the server is ready", func() bool {
		got, err := r.try(t.Context(), "GET", "/readyz", nil, key)
		return err == nil && got.Status == 200
	})
	first := r.scrape(t, site.URL+"/read/article", nil)
	if first.Status != 200 {
		t.Fatalf("%d %s", first.Status, first.Raw)
	}
	limitFiles(t, server.Process.Pid, 64<<10)
	eventually(t, 20*time.Second, "scrapes are refused while the disk is full", func() bool {
		got := r.scrape(t, site.URL+"/read/table?rows=2000", map[string]any{"maxAge": 0})
		if got.Status != 200 && got.Status != 503 {
			t.Errorf("%d %s, want 503", got.Status, got.Raw)
		}
		return got.Status == 503
	})
	limitFiles(t, server.Process.Pid, 1<<40)
	eventually(t, 20*time.Second, "scrapes work again", func() bool { return r.scrape(t, site.URL+"/read/docs", nil).Status == 200 })
	if again := r.call(t, "GET", "/v2/scrape/"+first.Data.Metadata.ScrapeID, nil); again.Status != 200 {
		t.Errorf("what was stored before: %d %s", again.Status, again.Raw)
	}
}

func TestStoppingLetsRequestsFinish(t *testing.T) {
	site := testsite.New(t)
	s := settings(t)
	s.DrainTime = 2 * time.Second
	r := start(t, s)
	answers := map[string]chan reply{"soon": make(chan reply, 1), "never": make(chan reply, 1)}
	for name, page := range map[string]string{"soon": "/slow/headers?ms=800", "never": "/slow/never"} {
		go func() {
			got, err := r.try(context.WithoutCancel(t.Context()), "POST", "/v2/scrape", map[string]any{"url": site.URL + page, "fastMode": true}, key)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			answers[name] <- got
		}()
	}
	eventually(t, 5*time.Second, "both are under way", func() bool {
		busy, _, err := r.Access.Busy(t.Context(), "default")
		return err == nil && busy == 2
	})
	if err := r.stop(); err != nil {
		t.Errorf("stop: %v", err)
	}
	if got := <-answers["soon"]; got.Status != http.StatusOK {
		t.Errorf("a request that can finish: %d %s", got.Status, got.Raw)
	}
	if got := <-answers["never"]; got.Status != http.StatusServiceUnavailable || got.Error != "Service Unavailable" {
		t.Errorf("a request that cannot: %d %s", got.Status, got.Raw)
	}
}

func TestOneProcessAnswersAndAnotherScrapes(t *testing.T) {
	database := storetest.Postgres(t).DatabaseURL
	site := testsite.New(t)
	door := settings(t)
	door.DatabaseURL, door.Role = database, "api"
	api := start(t, door)
	hands := settings(t)
	hands.DatabaseURL, hands.Role = database, "worker"
	hands.DataDir = door.DataDir // the blobs must be shared
	worker := start(t, hands)

	got := api.scrape(t, site.URL+"/read/article", nil)
	if got.Status != 200 || !strings.HasPrefix(got.Data.Markdown, "# Why the harbour clock") {
		t.Fatalf("%d %s", got.Status, got.Raw)
	}
	eventually(t, 5*time.Second, "the door can read what the worker stored", func() bool {
		return api.call(t, "GET", "/v2/scrape/"+got.Data.Metadata.ScrapeID, nil).Status == 200
	})
	if blocked := api.scrape(t, "http://no-such-host.invalid/", nil); blocked.Status != 200 || blocked.Code != "SCRAPE_DNS_RESOLUTION_ERROR" {
		t.Errorf("a failure must come through as it was: %d %s", blocked.Status, blocked.Raw)
	}
	if shut := worker.call(t, "POST", "/v2/scrape", map[string]any{"url": site.URL}); shut.Status != 404 {
		t.Errorf("a worker has no API: %d", shut.Status)
	}
}

func TestRolesNeedASharedDatabase(t *testing.T) {
	s := settings(t)
	s.Role = "worker"
	if _, err := appOpen(t, s); err == nil || !strings.Contains(err.Error(), "PostgreSQL") {
		t.Errorf("error %v, want one that names PostgreSQL", err)
	}
}
