package pdfium

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// What opening a document can end with.
var (
	ErrPassword = errors.New("the file needs a password")
	ErrDamaged  = errors.New("the file is damaged or no PDF")
	ErrMemory   = errors.New("the file needs more memory than the engine may use")
)

// The codes of FPDF_GetLastError that we tell apart.
const (
	lastErrorPassword = 4
	lastErrorSecurity = 5
)

// Document is one open file.
type Document struct {
	engine *Engine
	in     *instance
	handle uint64
	data   uint64 // where the bytes of the file lie in the instance
	pages  int
	held   []uint64     // pages kept open for their fonts
	spare  []page.Glyph // room for the glyphs of a page, used again for the next
}

// Open opens a file, trying the empty password where it is encrypted, and a
// repaired copy where it is damaged.
func (e *Engine) Open(ctx context.Context, body []byte) (*Document, error) {
	doc, err := e.load(ctx, body)
	if !errors.Is(err, ErrDamaged) {
		return doc, err
	}
	repaired := repair(body)
	if repaired == nil {
		return nil, err
	}
	return e.load(ctx, repaired)
}

// load opens a file as it is.
func (e *Engine) load(ctx context.Context, body []byte) (doc *Document, err error) {
	in, err := e.take(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			e.give(in)
		}
	}()
	defer recoverAs(&err)

	d := &Document{engine: e, in: in}
	d.data = in.call(ctx, "malloc", uint64(max(1, len(body))))
	if in.err == nil && (d.data == 0 || !in.memory.Write(uint32(d.data), body)) {
		in.fail(ErrMemory)
	}
	d.handle = in.call(ctx, "FPDF_LoadMemDocument64", d.data, uint64(len(body)), 0)
	if in.err == nil && d.handle == 0 {
		return nil, d.refused(ctx)
	}
	d.pages = int(int32(in.call(ctx, "FPDF_GetPageCount", d.handle)))
	if in.err != nil {
		return nil, d.failure(ctx, "open document")
	}
	if d.pages == 0 {
		in.call(ctx, "FPDF_CloseDocument", d.handle)
		in.call(ctx, "free", d.data)
		return nil, ErrDamaged
	}
	return d, nil
}

// refused says why the engine would not open the file.
func (d *Document) refused(ctx context.Context) error {
	code := d.in.call(ctx, "FPDF_GetLastError")
	d.in.call(ctx, "free", d.data)
	switch code {
	case lastErrorPassword, lastErrorSecurity:
		return ErrPassword
	}
	return ErrDamaged
}

// failure is the error of the instance, or of the context that ended it.
func (d *Document) failure(ctx context.Context, doing string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("%s: %w", doing, d.in.err)
}

// Close gives the instance back.
func (d *Document) Close() {
	ctx := context.Background()
	for _, handle := range d.held {
		d.in.call(ctx, "FPDF_ClosePage", handle)
	}
	d.in.call(ctx, "FPDF_CloseDocument", d.handle)
	d.in.call(ctx, "free", d.data)
	d.engine.give(d.in)
}

// NumPages is how many pages the file says it has.
func (d *Document) NumPages() int { return d.pages }

// MetaText gives an entry of the document's information, such as "Title".
func (d *Document) MetaText(ctx context.Context, name string) string {
	in := d.in
	tag := append([]byte(name), 0)
	if !in.memory.Write(in.scratch, tag) {
		return ""
	}
	out := in.scratch + uint32(len(tag)+7)&^7
	room := uint64(in.scratch + scratchSize - out)
	n := in.call(ctx, "FPDF_GetMetaText", d.handle, uint64(in.scratch), uint64(out), room)
	if n < 2 || n > room {
		return ""
	}
	return decodeUTF16(in.read(out, n))
}

// recoverAs turns a panic into an error: the input is foreign, and one file
// must not end the program.
func recoverAs(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("pdf engine panicked: %v\n%s", r, debug.Stack())
	}
}
