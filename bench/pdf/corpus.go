package pdfbench

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl/bench/corpus"
	"github.com/trawlhq/trawl/bench/suite"
)

// quickItems is how many items the short form looks at.
const quickItems = 12

// readTruth reads what the files of a set should give.
func readTruth[T any](env suite.Env, set string) ([]T, error) {
	items, err := corpus.Truth[T](env.Path(set, "truth.jsonl.gz"))
	if env.Quick {
		items = items[:min(len(items), quickItems)]
	}
	return items, err
}

// openSet opens a set: what its files should give, the files, and where to keep
// what came of each.
func openSet[T any](env suite.Env, set string) (items []T, files map[string][]byte, out *details, err error) {
	if items, err = readTruth[T](env, set); err != nil {
		return nil, nil, nil, err
	}
	if files, err = corpus.Files(env.Path(set, "pdfs.tar.zst")); err != nil {
		return nil, nil, nil, err
	}
	out, err = openDetails(env, set)
	return items, files, out, err
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
