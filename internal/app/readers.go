package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/apart"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/htmldoc"
	"github.com/trawlhq/trawl/internal/document/imagedoc"
	"github.com/trawlhq/trawl/internal/document/kind"
	"github.com/trawlhq/trawl/internal/document/officedoc"
	"github.com/trawlhq/trawl/internal/document/pdfdoc"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/ocr"
	"github.com/trawlhq/trawl/internal/document/sheetdoc"
	"github.com/trawlhq/trawl/internal/document/textdoc"
	"github.com/trawlhq/trawl/internal/format"
)

// ReadApart is the command under which this program is a reader of files for
// another process of itself.
const ReadApart = "read-apart"

// What is read in this process, up to a size: text takes many times its size in
// memory once it is understood, and only a child has a limit on that.
const (
	pageHere = 4 << 20  // bytes of HTML
	tagsHere = 200_000  // of HTML; a page of four megabytes that people read has half of it
	textHere = 64 << 10 // bytes of other text, which may be a cell each
)

// openReaders says who understands what. Text in all its forms is read here;
// whatever is large, packed, drawn or compiled is read in a process apart.
func (a *App) openReaders() error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program, which reads files apart: %w", err)
	}
	pool := apart.New(apart.Options{
		Program: self, Args: []string{ReadApart, "--data-dir", a.Settings.DataDir}, Workers: max(2, runtime.NumCPU()), Log: a.Log,
	})
	a.onClose(pool.Close)
	readers := document.Readers{document.PDF: pool.Read}
	for _, k := range append(officedoc.Kinds(), sheetdoc.Kinds()...) {
		readers[k] = pool.Read
	}
	if hasOCR() {
		readers[document.Image] = pool.Read
	}
	for k, read := range textReaders() {
		fits := func(body []byte) bool { return len(body) <= textHere }
		if k == document.HTML {
			fits = func(body []byte) bool { return len(body) <= pageHere && bytes.Count(body, []byte{'<'}) <= tagsHere }
		}
		readers[k] = hereIf(fits, read, pool.Read)
	}
	a.Engines.Readers = readers
	return nil
}

// textReaders read what is text already.
func textReaders() document.Readers {
	readers := document.Readers{
		document.HTML: func(_ context.Context, in document.Input) (*document.Doc, error) {
			return htmldoc.Read(in.Body, in.ContentType, in.URL)
		},
		document.CSV: sheetdoc.Read, document.TSV: sheetdoc.Read,
	}
	for _, k := range textdoc.Kinds() {
		readers[k] = textdoc.Read
	}
	return readers
}

// hereIf has small inputs read here and large ones elsewhere.
func hereIf(fits func(body []byte) bool, here, elsewhere document.Reader) document.Reader {
	return func(ctx context.Context, in document.Input) (*document.Doc, error) {
		if fits(in.Body) {
			return here(ctx, in)
		}
		return elsewhere(ctx, in)
	}
}

// hasOCR tells whether text in pictures can be read.
func hasOCR() bool { return ocr.Find().Available() }

// ServeReaders is the other side: it reads the files that a parent sends, until
// there are no more.
func ServeReaders(ctx context.Context, dataDir string, in io.Reader, out io.Writer) error {
	readers := document.Readers{document.PDF: pdfReader(ctx, engineDir(dataDir))}
	maps.Copy(readers, textReaders())
	for _, k := range officedoc.Kinds() {
		readers[k] = officedoc.Read
	}
	for _, k := range []document.Kind{document.XLSX, document.XLS, document.ODS} {
		readers[k] = readWorkbook
	}
	if pictures, err := imagedoc.Open("", ""); err == nil {
		readers[document.Image] = pictures.Read
	}
	for k, read := range readers {
		readers[k] = making(read)
	}
	return apart.Serve(ctx, in, out, readers)
}

// making has the formats that are wanted made where the document was read. The
// tree of a large file takes many times the memory of its formats.
func making(read document.Reader) document.Reader {
	return func(ctx context.Context, in document.Input) (_ *document.Doc, err error) {
		defer fault.Recover("file", &err)
		doc, err := read(ctx, in)
		if err != nil || in.Wanted == nil {
			return doc, err
		}
		made := &trawl.Document{}
		src := format.Source{Doc: doc, Raw: in.Body, URL: in.Wanted.URL, ContentType: in.ContentType}
		if err := format.Fill(made, src, in.Wanted.Options); err != nil {
			return nil, err
		}
		doc.Made, doc.Root, doc.Pages, doc.Layout = made, nil, nil, nil
		return doc, nil
	}
}

// readWorkbook refuses bytes that are no workbook. Tables as text are read in the
// server; what comes here and is of no known form is not to be taken for one.
func readWorkbook(ctx context.Context, in document.Input) (*document.Doc, error) {
	if kind.Of(in.Body) == kind.Unknown {
		return nil, fault.Damaged("workbook", errors.New("the bytes are no spreadsheet"))
	}
	return sheetdoc.Read(ctx, in)
}

// engineDir is where the compiled PDF engine is kept.
func engineDir(dataDir string) string { return filepath.Join(dataDir, "cache", "pdfium") }

// warmAfter is how long after the start the engine is compiled, if no PDF has come by then.
const warmAfter = time.Minute

// warmReaders has the PDF engine compiled once in the life of a data directory.
// It takes longer than a caller may wait, and a child that is killed over it
// would leave the next caller where the first one was.
func (a *App) warmReaders(ctx context.Context) error {
	select {
	case <-time.After(warmAfter): // the first minute belongs to the callers
	case <-ctx.Done():
		return nil
	}
	if kept, err := os.ReadDir(engineDir(a.Settings.DataDir)); err == nil && len(kept) > 0 {
		return nil
	}
	_, err := a.Engines.Readers[document.PDF](ctx, document.Input{Body: []byte("%PDF-1.4\n")})
	a.Log.DebugContext(ctx, "PDF engine compiled", "err", err) // there is nothing in this file to be read
	return nil
}

// pdfReader starts the PDF engine with the first PDF: most children never see one.
func pdfReader(ctx context.Context, cacheDir string) document.Reader {
	open := sync.OnceValues(func() (*pdfdoc.Reader, error) {
		return pdfdoc.Open(ctx, pdfdoc.Config{CacheDir: cacheDir, OCR: ocr.Find()})
	})
	return func(ctx context.Context, in document.Input) (*document.Doc, error) {
		reader, err := open()
		if err != nil {
			return nil, err
		}
		return reader.Document(ctx, in)
	}
}
