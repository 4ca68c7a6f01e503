package web

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/trawlhq/trawl/bench/corpus"
	"github.com/trawlhq/trawl/bench/suite"
)

// quickItems is how many items the short form of a suite looks at.
const quickItems = 40

// readJSONL reads a gzip file with one JSON object per line.
func readJSONL[T any](env suite.Env, elem ...string) ([]T, error) {
	items, err := corpus.Truth[T](env.Path(elem...))
	return shorten(env, items), err
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
	files, err := corpus.Files(env.Path(set, "pages.tar.zst"))
	if err != nil {
		return nil, err
	}
	pages := make(map[string][]byte, len(files))
	for name, body := range files {
		base := path.Base(name)
		pages[strings.TrimSuffix(base, path.Ext(base))] = body
	}
	return pages, nil
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
