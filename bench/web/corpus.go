package web

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/trawlhq/trawl/bench/suite"
)

// quickItems is how many items the short form of a suite looks at.
const quickItems = 40

// readJSONL reads a gzip file with one JSON object per line.
func readJSONL[T any](env suite.Env, elem ...string) ([]T, error) {
	f, err := os.Open(env.Path(elem...))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.Name(), err)
	}
	var items []T
	dec := json.NewDecoder(bufio.NewReader(z))
	for {
		var item T
		err := dec.Decode(&item)
		if errors.Is(err, io.EOF) {
			return shorten(env, items), nil
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", f.Name(), err)
		}
		items = append(items, item)
	}
}

// shorten spreads the items of a quick run over the whole set.
func shorten[T any](env suite.Env, items []T) []T {
	if !env.Quick || len(items) <= quickItems {
		return items
	}
	var some []T
	for i := range quickItems {
		some = append(some, items[i*len(items)/quickItems])
	}
	return some
}

// readPages unpacks pages.tar.zst: file name without extension → bytes.
func readPages(env suite.Env, set string) (map[string][]byte, error) {
	f, err := os.Open(env.Path(set, "pages.tar.zst"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.Name(), err)
	}
	defer z.Close()
	pages := map[string][]byte{}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return pages, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", f.Name(), err)
		}
		body, err := io.ReadAll(t)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", f.Name(), err)
		}
		name := path.Base(h.Name)
		pages[strings.TrimSuffix(name, path.Ext(name))] = body
	}
}

// details writes one JSON line per item, for looking at a change item by item.
type details struct {
	f   *os.File
	enc *json.Encoder
}

func newDetails(env suite.Env, set string) (*details, error) {
	if env.Out == "" {
		return &details{}, nil
	}
	f, err := os.Create(filepath.Join(env.Out, set+".jsonl"))
	if err != nil {
		return nil, err
	}
	enc := json.NewEncoder(f)
	enc.SetEscapeHTML(false)
	return &details{f, enc}, nil
}

func (d *details) add(item any) error {
	if d.enc == nil {
		return nil
	}
	return d.enc.Encode(item)
}

func (d *details) close() error {
	if d.f == nil {
		return nil
	}
	return d.f.Close()
}
