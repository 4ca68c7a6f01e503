package index

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// copyCommit copies the files of a commit under other names, as another node would.
func copyCommit(t *testing.T, from, to *Writer) Commit {
	t.Helper()
	c := from.Last()
	rename := func(name string) string {
		if name == "" {
			return ""
		}
		body, err := os.ReadFile(from.Path(name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to.Path("copy-"+name), body, 0o644); err != nil {
			t.Fatal(err)
		}
		return "copy-" + name
	}
	for i, f := range c.Segments {
		c.Segments[i] = CommitFiles{Segment: rename(f.Segment), Deleted: rename(f.Deleted)}
	}
	return c
}

func TestACommitOfAnotherFolderIsAdopted(t *testing.T) {
	schema := Schema{Fields: []string{"title"}}
	var writers []*Writer
	var indexes []*Index
	for range 2 {
		ix, err := Open(t.TempDir(), schema)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = ix.Close() })
		w, err := ix.Writer()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Close() })
		writers, indexes = append(writers, w), append(indexes, ix)
	}
	add := func(w *Writer, key, text string) {
		t.Helper()
		if _, err := w.Add(context.Background(), &Doc{Key: key, Version: "1", Fields: []string{key}, Passages: []Passage{{Text: text}}}); err != nil {
			t.Fatal(err)
		}
	}
	a, b := writers[0], writers[1]
	add(a, "one", "herons and storks")
	add(a, "two", "storks alone")
	a.SetNote("season", "spring")
	if err := a.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := a.Delete("two"); err != nil {
		t.Fatal(err)
	}
	if err := a.Commit(); err != nil {
		t.Fatal(err)
	}
	add(b, "own", "what the other folder had before")
	if err := b.Commit(); err != nil {
		t.Fatal(err)
	}
	add(b, "pending", "never committed")
	if err := b.Adopt(Commit{Segments: []CommitFiles{{Segment: "missing.seg"}}}); err == nil {
		t.Error("a commit without its files was adopted")
	}
	if err := b.Adopt(copyCommit(t, a, b)); err != nil {
		t.Fatal(err)
	}
	prints := make([]string, 2)
	for i, ix := range indexes {
		r, err := ix.Reader()
		if err != nil {
			t.Fatal(err)
		}
		if prints[i], err = r.Fingerprint(); err != nil || r.Docs() != 1 || r.Note("season") != "spring" {
			t.Errorf("index %d: %d documents, %v", i, r.Docs(), err)
		}
		r.Close()
	}
	if prints[0] != prints[1] {
		t.Error("the copy differs")
	}
	left, err := filepath.Glob(b.Path("*.seg"))
	if err != nil || !slices.Equal(left, []string{b.Path("copy-000000.seg")}) {
		t.Errorf("files left: %v, %v", left, err)
	}
}
