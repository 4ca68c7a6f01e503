// Package odt reads OpenDocument texts and presentations.
//
// Deleted text, hidden text and comments are left out; notes and text boxes are
// in. Of a presentation every page becomes a heading with what is on it, and
// the speaker's notes after it.
package odt

import (
	"bytes"
	"context"
	"fmt"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/odf"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

const what = "OpenDocument file"

// reader is the state of reading one document.
type reader struct {
	ctx     context.Context // checked between blocks, so that a long document can be given up
	file    *odf.File
	styles  *styles
	notes   flow.Notes
	counted map[string]int // by list style and level: the last number given
	slides  int

	inObject bool // a chart is being read
}

// Read reads a text or a presentation.
func Read(ctx context.Context, in document.Input) (doc *document.Doc, err error) {
	defer fault.Recover(what, &err)
	file, err := odf.Open(in.Body, what)
	if err != nil {
		return nil, err
	}
	body, err := file.Read("content.xml")
	if err != nil {
		return nil, fault.As(what, err)
	}
	scan := xmlpull.New(bytes.NewReader(body), odf.Names)
	root := scan.Root()
	if root == nil {
		return nil, fault.Damaged(what, fmt.Errorf("empty content: %w", firstOf(scan.Err(), errEmpty)))
	}
	r := &reader{ctx: ctx, file: file, counted: map[string]int{}}
	r.styles = readStyles(file.Tree("styles.xml"), root)
	blocks, kind, err := r.body(root.Child("office:body"))
	if err != nil {
		return nil, err
	}
	if section := r.notes.Section(); section != nil {
		blocks = append(blocks, section)
	}
	about := file.Facts()
	about.Slides = r.slides
	return about.Doc(kind, in, blocks), nil
}

var errEmpty = fmt.Errorf("no element")

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) body(body *xmlpull.Node) ([]*html.Node, document.Kind, error) {
	w := flow.New()
	if show := body.Child("office:presentation"); show != nil {
		for _, page := range show.All("draw:page") {
			if err := r.ctx.Err(); err != nil {
				return nil, "", err
			}
			r.page(w, page)
		}
		return w.Nodes(), document.ODP, nil
	}
	for _, kind := range []string{"office:text", "office:drawing", "office:spreadsheet"} {
		if part := body.Child(kind); part != nil {
			err := r.blocks(w, part, place{})
			return w.Nodes(), document.ODT, err
		}
	}
	return nil, document.ODT, nil
}

// place is where in lists a block stands.
type place struct {
	depth int    // lists around it
	style string // of the innermost list that names one
	first bool   // the item has no paragraph yet
	start int    // number the item asks for; zero: none
}

func (r *reader) blocks(w *flow.Writer, parent *xmlpull.Node, at place) error {
	for _, n := range parent.Kids {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if err := r.block(w, n, &at); err != nil {
			return err
		}
	}
	return nil
}

// block reads one block, or what a wrapper holds.
func (r *reader) block(w *flow.Writer, n *xmlpull.Node, at *place) error {
	switch n.Name {
	case "text:h", "text:p":
		r.paragraph(w, n, at)
	case "text:list":
		return r.list(w, n, *at)
	case "table:table":
		if table, err := r.table(n); err != nil {
			return err
		} else if table != nil {
			w.Block(table)
		}
	case "text:section", "text:index-body", "text:table-of-content", "text:illustration-index", "text:table-index",
		"text:alphabetical-index", "text:bibliography", "text:user-index", "text:index-title", "draw:g", "draw:page",
		"text:numbered-paragraph":
		if n.Attr("text:display") == "none" {
			return nil
		}
		return r.blocks(w, n, *at)
	case "draw:frame", "draw:custom-shape", "draw:rect", "draw:ellipse", "draw:text-box", "draw:a", "draw:polyline",
		"draw:path", "draw:line", "draw:connector", "draw:caption":
		return r.shape(w, n)
	}
	return nil
}
