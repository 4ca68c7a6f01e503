package govbench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/gov"
)

// runMillion measures the index at a million passages, made by repeating the
// real text under changed numbers.
func runMillion(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	c, done, err := openCorpus(ctx, env)
	if err != nil {
		return nil, err
	}
	defer done()
	wanted := 1_000_000
	if env.Quick {
		wanted = 500_000
	}
	return c.grow(ctx, wanted)
}

// grow imports copies of the corpus until there are enough passages, and asks.
func (c *corpus) grow(ctx context.Context, wanted int) ([]suite.Result, error) {
	copies := filepath.Join(c.dir, "copies")
	if err := os.MkdirAll(copies, 0o755); err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	stats, err := c.service.Stats(ctx)
	if err != nil {
		return nil, err
	}
	for n := 1; n*stats.Passages < wanted; n++ {
		if err := writeCopy(ctx, c.service, filepath.Join(copies, fmt.Sprintf("copy-%d.jsonl", n)), n); err != nil {
			return nil, err
		}
	}
	if _, err := c.service.Import(ctx, []string{copies}, nil); err != nil {
		return nil, err
	}
	if stats, err = c.service.Stats(ctx); err != nil {
		return nil, err
	}
	if _, err := ask(ctx, serviceSearcher(c.service), c.queries, c.address); err != nil { // warm
		return nil, err
	}
	debug.FreeOSMemory() // what the import took is not what answering takes
	peak := watchPeak()
	answers, err := ask(ctx, serviceSearcher(c.service), c.queries, c.address)
	if err != nil {
		return nil, err
	}
	note := fmt.Sprintf("%d passages", stats.Passages)
	return []suite.Result{
		{Name: "gov-million.p95", Value: milliseconds(percentile(answers, 0.95)), Unit: "ms", Lower: true, Note: note},
		{Name: "gov-million.memory", Value: peak(), Unit: "MiB", Lower: true, Note: "most the process held while answering"},
	}, nil
}

// writeCopy writes all documents again under other addresses.
func writeCopy(ctx context.Context, s *gov.Service, path string, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("make copy: %w", err)
	}
	w := bufio.NewWriter(f)
	enc := json.NewEncoder(w)
	var current gov.Document
	var text strings.Builder
	flush := func() error {
		if current.URL == "" {
			return nil
		}
		line := map[string]string{"url": fmt.Sprintf("https://copy-%d.test/%s", n, current.Key), "title": current.Title, "text": text.String(),
			"jurisdiction": current.Jurisdiction, "type": current.Type, "date": current.Date}
		text.Reset()
		return enc.Encode(line)
	}
	err = s.Passages(ctx, func(d gov.Document, passage string) error {
		if strings.HasPrefix(d.URL, "https://copy-") {
			return nil
		}
		if d.Key != current.Key {
			if err := flush(); err != nil {
				return err
			}
			current = d
		}
		text.WriteString(passage)
		text.WriteByte('\n')
		return nil
	})
	if err == nil {
		err = flush()
	}
	return errors.Join(err, w.Flush(), f.Close())
}
