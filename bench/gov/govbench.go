// Package govbench measures the government index: what the importers find, how
// well queries are answered, how fast, and beside it plain keyword indexes over
// the same passages.
package govbench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/gov"
)

// dataFolder is the folder of the developer data.
const dataFolder = "gov"

// Suites are the measurements of this package.
func Suites() []suite.Suite {
	return []suite.Suite{
		{Name: "gov", Data: dataFolder, Run: runGov},
		{Name: "gov-baselines", Data: dataFolder, Run: runBaselines},
		{Name: "gov-million", Data: dataFolder, Run: runMillion},
	}
}

// corpus is the developer corpus in an index of its own.
type corpus struct {
	service *gov.Service
	dir     string
	took    time.Duration
	queries []query
	units   []unit
	address map[string]string // of units by id
}

// openCorpus imports the corpus into a folder that is removed afterwards.
func openCorpus(ctx context.Context, env suite.Env) (c *corpus, done func(), err error) {
	dir, err := os.MkdirTemp("", "trawl-gov-bench-")
	if err != nil {
		return nil, nil, fmt.Errorf("make folder: %w", err)
	}
	c = &corpus{dir: dir, address: make(map[string]string)}
	done = func() {
		if c.service != nil {
			_ = c.service.Close() // read-only by then
		}
		_ = os.RemoveAll(dir) // a temporary folder
	}
	if err := c.fill(ctx, env); err != nil {
		done()
		return nil, nil, err
	}
	return c, done, nil
}

func (c *corpus) fill(ctx context.Context, env suite.Env) error {
	var err error
	if c.queries, err = readQueries(env.Path(dataFolder, "queries-dev.jsonl")); err != nil {
		return err
	}
	if c.units, err = readUnits(env.Path(dataFolder, "units.jsonl.zst")); err != nil {
		return err
	}
	for _, u := range c.units {
		c.address[u.ID] = u.URL
	}
	pdf, err := openPDF(ctx, c.dir)
	if err != nil {
		return err
	}
	defer pdf.close()
	if c.service, err = gov.Open(ctx, gov.Options{Dir: filepath.Join(c.dir, "index"), PDF: pdf.text}); err != nil {
		return err
	}
	began := time.Now()
	p, err := c.service.Import(ctx, []string{env.Path(dataFolder, "corpus")}, nil)
	c.took = time.Since(began)
	fmt.Fprintf(env.Log, "imported %d units in %s, %d files damaged\n", p.Units, c.took.Round(time.Second), p.Damaged)
	return err
}

func runGov(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	c, done, err := openCorpus(ctx, env)
	if err != nil {
		return nil, err
	}
	defer done()
	found, err := c.unitsFound(ctx)
	if err != nil {
		return nil, err
	}
	stats, err := c.service.Stats(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := ask(ctx, serviceSearcher(c.service), c.queries, c.address); err != nil { // warm
		return nil, err
	}
	answers, err := ask(ctx, serviceSearcher(c.service), c.queries, c.address)
	if err != nil {
		return nil, err
	}
	if err := keep(env, "gov.jsonl", answers); err != nil {
		return nil, err
	}
	perSecond, err := c.perSecond(ctx, env.Quick)
	if err != nil {
		return nil, err
	}
	results := quality("gov", answers)
	return append(results,
		suite.Result{Name: "gov.units", Value: found, Unit: "share", Note: fmt.Sprintf("of %d reference units: right address, with text", len(c.units))},
		suite.Result{Name: "gov.import", Value: c.took.Seconds(), Unit: "s", Lower: true, Note: "whole corpus, unpacking included"},
		suite.Result{Name: "gov.index", Value: float64(stats.Bytes) / unpackedSize, Unit: "x", Lower: true, Note: "of the unpacked text"},
		suite.Result{Name: "gov.p95", Value: milliseconds(percentile(answers, 0.95)), Unit: "ms", Lower: true, Note: "one query at a time, warm"},
		suite.Result{Name: "gov.rate", Value: perSecond, Unit: "queries/s", Note: "two at a time, warm"},
	), nil
}

// unpackedSize is the size of the developer corpus unpacked, as its notes say.
const unpackedSize = 397e6

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// quality gives the marks per type, and R@1 for citations.
func quality(name string, answers []answered) []suite.Result {
	by := byType(answers)
	var out []suite.Result
	for _, t := range sortedTypes(by) {
		m := by[t]
		out = append(out,
			suite.Result{Name: name + "." + t + ".ndcg10", Value: m.NDCG, Unit: "nDCG@10"},
			suite.Result{Name: name + "." + t + ".hit10", Value: m.Hit, Unit: "Hit@10"},
			suite.Result{Name: name + "." + t + ".mrr10", Value: m.MRR, Unit: "MRR@10"})
		if t == "citation" {
			out = append(out, suite.Result{Name: name + ".citation.first", Value: m.First, Unit: "R@1"})
		}
	}
	return out
}

// unitsFound is the share of reference units whose address the index has, with
// text where the reference has some.
func (c *corpus) unitsFound(ctx context.Context) (float64, error) {
	words := make(map[string]int)
	err := c.service.Each(ctx, func(d gov.Document) error {
		if !d.Listed {
			words[sameAddress(d.URL)] = d.Words + 1
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	found := 0
	for _, u := range c.units {
		if n := words[sameAddress(u.URL)]; n > 1 || n == 1 && u.Chars < 200 {
			found++
		}
	}
	return float64(found) / float64(len(c.units)), nil
}

// perSecond asks all queries with two at a time, several rounds.
func (c *corpus) perSecond(ctx context.Context, quick bool) (float64, error) {
	rounds := 5
	if quick {
		rounds = 1
	}
	var next atomic.Int64
	var failed error
	var once sync.Once
	total := int64(rounds * len(c.queries))
	began := time.Now()
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < total; i = next.Add(1) - 1 {
				if _, err := c.service.Search(ctx, c.queries[int(i)%len(c.queries)].Query, 10); err != nil {
					once.Do(func() { failed = err })
					return
				}
			}
		})
	}
	workers.Wait()
	return float64(total) / time.Since(began).Seconds(), failed
}

// keep writes one line per query for looking at a change query by query.
func keep(env suite.Env, name string, answers []answered) error {
	if env.Out == "" {
		return nil
	}
	f, err := os.Create(filepath.Join(env.Out, name))
	if err != nil {
		return fmt.Errorf("keep answers: %w", err)
	}
	enc := json.NewEncoder(f)
	for _, a := range answers {
		if err := enc.Encode(a); err != nil {
			_ = f.Close()
			return fmt.Errorf("keep answers: %w", err)
		}
	}
	return f.Close()
}
