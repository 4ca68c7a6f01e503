package gov

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/blob"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/storetest"
)

// cluster is what nodes have in common.
type cluster struct {
	store *store.Store
	blobs *blob.Store
	dir   string // of the blobs
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{store: storetest.Open(t, storetest.SQLite(t)), dir: t.TempDir()}
	var err error
	if c.blobs, err = blob.Open(blob.Options{Dir: c.dir}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.blobs.Close() })
	return c
}

// node opens a node with a folder of its own. Its pieces are small, so that
// even short texts take many.
func (c *cluster) node(t *testing.T) *Service {
	t.Helper()
	return openWith(t, Options{Dir: t.TempDir(), list: shortList(), Share: &Sharing{Store: c.store, Blobs: c.blobs, Piece: 1 << 10}})
}

// lawBook writes a folder with n documents about a subject.
func lawBook(t *testing.T, subject string, n int) string {
	t.Helper()
	var lines strings.Builder
	for i := range n {
		line, err := json.Marshal(map[string]string{
			"url": fmt.Sprintf("https://law.test/%s/%d", subject, i), "title": fmt.Sprintf("Rule %d on %s", i, subject), "type": "regulation",
			"text": fmt.Sprintf("Whoever keeps %s number %d shall report it to the warden of district %d. %x", subject, i, i%7, digestOf([]byte(fmt.Sprint(subject, i)))),
		})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "manifest.jsonl"), []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func importBook(t *testing.T, s *Service, dir string) {
	t.Helper()
	if _, err := s.Import(t.Context(), []string{dir}, nil); err != nil {
		t.Fatal(err)
	}
}

func takeUp(t *testing.T, s *Service) {
	t.Helper()
	if err := s.TakeUp(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func stats(t *testing.T, s *Service) Stats {
	t.Helper()
	got, err := s.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestNodesServeWhatOneOfThemImported(t *testing.T) {
	c := newCluster(t)
	a, b := c.node(t), c.node(t)
	importBook(t, a, lawBook(t, "airships", 60))
	takeUp(t, b)
	if x, y := stats(t, a), stats(t, b); x.Fingerprint != y.Fingerprint || x.Release != 1 || y.Release != 1 {
		t.Errorf("release %d and %d, fingerprints %s and %s", x.Release, y.Release, x.Fingerprint, y.Fingerprint)
	}
	for _, query := range []string{"airships number 12", "who must report to the warden", "civil rights lawsuit"} {
		if x, y := search(t, a, query), search(t, b, query); len(x) == 0 || !slices.Equal(x, y) {
			t.Errorf("%q: %v and %v", query, x, y)
		}
	}
	importBook(t, a, lawBook(t, "airships", 60)) // the same again
	if got := stats(t, a).Release; got != 1 {
		t.Errorf("importing the same twice made release %d", got)
	}
	importBook(t, b, lawBook(t, "dirigibles", 5)) // the other node adds to it
	takeUp(t, a)
	if x, y := stats(t, a), stats(t, b); x.Fingerprint != y.Fingerprint || x.Release != 2 || x.Documents != 65 {
		t.Errorf("after an import on the other node: release %d, %d documents", x.Release, x.Documents)
	}
}

func TestAnInterruptedFetchGoesOnWhereItStopped(t *testing.T) {
	c := newCluster(t)
	a, b := c.node(t), c.node(t)
	importBook(t, a, lawBook(t, "airships", 200))
	pieces := c.segmentPieces(t)
	if len(pieces) < 10 {
		t.Fatalf("only %d pieces", len(pieces))
	}
	missing := pieces[6]
	body, err := c.blobs.Get(t.Context(), pieceKey(missing))
	if err != nil {
		t.Fatal(err)
	}
	c.drop(t, missing)
	if err := b.TakeUp(t.Context()); !errors.Is(err, blob.ErrNotFound) {
		t.Fatalf("a piece is missing: %v", err)
	}
	if got := search(t, b, "civil rights lawsuit"); len(got) == 0 {
		t.Error("the node serves nothing meanwhile")
	}
	c.drop(t, pieces[:6]...) // so that fetching them again would fail
	if err := c.blobs.Put(t.Context(), pieceKey(missing), body); err != nil {
		t.Fatal(err)
	}
	takeUp(t, b)
	if x, y := stats(t, a), stats(t, b); x.Fingerprint != y.Fingerprint {
		t.Error("the nodes differ")
	}
	if _, err := os.Stat(filepath.Join(b.dir, "incoming")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("left-overs of the fetch: %v", err)
	}
}

func TestADamagedPieceIsRefused(t *testing.T) {
	c := newCluster(t)
	a, b := c.node(t), c.node(t)
	importBook(t, a, lawBook(t, "airships", 50))
	damaged := c.segmentPieces(t)[2]
	body, err := c.blobs.Get(t.Context(), pieceKey(damaged))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.blobs.Put(t.Context(), pieceKey(damaged), append([]byte("x"), body[1:]...)); err != nil {
		t.Fatal(err)
	}
	if err := b.TakeUp(t.Context()); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a damaged piece: %v", err)
	}
	if got := stats(t, b); got.Release != 0 || got.Documents != 0 {
		t.Errorf("half a release is served: %+v", got)
	}
	if err := c.blobs.Put(t.Context(), pieceKey(damaged), body); err != nil {
		t.Fatal(err)
	}
	takeUp(t, b)
	if got := stats(t, b); got.Documents != 50 {
		t.Errorf("%d documents once the piece is right", got.Documents)
	}
}

func TestAnImportThatWasOvertakenSaysSoAndWorksTheSecondTime(t *testing.T) {
	c := newCluster(t)
	a, b := c.node(t), c.node(t)
	slow, quick := lawBook(t, "airships", 30), lawBook(t, "dirigibles", 3)
	overtaken := false
	_, err := a.Import(t.Context(), []string{slow}, func(Progress) {
		if !overtaken {
			overtaken = true
			importBook(t, b, quick)
		}
	})
	if !errors.Is(err, ErrOvertaken) {
		t.Fatalf("import = %v, want ErrOvertaken", err)
	}
	importBook(t, a, slow)
	takeUp(t, b)
	for name, s := range map[string]*Service{"a": a, "b": b} {
		if got := stats(t, s); got.Documents != 33 || got.Release != 2 {
			t.Errorf("node %s: %d documents in release %d, want 33 in 2", name, got.Documents, got.Release)
		}
	}
}

func TestOldReleasesAndTheirPiecesGo(t *testing.T) {
	c := newCluster(t)
	a := c.node(t)
	for i := range 4 {
		importBook(t, a, lawBook(t, fmt.Sprintf("subject-%d", i), 20))
	}
	releases, err := c.store.GovReleases(t.Context())
	if err != nil || len(releases) != keptReleases {
		t.Fatalf("%d releases, %v", len(releases), err)
	}
	wanted := map[string]bool{}
	for _, row := range releases {
		var r release
		if err := json.Unmarshal([]byte(row.Manifest), &r); err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Files {
			for _, p := range f.Pieces {
				wanted[p] = true
			}
		}
	}
	usage, err := c.blobs.Usage(t.Context())
	if err != nil || int(usage.Blobs) != len(wanted) {
		t.Errorf("%d blobs for %d pieces, %v", usage.Blobs, len(wanted), err)
	}
}

func TestFollowTakesUpWhatIsPublishedWhileItRuns(t *testing.T) {
	c := newCluster(t)
	pg := storetest.Open(t, storetest.Postgres(t))
	c.store = pg
	a, b := c.node(t), c.node(t)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- b.Follow(ctx) }()
	importBook(t, a, lawBook(t, "airships", 20))
	want := stats(t, a).Fingerprint
	for ctx.Err() == nil && stats(t, b).Fingerprint != want {
		select { // told by the database, so long before it looks by itself
		case err := <-done:
			t.Fatal("follow ended:", err)
		case <-t.Context().Done():
		default:
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// segmentPieces are the pieces of the largest file of the newest release.
func (c *cluster) segmentPieces(t *testing.T) []string {
	t.Helper()
	releases, err := c.store.GovReleases(t.Context())
	if err != nil || len(releases) == 0 {
		t.Fatal("no release", err)
	}
	var r release
	if err := json.Unmarshal([]byte(releases[0].Manifest), &r); err != nil {
		t.Fatal(err)
	}
	var largest fileParts
	for _, f := range r.Files {
		if f.Size > largest.Size {
			largest = f
		}
	}
	return largest.Pieces
}

func (c *cluster) drop(t *testing.T, pieces ...string) {
	t.Helper()
	for _, p := range pieces {
		if err := c.blobs.Delete(t.Context(), pieceKey(p)); err != nil {
			t.Fatal(err)
		}
	}
}
