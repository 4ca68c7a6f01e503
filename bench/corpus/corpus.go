// Package corpus reads the data sets that answers are scored against: the truth,
// one JSON object a line, and the files, in one archive. It also keeps what came
// of each item, so that a change can be looked at item by item.
package corpus

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// window is the one that the archives were packed with.
const window = 128 << 20

// Truth reads a gzip file with one JSON object a line.
func Truth[T any](path string) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read-only
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	var items []T
	for dec := json.NewDecoder(bufio.NewReader(z)); ; {
		var item T
		err := dec.Decode(&item)
		if errors.Is(err, io.EOF) {
			return items, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		items = append(items, item)
	}
}

// Files unpacks an archive (tar, packed with zstd): the name of each file and its bytes.
func Files(path string) (map[string][]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read-only
	z, err := zstd.NewReader(f, zstd.WithDecoderMaxWindow(window))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	defer z.Close()
	files := map[string][]byte{}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if files[h.Name], err = io.ReadAll(t); err != nil {
			return nil, fmt.Errorf("read %s in %s: %w", h.Name, path, err)
		}
	}
}

// Keep writes one JSON line for each item.
func Keep[T any](path string, items []T) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("keep details: %w", err)
	}
	enc := json.NewEncoder(f)
	enc.SetEscapeHTML(false)
	for _, item := range items {
		if err := enc.Encode(item); err != nil {
			_ = f.Close() // the write error matters more
			return fmt.Errorf("keep details: %w", err)
		}
	}
	return f.Close()
}
