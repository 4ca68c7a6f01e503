package pdfdoc

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/layout"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/pdfium"
	"github.com/trawlhq/trawl/internal/document/progress"
)

// file is one file being read.
type file struct {
	*Reader
	body    []byte
	opts    Options
	total   int              // pages the file says it has
	wanted  int              // pages to read
	first   *pdfium.Document // as opened to look at the whole; the first worker goes on with it
	outline []pdfium.Heading
	meta    map[string]string

	mu      sync.Mutex
	skipped []int // pages that would have needed OCR
	failed  []int // pages the engine could not read
}

// maxPages bounds what a file may ask of us, whatever it claims to have.
const maxPages = 10_000

// The entries of the information dictionary that are kept.
var metaNames = []string{"Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate", "ModDate"}

// open reads what concerns the file as a whole.
func (r *Reader) open(ctx context.Context, body []byte, opts Options) (*file, error) {
	doc, err := r.engine.Open(ctx, body)
	if err != nil {
		return nil, err
	}
	f := &file{Reader: r, body: body, opts: opts, total: doc.NumPages(), meta: map[string]string{}}
	f.wanted = min(f.total, maxPages)
	if opts.MaxPages > 0 {
		f.wanted = min(f.wanted, opts.MaxPages)
	}
	for _, name := range metaNames {
		f.meta[name] = doc.MetaText(ctx, name)
	}
	if f.outline, err = doc.Outline(ctx); err == nil {
		err = f.enoughTime(ctx)
	}
	if err != nil {
		doc.Close()
		return nil, err
	}
	f.first = doc
	return f, nil
}

// What a page takes at the very least, measured on a fast machine. A file is only
// refused before it is read when there is no hope.
const (
	leastPerPage       = 2 * time.Millisecond
	leastPerRecognized = 400 * time.Millisecond
)

// enoughTime refuses a file that cannot be read before ctx ends.
func (f *file) enoughTime(ctx context.Context) error {
	deadline, ok := ctx.Deadline()
	if !ok {
		return nil
	}
	perPage := leastPerPage
	if f.opts.Mode == OCR {
		perPage = leastPerRecognized
	}
	needed := perPage * time.Duration(f.wanted) / time.Duration(f.workers)
	if time.Until(deadline) >= needed {
		return nil
	}
	return trawl.Errorf(trawl.SiteFailed, "The PDF has too many pages for the timeout: %d pages need at least %d ms", f.wanted, needed.Milliseconds()).
		WithCode("SCRAPE_PDF_INSUFFICIENT_TIME_ERROR")
}

// pagesPerWorker is how many pages make another instance worth opening the file
// once more.
const pagesPerWorker = 8

// readPages reads the wanted pages, several at a time where there are many.
func (f *file) readPages(ctx context.Context) ([]*layout.Page, error) {
	pages := make([]*layout.Page, f.wanted)
	workers := min(f.workers, 1+f.wanted/pagesPerWorker)
	var next atomic.Int64
	told := f.counter(ctx)
	group, ctx := errgroup.WithContext(ctx)
	for i := range workers {
		group.Go(func() error {
			w := worker{file: f}
			if i == 0 {
				w.doc = f.first
			}
			defer w.close()
			for {
				i := int(next.Add(1)) - 1
				if i >= f.wanted {
					return nil
				}
				p, err := w.read(ctx, i)
				if err != nil {
					return err
				}
				pages[i] = p
				told()
			}
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return pages, f.verdict(pages)
}

// counter gives what a worker calls after each page, to tell how many are done.
func (f *file) counter(ctx context.Context) func() {
	listen, done := progress.Of(ctx), 0
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		done++
		listen(done, f.wanted)
	}
}

// verdict is the error where pages are missing that must not be.
func (f *file) verdict(pages []*layout.Page) error {
	switch {
	case len(f.failed) == len(pages):
		return pdfium.ErrDamaged
	case f.opts.Mode == Fast && len(f.skipped) > 0:
		return trawl.Errorf(trawl.SiteFailed, "The PDF has pages without text: OCR is required").
			WithCode("SCRAPE_PDF_OCR_REQUIRED").
			WithDetails(map[string]any{"pages": f.skipped})
	}
	return nil
}
