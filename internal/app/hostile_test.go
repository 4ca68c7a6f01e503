package app_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// TestHostileFilesInARow sends files that were broken in many ways, one after
// the other: each must be answered in its time, by a server that stays well.
// TRAWL_TEST_HOSTILE_FILES says how many; `make hostile` sends five hundred, and
// with them those of the archive that TRAWL_TEST_HOSTILE_ARCHIVE names: files that
// have broken programs of others.
func TestHostileFilesInARow(t *testing.T) {
	count := 40
	if text := os.Getenv("TRAWL_TEST_HOSTILE_FILES"); text != "" {
		var err error
		if count, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	const timeout = 5 * time.Second
	r := start(t, settings(t))
	seeds := soundFiles(t)
	random := rand.New(rand.NewPCG(5, 500))
	results := map[int]int{}
	var files []soundFile
	for i := range count {
		seed := seeds[i%len(seeds)]
		files = append(files, soundFile{seed.name, breakFile(random, seed.content)})
	}
	if archive := os.Getenv("TRAWL_TEST_HOSTILE_ARCHIVE"); archive != "" {
		files = append(files, archived(t, archive)...)
	}
	for i, file := range files {
		began := time.Now()
		got := r.parse(t, file.name, file.content, map[string]any{"timeout": timeout.Milliseconds(), "formats": []string{"markdown", "html", "links"}})
		if took := time.Since(began); took > timeout+2*time.Second {
			t.Errorf("file %d, a broken %s: answered after %s", i, file.name, took)
		}
		results[got.Status]++
		switch {
		case got.Status == 200, got.Status == 400 && got.Code == "UNSUPPORTED_FILE_TYPE", got.Status == 408,
			got.Status == 500 && got.Code == "DOCUMENT_PARSE_FAILED":
		default:
			t.Errorf("file %d, a broken %s: %d %.300s", i, file.name, got.Status, got.Raw)
		}
	}
	t.Logf("%d files, answers by status: %v", len(files), results)
	for _, seed := range seeds[:3] {
		if got := r.parse(t, seed.name, seed.content, nil); got.Status != 200 {
			t.Errorf("a sound %s afterwards: %d %.300s", seed.name, got.Status, got.Raw)
		}
	}
	if readers := children(t); len(readers) > max(2, runtime.NumCPU()) {
		t.Errorf("%d readers are alive", len(readers))
	}
	if err := r.stop(); err != nil {
		t.Error(err)
	}
	eventually(t, 5*time.Second, "no reader is left", func() bool { return len(children(t)) == 0 })
}

// archived are the files of a tar archive packed with zstd.
func archived(t *testing.T, path string) []soundFile {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer unpacked.Close()
	var files []soundFile
	for r := tar.NewReader(unpacked); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if header.Typeflag == tar.TypeReg && len(content) > 0 {
			files = append(files, soundFile{filepath.Base(header.Name), content})
		}
	}
}

type soundFile struct {
	name    string
	content []byte
}

// soundFiles are files of all the formats that are read apart.
func soundFiles(t *testing.T) []soundFile {
	t.Helper()
	files := []soundFile{{"a.pdf", paper(3)}, {"a.docx", letter(t, "One.", "Two.")}}
	paths, err := filepath.Glob("../../compat/fixtures/*.*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, path := range paths {
		if strings.Contains(path, ".fod") || strings.HasSuffix(path, ".gz") || strings.HasSuffix(path, ".md") {
			continue // sources, and what is packed
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, soundFile{filepath.Base(path), content})
	}
	return files
}

// breakFile does to a file what bad lines, bad disks and bad people do.
func breakFile(random *rand.Rand, sound []byte) []byte {
	b := bytes.Clone(sound)
	switch random.IntN(5) {
	case 0: // cut off
		return b[:1+random.IntN(len(b)-1)]
	case 1: // single bytes changed
		for range 1 + random.IntN(30) {
			b[random.IntN(len(b))] = byte(random.Uint32())
		}
	case 2: // a stretch overwritten with the largest numbers
		at := random.IntN(len(b))
		for i := at; i < min(at+4+random.IntN(60), len(b)); i++ {
			b[i] = 0xff
		}
	case 3: // a stretch repeated many times
		at, size := random.IntN(len(b)), 1+random.IntN(400)
		piece := b[at:min(at+size, len(b))]
		return append(b[:at:at], append(bytes.Repeat(piece, 1+random.IntN(2000)), b[at:]...)...)
	default: // two halves changed places, behind a sound beginning
		head, rest := min(len(b), 200), b[min(len(b), 200):]
		return append(b[:head:head], append(bytes.Clone(rest[len(rest)/2:]), rest[:len(rest)/2]...)...)
	}
	return b
}
