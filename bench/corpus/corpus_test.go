package corpus

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// packed makes a file that is written through a packer.
func packed(t *testing.T, name string, through func(io.Writer) (io.WriteCloser, error), write func(io.Writer)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := through(f)
	if err != nil {
		t.Fatal(err)
	}
	write(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func lines(t *testing.T, text string) string {
	return packed(t, "truth.jsonl.gz", func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
		func(w io.Writer) { _, _ = io.WriteString(w, text) })
}

func TestTruthIsOneObjectALine(t *testing.T) {
	type item struct{ ID string }
	items, err := Truth[item](lines(t, "{\"id\":\"a\"}\n{\"id\":\"b\"}\n"))
	if err != nil || len(items) != 2 || items[1].ID != "b" {
		t.Errorf("items = %v, %v, want a and b", items, err)
	}
	if _, err := Truth[item](lines(t, "{\"id\":\"a\"}\n{broken")); err == nil || !strings.Contains(err.Error(), "truth.jsonl.gz") {
		t.Errorf("err = %v, want one that names the file", err)
	}
}

func TestFilesAreThoseOfTheArchive(t *testing.T) {
	path := packed(t, "files.tar.zst", func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }, func(w io.Writer) {
		tw := tar.NewWriter(w)
		for _, h := range []tar.Header{{Name: "dir/", Typeflag: tar.TypeDir}, {Name: "dir/a.txt", Typeflag: tar.TypeReg, Size: 2}} {
			if err := tw.WriteHeader(&h); err != nil {
				t.Fatal(err)
			}
			if h.Size > 0 {
				_, _ = io.WriteString(tw, "ab")
			}
		}
		if err := tw.Close(); err != nil {
			t.Fatal(err)
		}
	})
	files, err := Files(path)
	if err != nil || len(files) != 1 || string(files["dir/a.txt"]) != "ab" {
		t.Errorf("files = %q, %v, want dir/a.txt", files, err)
	}
	if _, err := Files(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("an archive that is not there was read")
	}
}

func TestDetailsAreKeptLineByLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	if err := Keep(path, []map[string]string{{"id": "a"}, {"id": "<b>"}}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if want := "{\"id\":\"a\"}\n{\"id\":\"<b>\"}\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
