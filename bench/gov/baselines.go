package govbench

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"sort"
	"strings"
	"time"
	"unicode"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	_ "modernc.org/sqlite" // the FTS5 baseline

	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/gov"
)

// passage is what the baselines index: the same text our index has, with the
// title in front so that they, too, can match it.
type passage struct {
	Text string
}

// runBaselines builds a plain Bleve index and an FTS5 table over the same
// passages and asks them the same queries.
func runBaselines(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	c, done, err := openCorpus(ctx, env)
	if err != nil {
		return nil, err
	}
	defer done()
	var out []suite.Result
	for _, b := range []struct {
		name string
		make func(context.Context, *corpus) (searcher, func(), error)
	}{{"bleve", makeBleve}, {"fts5", makeFTS5}} {
		began := time.Now()
		s, closeIndex, err := b.make(ctx, c)
		if err != nil {
			return nil, fmt.Errorf("make %s: %w", b.name, err)
		}
		took := time.Since(began)
		answers, err := ask(ctx, s, c.queries, c.address)
		closeIndex()
		if err != nil {
			return nil, fmt.Errorf("ask %s: %w", b.name, err)
		}
		if err := keep(env, "gov-"+b.name+".jsonl", answers); err != nil {
			return nil, err
		}
		out = append(out, quality("gov-"+b.name, answers)...)
		out = append(out,
			suite.Result{Name: "gov-" + b.name + ".import", Value: took.Seconds(), Unit: "s", Lower: true, Note: "indexing alone"},
			suite.Result{Name: "gov-" + b.name + ".p95", Value: milliseconds(percentile(answers, 0.95)), Unit: "ms", Lower: true})
	}
	return out, nil
}

const baselineBatch = 1000

func makeBleve(ctx context.Context, c *corpus) (searcher, func(), error) {
	mapping := bleve.NewIndexMapping()
	mapping.ScoringModel = "bm25"
	text := bleve.NewTextFieldMapping()
	text.Analyzer = en.AnalyzerName
	text.Store, text.IncludeTermVectors, text.IncludeInAll, text.DocValues = false, false, false, false
	doc := bleve.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt("Text", text)
	mapping.DefaultMapping = doc
	ix, err := bleve.New(filepath.Join(c.dir, "bleve"), mapping)
	if err != nil {
		return nil, nil, err
	}
	batch := ix.NewBatch()
	var addresses []string
	err = c.service.Passages(ctx, func(d gov.Document, text string) error {
		if err := batch.Index(fmt.Sprint(len(addresses)), passage{d.Title + "\n" + text}); err != nil {
			return err
		}
		addresses = append(addresses, d.URL)
		if batch.Size() < baselineBatch {
			return nil
		}
		defer batch.Reset()
		return ix.Batch(batch)
	})
	if err == nil {
		err = ix.Batch(batch)
	}
	if err != nil {
		return nil, nil, err
	}
	search := func(ctx context.Context, q string, k int) ([]string, error) {
		match := bleve.NewMatchQuery(q)
		match.SetField("Text")
		res, err := ix.SearchInContext(ctx, bleve.NewSearchRequestOptions(match, 10*k, 0, false))
		if err != nil {
			return nil, err
		}
		var found []string
		for _, hit := range res.Hits {
			var n int
			if _, err := fmt.Sscan(hit.ID, &n); err != nil {
				return nil, err
			}
			found = append(found, addresses[n])
		}
		return firstOfEach(found, k), nil
	}
	return search, func() { _ = ix.Close() }, nil
}

func makeFTS5(ctx context.Context, c *corpus) (searcher, func(), error) {
	db, err := sql.Open("sqlite", filepath.Join(c.dir, "fts5.db")+"?_pragma=synchronous(0)&_pragma=journal_mode(off)")
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, `CREATE VIRTUAL TABLE passage USING fts5(text, address UNINDEXED, tokenize='porter unicode61', detail=none)`); err != nil {
		return nil, nil, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	insert, err := tx.PrepareContext(ctx, `INSERT INTO passage(text, address) VALUES (?, ?)`)
	if err != nil {
		return nil, nil, err
	}
	err = c.service.Passages(ctx, func(d gov.Document, text string) error {
		_, err := insert.ExecContext(ctx, d.Title+"\n"+text, d.URL)
		return err
	})
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		return nil, nil, err
	}
	search := func(ctx context.Context, q string, k int) ([]string, error) { return askFTS5(ctx, db, q, k) }
	return search, func() { _ = db.Close() }, nil
}

func askFTS5(ctx context.Context, db *sql.DB, q string, k int) ([]string, error) {
	var words []string
	for _, w := range strings.FieldsFunc(q, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words = append(words, `"`+w+`"`)
	}
	rows, err := db.QueryContext(ctx, `SELECT address FROM passage WHERE passage MATCH ? ORDER BY rank LIMIT ?`, strings.Join(words, " OR "), 10*k)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []string
	for rows.Next() {
		var address string
		if err := rows.Scan(&address); err != nil {
			return nil, err
		}
		found = append(found, address)
	}
	return firstOfEach(found, k), rows.Err()
}

// firstOfEach folds passages of one document.
func firstOfEach(found []string, k int) []string {
	seen := make(map[string]bool)
	var out []string
	for _, a := range found {
		if !seen[a] && len(out) < k {
			seen[a] = true
			out = append(out, a)
		}
	}
	return out
}

func sortedTypes(by map[string]marks) []string {
	types := make([]string, 0, len(by))
	for t := range by {
		types = append(types, t)
	}
	sort.Strings(types)
	return types
}
