package govbench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/gov"
)

// rivalsDir is the module of the plain keyword indexes, seen from the root of
// the repository, where the benchmark runs.
const rivalsDir = "bench/rivals-gov"

// rivalTime is how long one of them may take for everything.
const rivalTime = 20 * time.Minute

// runBaselines asks a plain Bleve index and an FTS5 table over the same passages
// the same queries.
func runBaselines(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	c, done, err := openCorpus(ctx, env)
	if err != nil {
		return nil, err
	}
	defer done()
	if err := c.export(ctx); err != nil {
		return nil, fmt.Errorf("write passages for the rivals: %w", err)
	}
	var out []suite.Result
	for _, name := range []string{"bleve", "fts5"} {
		built, answers, err := c.askRival(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("ask %s: %w", name, err)
		}
		if err := keep(env, "gov-"+name+".jsonl", answers); err != nil {
			return nil, err
		}
		out = append(out, quality("gov-"+name, answers)...)
		out = append(out,
			suite.Result{Name: "gov-" + name + ".import", Value: built.Seconds(), Unit: "s", Lower: true, Note: "indexing alone"},
			suite.Result{Name: "gov-" + name + ".p95", Value: milliseconds(percentile(answers, 0.95)), Unit: "ms", Lower: true})
	}
	return out, nil
}

// export writes what the rivals need: all passages, each with the title in
// front, and the queries.
func (c *corpus) export(ctx context.Context) error {
	err := writeLines(filepath.Join(c.dir, "passages.jsonl"), func(write func(any) error) error {
		return c.service.Passages(ctx, func(d gov.Document, text string) error {
			return write(map[string]string{"address": d.URL, "text": d.Title + "\n" + text})
		})
	})
	if err != nil {
		return err
	}
	return writeLines(filepath.Join(c.dir, "queries.jsonl"), func(write func(any) error) error {
		for _, q := range c.queries {
			if err := write(map[string]any{"query": q.Query, "k": 10 + len(q.Exclude)}); err != nil {
				return err
			}
		}
		return nil
	})
}

func writeLines(path string, fill func(write func(any) error) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	return errors.Join(fill(json.NewEncoder(w).Encode), w.Flush(), f.Close())
}

// askRival runs one rival and judges its answers.
func (c *corpus) askRival(ctx context.Context, name string) (built time.Duration, answers []answered, err error) {
	ctx, cancel := context.WithTimeout(ctx, rivalTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "run", ".", name, c.dir)
	cmd.Dir, cmd.Stderr = rivalsDir, os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return 0, nil, err
	}
	if err := cmd.Start(); err != nil {
		return 0, nil, err
	}
	lines := json.NewDecoder(pipe)
	next := func() (line rivalAnswer, err error) { return line, lines.Decode(&line) }
	line, err := next()
	built = line.Took
	answers, err2 := judgeAll(c.queries, c.address, func(query) ([]string, time.Duration, error) {
		line, err := next()
		return line.Addresses, line.Took, err
	})
	return built, answers, errors.Join(err, err2, cmd.Wait())
}

// rivalAnswer is a line of a rival's output.
type rivalAnswer struct {
	Took      time.Duration `json:"took"`
	Addresses []string      `json:"addresses"`
}
