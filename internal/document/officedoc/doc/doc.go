// Package doc reads Word documents from before 2007.
//
// Such a file keeps its text in pieces, in any order, and beside it tables that
// say for stretches of the file, not of the text, how they are set. The text is
// put together first, then walked once: each stretch with its properties, each
// paragraph ending with a mark that carries the paragraph's own.
package doc

import (
	"context"
	"encoding/binary"
	"fmt"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/cfb"
	"github.com/trawlhq/trawl/internal/document/facts"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/flow"
)

const what = "Word document"

var le = binary.LittleEndian

// reader is the state of reading one document.
type reader struct {
	ctx    context.Context // checked while walking, so that a long document can be given up
	main   []byte          // the stream with the text
	tables []byte          // the stream with the tables
	fib    fib
	pieces []piece
	paras  []papx
	chars  []chpx
	styles []style
	fonts  []string
	lists  *lists
	notes  flow.Notes
	refs   map[int]note // by place in the text
}

// Read reads a Word document.
func Read(ctx context.Context, in document.Input) (doc *document.Doc, err error) {
	defer fault.Recover(what, &err)
	file, err := cfb.Open(in.Body)
	if err != nil {
		return nil, fault.Damaged(what, err)
	}
	if file.Has("EncryptedPackage") {
		return nil, fault.Protected(what)
	}
	r := &reader{ctx: ctx}
	if r.main, err = file.Stream("WordDocument"); err != nil {
		return nil, fault.Damaged(what, err)
	}
	if r.fib, err = readFIB(r.main); err != nil {
		return nil, fault.As(what, err)
	}
	var blocks []*html.Node
	if r.fib.old {
		blocks, err = r.oldText()
	} else {
		blocks, err = r.read(file)
	}
	if err != nil {
		return nil, fault.As(what, err)
	}
	return facts.Compound(file).Doc(document.DOC, in, blocks), nil
}

// read reads a document of Word 97 or later.
func (r *reader) read(file *cfb.File) ([]*html.Node, error) {
	var err error
	if r.tables, err = file.Stream(r.fib.tables); err != nil {
		return nil, fmt.Errorf("table stream: %w", err)
	}
	if r.pieces, err = readPieces(r.table(fcClx)); err != nil {
		return nil, err
	}
	r.fonts = readFonts(r.table(fcFonts))
	r.styles = readStyles(r.table(fcStyles), r.fonts)
	r.lists = readLists(r)
	r.paras = readParas(r.main, r.table(fcParas))
	r.chars = readChars(r.main, r.table(fcChars))
	r.refs = r.readNotes()

	w := newWalker(r)
	if err := w.walk(0, r.fib.text); err != nil {
		return nil, err
	}
	blocks := w.finish()
	boxes := r.fib.text + r.fib.footnotes + r.fib.headers + r.fib.macros + r.fib.comments + r.fib.endnotes
	box := newWalker(r)
	if err := box.walk(boxes, boxes+r.fib.textBoxes); err != nil {
		return nil, err
	}
	blocks = append(blocks, box.finish()...)
	if section := r.notes.Section(); section != nil {
		blocks = append(blocks, section)
	}
	return blocks, nil
}

// table gives one of the tables that the header points to.
func (r *reader) table(which int) []byte {
	at := fcBase + 8*which
	if at+8 > len(r.main) {
		return nil
	}
	return slice(r.tables, int64(le.Uint32(r.main[at:])), int64(le.Uint32(r.main[at+4:])))
}

// slice gives size bytes from an offset, as far as there are any.
func slice(b []byte, offset, size int64) []byte {
	if offset < 0 || size <= 0 || offset >= int64(len(b)) {
		return nil
	}
	return b[offset:min(offset+size, int64(len(b)))]
}
