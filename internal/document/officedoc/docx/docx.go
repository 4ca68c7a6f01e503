// Package docx reads Word files since 2007 (docx, docm and their templates).
//
// The text is read as Word would print it with all changes accepted: deleted
// and hidden text is left out, inserted text is in. Headers, footers and
// comments are left out; footnotes, endnotes and text boxes are in. The body
// is streamed paragraph by paragraph, so memory follows the longest table, not
// the length of the document.
package docx

import (
	"context"
	"fmt"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/archive"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/opc"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

const what = "Word document"

// reader is the state of reading one document.
type reader struct {
	ctx    context.Context // for what is read by other readers
	pkg    *opc.Package
	styles *styles
	lists  *numbering
	notes  flow.Notes
	parts  map[string]*notePart // "footnotes", "endnotes"
	inCell bool                 // the text is inside a table

	part part // the part whose text is being read
}

// part is what holds for the text of one part of the file.
type part struct {
	rels   map[string]opc.Rel
	fields []openField
	carry  []flow.Span // text of a paragraph that runs on into the next
}

// Read reads a Word document.
func Read(ctx context.Context, in document.Input) (doc *document.Doc, err error) {
	defer fault.Recover(what, &err)
	pkg, err := opc.Open(in.Body, archive.Limits{})
	if err != nil {
		return nil, err
	}
	main := pkg.Main("word/document.xml")
	rels := pkg.Rels(main)
	r := &reader{ctx: ctx, pkg: pkg, parts: map[string]*notePart{}, part: part{rels: opc.ByID(rels)}}
	r.styles = readStyles(pkg.Tree(target(rels, "styles", "word/styles.xml")))
	r.lists = readNumbering(pkg.Tree(target(rels, "numbering", "word/numbering.xml")), r.styles)
	for _, kind := range []string{"footnotes", "endnotes"} {
		r.parts[kind] = &notePart{name: target(rels, kind, "word/"+kind+".xml")}
	}

	w := flow.New()
	if err := r.body(ctx, main, w); err != nil {
		return nil, fault.As(what, err)
	}
	blocks := w.Nodes()
	if section := r.notes.Section(); section != nil {
		blocks = append(blocks, section)
	}
	about := pkg.Facts()
	if about.Language == "" {
		about.Language = r.styles.language
	}
	return about.Doc(document.DOCX, in, blocks), nil
}

func target(rels []opc.Rel, kind, usual string) string {
	if r, ok := opc.First(rels, kind); ok && !r.External {
		return r.Target
	}
	return usual
}

// body streams the blocks of the main part.
func (r *reader) body(ctx context.Context, main string, w *flow.Writer) error {
	s, closer, err := r.pkg.Scan(main)
	if err != nil {
		return fmt.Errorf("open body: %w", err)
	}
	defer func() { _ = closer.Close() }() // read-only
	found := false
	for tok := s.Next(); tok != xmlpull.EOF; tok = s.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch {
		case tok == xmlpull.Start && s.Name() == "w:body":
			found = true
		case tok == xmlpull.Start && found:
			r.block(w, s.Node())
		}
	}
	r.flushCarry(w)
	if err := s.Err(); err != nil && !found {
		return err
	}
	return refusal(s.Err())
}

// block reads one block, or what a wrapper holds.
func (r *reader) block(w *flow.Writer, n *xmlpull.Node) {
	switch n.Name {
	case "w:p":
		r.paragraph(w, n)
	case "w:tbl":
		r.flushCarry(w)
		if table := r.table(n); table != nil {
			w.Block(table)
		}
	case "w:sdt":
		r.blocks(w, n.Child("w:sdtContent"))
	case "w:ins", "w:moveTo", "w:customXml", "w:smartTag":
		r.blocks(w, n)
	case "mc:AlternateContent":
		r.blocks(w, alternative(n))
	case "w:altChunk":
		r.flushCarry(w)
		r.chunk(w, n.Attr("r:id"))
	case "m:oMathPara", "m:oMath":
		r.formula(w, n)
	}
}

func (r *reader) blocks(w *flow.Writer, parent *xmlpull.Node) {
	if parent == nil {
		return
	}
	for _, n := range parent.Kids {
		r.block(w, n)
	}
}

// alternative picks one of the forms a writer offers for the same thing.
func alternative(n *xmlpull.Node) *xmlpull.Node {
	if choice := n.Child("mc:Choice"); choice != nil {
		return choice
	}
	return n.Child("mc:Fallback")
}
