// Package pdfbench measures how well PDF files are read: reading order, headings
// and tables against known answers, survival on broken files, and speed.
//
// What is scored is the Markdown a caller gets, not an inner result.
package pdfbench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/document/pdfdoc"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/ocr"
	"github.com/trawlhq/trawl/internal/format/markdown"
)

// Suites gives the measurements of this package.
func Suites() []suite.Suite {
	return []suite.Suite{
		{Name: "pdf-layout-dpbench", Data: "pdf-layout-dpbench", Run: layoutScores},
		{Name: "pdf-tables-icdar13", Data: "pdf-tables-icdar13", Run: tableScores},
		{Name: "pdf-facts-olmocr", Data: "pdf-facts-olmocr", Run: factScores},
		{Name: "pdf-hostile", Data: "hostile-files", Run: hostileScores},
		{Name: "pdf-speed", Data: "pdf-tables-icdar13", Run: speed},
		{Name: "pdf-memory", Run: memory},
	}
}

// open starts a reader that keeps its engine in the user's cache.
func open(ctx context.Context, workers int) (*pdfdoc.Reader, error) {
	cache, err := cacheDir()
	if err != nil {
		return nil, err
	}
	return pdfdoc.Open(ctx, pdfdoc.Config{CacheDir: cache, Workers: workers, OCR: ocr.Find()})
}

func cacheDir() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	dir := filepath.Join(base, "trawl", "pdf")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make cache folder: %w", err)
	}
	return dir, nil
}

// markdownOf reads a file as the service does.
func markdownOf(ctx context.Context, r *pdfdoc.Reader, body []byte) (string, error) {
	result, err := r.Read(ctx, body, pdfdoc.Options{})
	if err != nil {
		return "", err
	}
	return markdown.Convert(result.Doc.Root, markdown.Options{}), nil
}

// details writes one JSON line per item.
type details struct {
	file *os.File
	enc  *json.Encoder
}

func openDetails(env suite.Env, name string) (*details, error) {
	if env.Out == "" {
		return &details{}, nil
	}
	f, err := os.Create(filepath.Join(env.Out, name+".jsonl"))
	if err != nil {
		return nil, err
	}
	return &details{file: f, enc: json.NewEncoder(f)}, nil
}

func (d *details) add(v any) error {
	if d.enc == nil {
		return nil
	}
	return d.enc.Encode(v)
}

func (d *details) close() error {
	if d.file == nil {
		return nil
	}
	return d.file.Close()
}

func cores() int { return runtime.GOMAXPROCS(0) }
