package app_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/storetest"
)

// found asks the government index of a node.
func (r *running) found(t *testing.T, query string) []trawl.GovResult {
	t.Helper()
	got := r.call(t, "POST", "/v2/search/gov", map[string]any{"query": query})
	var answer trawl.GovSearchReply
	if err := json.Unmarshal([]byte(got.Raw), &answer); err != nil || got.Status != 200 {
		t.Fatalf("%d %s: %v", got.Status, got.Raw, err)
	}
	return answer.Data.Web
}

const askedOfAll = "who must report airships to the warden"

func TestNodesOnOneDatabaseServeTheSameIndex(t *testing.T) {
	database, blobs := storetest.Postgres(t).DatabaseURL, t.TempDir()
	var nodes []*running
	for range 2 {
		s := settings(t)
		s.DatabaseURL = database
		if err := os.Symlink(blobs, filepath.Join(s.DataDir, "blobs")); err != nil { // one place for all nodes, as a bucket is
			t.Fatal(err)
		}
		nodes = append(nodes, start(t, s))
	}
	importLaw(t, nodes[0], lawBook(t, "airships", 40))
	want := nodes[0].found(t, askedOfAll)
	if len(want) == 0 || !strings.HasPrefix(want[0].URL, "https://law.test/airships/") {
		t.Fatalf("the node that imported answers %v", want)
	}
	eventually(t, 20*time.Second, "the other node answers the same", func() bool { return slices.Equal(nodes[1].found(t, askedOfAll), want) })
	importLaw(t, nodes[1], lawBook(t, "balloons", 5))
	want = nodes[1].found(t, "balloons number 3")
	eventually(t, 20*time.Second, "what the second imported reaches the first", func() bool {
		return slices.Equal(nodes[0].found(t, "balloons number 3"), want)
	})
	if ready := nodes[0].call(t, "GET", "/readyz", nil); !strings.Contains(ready.Raw, "release 2") {
		t.Errorf("readyz: %s", ready.Raw)
	}
	killedWhileFetching(t, database, blobs, nodes[0].found(t, askedOfAll))
}

// killedWhileFetching starts a third node that finds a pipe nobody writes to in
// the place of a piece, kills it while it waits there, and starts it again.
func killedWhileFetching(t *testing.T, database, blobs string, want []trawl.GovResult) {
	t.Helper()
	dir := t.TempDir()
	shareEngine(t, dir)
	if err := os.CopyFS(filepath.Join(dir, "blobs"), os.DirFS(blobs)); err != nil {
		t.Fatal(err)
	}
	pieces, err := filepath.Glob(filepath.Join(dir, "blobs", "*", "gov+*"))
	if err != nil || len(pieces) == 0 {
		t.Fatal("no pieces", err)
	}
	for _, piece := range pieces {
		if err := os.Rename(piece, piece+".kept"); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(piece, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	third, process := startProcess(t, dir, database)
	incoming := filepath.Join(dir, "gov", "incoming")
	eventually(t, 20*time.Second, "the third node has begun to fetch", func() bool {
		entries, err := os.ReadDir(incoming)
		return err == nil && len(entries) > 0
	})
	if got := third.found(t, "42 USC 1983"); len(got) == 0 || got[0].Citation != "42 U.S.C. § 1983" {
		t.Errorf("while it fetches it answers %v", got)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	for _, piece := range pieces {
		if err := os.Rename(piece+".kept", piece); err != nil {
			t.Fatal(err)
		}
	}
	third, _ = startProcess(t, dir, database)
	eventually(t, 20*time.Second, "the third node answers the same", func() bool { return slices.Equal(third.found(t, askedOfAll), want) })
}

// startProcess starts a node in a process of its own.
func startProcess(t *testing.T, dir, database string) (*running, *os.Process) {
	t.Helper()
	address := freeAddress(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command(self)
	server.Env = append(os.Environ(), "TRAWL_TEST_SERVE=1", "TRAWL_DATA_DIR="+dir, "TRAWL_ADDR="+address, "TRAWL_DATABASE_URL="+database,
		"TRAWL_BOOTSTRAP_KEY="+key, "TRAWL_ALLOW_PRIVATE_NETWORKS=true", "TRAWL_LOG_LEVEL=error", "TRAWL_GOV_SYNC=off")
	server.Stderr = t.Output()
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill() // perhaps killed already
		_ = server.Wait()
	})
	r := &running{URL: "http://" + address}
	eventually(t, 30*time.Second, "the node is ready", func() bool {
		got, err := r.try(t.Context(), "GET", "/readyz", nil, key)
		return err == nil && got.Status == 200
	})
	return r, server.Process
}
