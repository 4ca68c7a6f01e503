package gov

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Limits of an archive: far above any publisher's bulk file, far below what
// would fill a disk by surprise.
const (
	maxUnpacked = 64 << 30
	maxEntries  = 5_000_000
)

var archiveEndings = []string{".tar.zst", ".tar.gz", ".tgz", ".tar", ".zip"}

func isArchive(path string) bool {
	for _, ending := range archiveEndings {
		if strings.HasSuffix(strings.ToLower(path), ending) {
			return true
		}
	}
	return false
}

// unpack streams an archive into a folder and gives the digest of the archive.
func unpack(archive, dir string) (digest string, err error) {
	f, err := os.Open(archive)
	if err != nil {
		return "", fmt.Errorf("open archive: %w", err)
	}
	defer f.Close()
	if strings.HasSuffix(strings.ToLower(archive), ".zip") {
		return unpackZip(f, dir)
	}
	h := sha256.New()
	in := io.TeeReader(f, h)
	plain, done, err := decompress(archive, in)
	if err != nil {
		return "", err
	}
	defer done()
	if err := untar(plain, dir); err != nil {
		return "", fmt.Errorf("unpack %s: %w", filepath.Base(archive), err)
	}
	if _, err := io.Copy(io.Discard, in); err != nil { // what follows the last entry
		return "", fmt.Errorf("read archive: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func decompress(name string, r io.Reader) (io.Reader, func(), error) {
	name = strings.ToLower(name)
	switch {
	case strings.HasSuffix(name, ".zst"):
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(256<<20))
		if err != nil {
			return nil, nil, fmt.Errorf("open zstd: %w", err)
		}
		return d, d.Close, nil
	case strings.HasSuffix(name, "gz"):
		d, err := gzip.NewReader(r)
		if err != nil {
			return nil, nil, fmt.Errorf("open gzip: %w", err)
		}
		return d, func() { _ = d.Close() }, nil
	}
	return r, func() {}, nil
}

func untar(r io.Reader, dir string) error {
	t := tar.NewReader(r)
	var total int64
	for n := 0; ; n++ {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		total += h.Size
		if n > maxEntries || total > maxUnpacked {
			return errors.New("archive is too large")
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if err := writeEntry(dir, h.Name, t); err != nil {
			return err
		}
	}
}

// writeEntry writes one file below dir; names that lead out of it are refused.
func writeEntry(dir, name string, r io.Reader) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("entry %q leads out of the archive", name)
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}

func unpackZip(f *os.File, dir string) (string, error) {
	info, err := f.Stat()
	if err != nil {
		return "", fmt.Errorf("look at archive: %w", err)
	}
	z, err := zip.NewReader(f, info.Size())
	if err != nil {
		return "", fmt.Errorf("open zip: %w", err)
	}
	var total uint64
	for n, entry := range z.File {
		total += entry.UncompressedSize64
		if n > maxEntries || total > maxUnpacked {
			return "", errors.New("archive is too large")
		}
		if !entry.Mode().IsRegular() {
			continue
		}
		r, err := entry.Open()
		if err != nil {
			return "", fmt.Errorf("open %s: %w", entry.Name, err)
		}
		err = writeEntry(dir, entry.Name, io.LimitReader(r, int64(entry.UncompressedSize64)))
		if err := errors.Join(err, r.Close()); err != nil {
			return "", fmt.Errorf("unpack %s: %w", entry.Name, err)
		}
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, info.Size())); err != nil {
		return "", fmt.Errorf("read archive: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// fileDigest is the digest of a file's bytes.
func fileDigest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("open file: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("read file: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// withoutArchives is a folder without the archives in it, which are read on
// their own.
type withoutArchives struct{ fs.FS }

func (f withoutArchives) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(f.FS, name)
	kept := all[:0]
	for _, e := range all {
		if e.IsDir() || !isArchive(e.Name()) {
			kept = append(kept, e)
		}
	}
	return kept, err
}

// oneFile is a folder in which only one file is seen.
type oneFile struct {
	fs.FS
	name string
}

func (f oneFile) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(f.FS, name)
	kept := all[:0]
	for _, e := range all {
		if e.Name() == f.name {
			kept = append(kept, e)
		}
	}
	return kept, err
}
