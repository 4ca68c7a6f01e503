package pdfbench

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl/bench/suite"
)

// quickItems is how many items the short form looks at.
const quickItems = 12

// archiveWindow is the zstd window the archives were packed with.
const archiveWindow = 128 << 20

// readTruth reads a gzipped file of JSON lines.
func readTruth[T any](env suite.Env, set string) ([]T, error) {
	f, err := os.Open(env.Path(set, "truth.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read-only
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("open truth of %s: %w", set, err)
	}
	var items []T
	for dec := json.NewDecoder(z); ; {
		var item T
		if err := dec.Decode(&item); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("read truth of %s: %w", set, err)
		}
		items = append(items, item)
	}
	if env.Quick && len(items) > quickItems {
		items = items[:quickItems]
	}
	return items, nil
}

// readArchive reads the files of a set.
func readArchive(path string) (map[string][]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read-only
	z, err := zstd.NewReader(f, zstd.WithDecoderMaxWindow(archiveWindow))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	files := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
	}
}

// each reads every item's file as Markdown, several at a time, and then calls score
// in the items' order. A file that cannot be read scores as an empty answer.
func each[T any](ctx context.Context, items []T, body func(T) []byte, score func(T, string) error) error {
	reader, err := open(ctx, cores())
	if err != nil {
		return err
	}
	answers := make([]string, len(items))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(cores())
	for i, item := range items {
		group.Go(func() error {
			md, err := markdownOf(ctx, reader, body(item))
			if err == nil {
				answers[i] = md
			}
			return ctx.Err()
		})
	}
	if err := errors.Join(group.Wait(), reader.Close()); err != nil {
		return err
	}
	for i, item := range items {
		if err := score(item, answers[i]); err != nil {
			return err
		}
	}
	return nil
}
