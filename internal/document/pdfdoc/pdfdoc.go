// Package pdfdoc reads PDF files.
//
// A file goes through four hands. The engine (package pdfium) says what stands
// where on a page, or OCR does where a page is only a picture; the layout
// (package layout) makes blocks of it, in reading order; this package looks at
// all pages together (running headers, levels of headings, paragraphs that go on
// after a page break) and writes the blocks as one HTML tree. Pages are taken one
// by one, so that of a long file only its text is ever in memory as a whole.
package pdfdoc

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/ocr"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/pdfium"
)

// Mode says when a page is read by OCR.
type Mode string

// The modes of the API.
const (
	Auto Mode = "auto" // where a page has no text of its own
	Fast Mode = "fast" // never; a page that would need it is an error
	OCR  Mode = "ocr"  // every page
)

// Options say what of a file is wanted. The zero value reads all of it.
type Options struct {
	MaxPages    int  // read no more than this; zero: all
	Mode        Mode // empty: Auto
	Pages       bool // fill Doc.Pages
	Blocks      bool // fill Doc.Layout
	PageMarkers bool // part the pages in Doc.Root by a rule and a comment "page N"
}

// Config is what a reader needs to start.
type Config struct {
	CacheDir    string     // keeps the compiled engine between starts; empty: compiled anew each time
	Workers     int        // pages read at the same time; zero: one
	MemoryLimit int64      // what a worker's engine may use, in bytes; zero: 768 MiB
	OCR         ocr.Engine // zero: none
}

// Reader reads PDF files. It may be used by several goroutines at once.
type Reader struct {
	engine  *pdfium.Engine
	workers int
	ocr     ocr.Engine
}

// Open starts the engine.
func Open(ctx context.Context, c Config) (*Reader, error) {
	workers := max(1, c.Workers)
	engine, err := pdfium.Open(ctx, pdfium.Options{CacheDir: c.CacheDir, Instances: workers, MemoryLimit: c.MemoryLimit})
	if err != nil {
		return nil, fmt.Errorf("start pdf engine: %w", err)
	}
	return &Reader{engine: engine, workers: workers, ocr: c.OCR}, nil
}

// Close stops the engine.
func (r *Reader) Close() error { return r.engine.Close() }

// Result is a file that was read.
type Result struct{ Doc *document.Doc }

// Read reads a file, and tells the progress of ctx after each page. It comes back
// soon after ctx ends even where the engine is caught in a page; what is left
// running then ends with that page.
func (r *Reader) Read(ctx context.Context, body []byte, opts Options) (*Result, error) {
	type answer struct {
		result *Result
		err    error
	}
	done := make(chan answer, 1)
	go func() {
		result, err := r.read(ctx, body, opts)
		done <- answer{result, err}
	}()
	select {
	case a := <-done:
		return a.result, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (r *Reader) read(ctx context.Context, body []byte, opts Options) (result *Result, err error) {
	defer fault.Recover(kindName, &err)
	if len(body) == 0 {
		return nil, fault.Damaged(kindName, errors.New("the file is empty"))
	}
	f, err := r.open(ctx, body, opts)
	if err != nil {
		return nil, refusal(ctx, err)
	}
	pages, err := f.readPages(ctx)
	if err != nil {
		return nil, refusal(ctx, err)
	}
	return f.assemble(pages), nil
}

// refusal is the error a caller reads for a file that cannot be read.
func refusal(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, pdfium.ErrPassword):
		return fault.Protected(kindName)
	case errors.Is(err, pdfium.ErrMemory):
		return fault.Limit(kindName, "memory")
	}
	return fault.As(kindName, err)
}

// kindName is what such a file is called in errors.
const kindName = "PDF"

// Document reads a file as the other readers do. It is a document.Reader.
func (r *Reader) Document(ctx context.Context, in document.Input) (*document.Doc, error) {
	result, err := r.Read(ctx, in.Body, Options{
		MaxPages: in.MaxPages, Mode: Mode(in.OCR), Pages: in.WantPages, Blocks: in.Blocks, PageMarkers: in.PageMarkers,
	})
	if err != nil {
		return nil, err
	}
	return result.Doc, nil
}

// Read reads one file with an engine of its own, which takes a moment to start:
// for a program that reads one file and ends.
func Read(ctx context.Context, body []byte, c Config, opts Options) (*document.Doc, error) {
	r, err := Open(ctx, c)
	if err != nil {
		return nil, err
	}
	result, err := r.Read(ctx, body, opts)
	if err != nil {
		return nil, errors.Join(err, closeUnlessBusy(ctx, r))
	}
	return result.Doc, r.Close()
}

// closeUnlessBusy closes the reader, but not under a page that outlived ctx.
func closeUnlessBusy(ctx context.Context, r *Reader) error {
	if ctx.Err() != nil {
		return nil
	}
	return r.Close()
}

// nowhere is the base of a file's addresses: it has only absolute ones.
func nowhere() *url.URL { return &url.URL{} }
