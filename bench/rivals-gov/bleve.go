package main

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
)

// bleveBatch is how many passages are indexed at once; one by one would take
// far longer than Bleve deserves.
const bleveBatch = 1000

type bleveIndex struct {
	index     bleve.Index
	addresses []string // by the number of the passage
}

func buildBleve(ctx context.Context, dir, passages string) (rival, error) {
	mapping := bleve.NewIndexMapping()
	mapping.ScoringModel = "bm25"
	text := bleve.NewTextFieldMapping()
	text.Analyzer = en.AnalyzerName
	text.Store, text.IncludeTermVectors, text.IncludeInAll, text.DocValues = false, false, false, false
	doc := bleve.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt("Text", text)
	mapping.DefaultMapping = doc
	index, err := bleve.New(filepath.Join(dir, "bleve"), mapping)
	if err != nil {
		return nil, err
	}
	b := &bleveIndex{index: index}
	batch := index.NewBatch()
	err = eachLine(passages, func(p passage) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := batch.Index(strconv.Itoa(len(b.addresses)), struct{ Text string }{p.Text}); err != nil {
			return err
		}
		b.addresses = append(b.addresses, p.Address)
		if batch.Size() < bleveBatch {
			return nil
		}
		defer batch.Reset()
		return index.Batch(batch)
	})
	if err == nil {
		err = index.Batch(batch)
	}
	return b, err
}

func (b *bleveIndex) search(ctx context.Context, text string, limit int) ([]string, error) {
	match := bleve.NewMatchQuery(text)
	match.SetField("Text")
	res, err := b.index.SearchInContext(ctx, bleve.NewSearchRequestOptions(match, limit, 0, false))
	if err != nil {
		return nil, err
	}
	var found []string
	for _, hit := range res.Hits {
		n, err := strconv.Atoi(hit.ID)
		if err != nil {
			return nil, err
		}
		found = append(found, b.addresses[n])
	}
	return found, nil
}

func (b *bleveIndex) close() error { return b.index.Close() }
