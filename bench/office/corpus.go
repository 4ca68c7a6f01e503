package officebench

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/officedoc"
	"github.com/trawlhq/trawl/internal/document/sheetdoc"
	"github.com/trawlhq/trawl/internal/format/markdown"
)

// item is one file with what it should give.
type item struct {
	ID       string `json:"id"`
	File     string `json:"file"`
	Format   string `json:"format"`
	Kind     string `json:"kind"`
	Markdown string `json:"markdown"`
	Agreed   bool   `json:"agreed"`
	RefText  string `json:"ref_text"`
	body     []byte
}

const zstdWindow = 128 << 20

// load reads a set with all its files.
func load(env suite.Env, set string) ([]item, error) {
	files, err := unpack(env.Path(set, "files.tar.zst"))
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", set, err)
	}
	f, err := os.Open(env.Path(set, "truth.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read-only
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("read truth of %s: %w", set, err)
	}
	var items []item
	for dec := json.NewDecoder(bufio.NewReader(z)); ; {
		var it item
		if err := dec.Decode(&it); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("read truth of %s: %w", set, err)
		}
		it.body = files[it.File]
		items = append(items, it)
		if env.Quick && len(items) == 20 {
			break
		}
	}
	return items, nil
}

func unpack(path string) (map[string][]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read-only
	z, err := zstd.NewReader(f, zstd.WithDecoderMaxWindow(zstdWindow))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	files := map[string][]byte{}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if files[h.Name], err = io.ReadAll(t); err != nil {
			return nil, err
		}
	}
}

// readers are the readers under test, found by the same sniffing as in the
// service.
func readers() document.Readers {
	all := document.Readers{}
	for _, k := range officedoc.Kinds() {
		all[k] = officedoc.Read
	}
	for _, k := range sheetdoc.Kinds() {
		all[k] = sheetdoc.Read
	}
	return all
}

func markdownOf(ctx context.Context, name string, body []byte) (string, error) {
	doc, err := readers().Read(ctx, document.Input{Body: body, Name: name})
	if err != nil {
		return "", err
	}
	return markdown.Convert(doc.Root, markdown.Options{}), nil
}
