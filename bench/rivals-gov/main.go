// Command rivals-gov answers the queries of bench/gov with plain keyword
// indexes over the same passages: Bleve with BM25, and SQLite's FTS5. It is a
// module of its own, so that what only a comparison needs is no part of trawl.
//
//	rivals-gov bleve|fts5 FOLDER
//
// The folder holds passages.jsonl and queries.jsonl. The answers go to standard
// output, one JSON line per query after one that says how long indexing took.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

// passage is one line of passages.jsonl.
type passage struct {
	Address string `json:"address"`
	Text    string `json:"text"` // with the title in front, so that it can be matched
}

// query is one line of queries.jsonl.
type query struct {
	Query string `json:"query"`
	K     int    `json:"k"`
}

// answer is one line of the output.
type answer struct {
	Took      time.Duration `json:"took"`
	Addresses []string      `json:"addresses,omitempty"`
}

// rival is a finished index.
type rival interface {
	// search gives the addresses of the best passages, the best first.
	search(ctx context.Context, text string, limit int) ([]string, error)
	close() error
}

// builders make an index of a file of passages.
var builders = map[string]func(ctx context.Context, dir string, passages string) (rival, error){
	"bleve": buildBleve, "fts5": buildFTS5,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "rivals-gov:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) != 2 || builders[args[0]] == nil {
		return fmt.Errorf("usage: rivals-gov bleve|fts5 FOLDER")
	}
	dir := args[1]
	began := time.Now()
	r, err := builders[args[0]](ctx, dir, filepath.Join(dir, "passages.jsonl"))
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(answer{Took: time.Since(began)}); err != nil {
		return err
	}
	err = eachLine(filepath.Join(dir, "queries.jsonl"), func(q query) error {
		asked := time.Now()
		found, err := r.search(ctx, q.Query, 10*q.K) // passages of one document are folded
		if err != nil {
			return fmt.Errorf("ask %q: %w", q.Query, err)
		}
		return out.Encode(answer{Took: time.Since(asked), Addresses: firstOfEach(found, q.K)})
	})
	if err != nil {
		return err
	}
	return r.close()
}

// eachLine reads a file of JSON lines.
func eachLine[T any](path string, f func(T) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := json.NewDecoder(bufio.NewReaderSize(file, 1<<20))
	for lines.More() {
		var line T
		if err := lines.Decode(&line); err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		if err := f(line); err != nil {
			return err
		}
	}
	return nil
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
