package officebench

import (
	"context"

	"github.com/trawlhq/trawl/bench/corpus"
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
	body     []byte
}

const quickItems = 20 // of a set, in the short form

// load reads a set with all its files.
func load(env suite.Env, set string) ([]item, error) {
	files, err := corpus.Files(env.Path(set, "files.tar.zst"))
	if err != nil {
		return nil, err
	}
	items, err := corpus.Truth[item](env.Path(set, "truth.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	if env.Quick {
		items = items[:min(len(items), quickItems)]
	}
	for i := range items {
		items[i].body = files[items[i].File]
	}
	return items, nil
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
