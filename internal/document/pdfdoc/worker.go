package pdfdoc

import (
	"context"
	"errors"
	"fmt"
	"unicode"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/layout"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/ocr"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/pdfium"
)

// worker reads pages with a copy of the file of its own.
type worker struct {
	*file
	doc *pdfium.Document
}

func (w *worker) close() {
	if w.doc != nil {
		w.doc.Close()
		w.doc = nil
	}
}

// read reads one page, counted from 0. A page the engine cannot read stays empty:
// the others are still worth having. After a trap the file is opened anew.
func (w *worker) read(ctx context.Context, index int) (*layout.Page, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if w.doc == nil {
		doc, err := w.engine.Open(ctx, w.body)
		if err != nil {
			return nil, err
		}
		w.doc = doc
	}
	content, err := w.doc.Page(ctx, index)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		w.note(&w.failed, index)
		if !errors.Is(err, pdfium.ErrDamaged) {
			w.close()
		}
		return &layout.Page{Number: index + 1}, nil
	}
	if !w.needsOCR(content) {
		return w.analyze(content), nil
	}
	return w.recognize(ctx, index, content)
}

// analyze finds the blocks of a page. Should that panic, the page is lost and the
// rest is not.
func (w *worker) analyze(content *page.Page) (p *layout.Page) {
	defer func() {
		if recover() != nil {
			w.note(&w.failed, content.Number-1)
			p = &layout.Page{Number: content.Number}
		}
	}()
	return layout.Analyze(content)
}

func (w *worker) note(list *[]int, index int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	*list = append(*list, index+1)
}

// needsOCR says whether a page is to be looked at as a picture.
func (w *worker) needsOCR(p *page.Page) bool {
	if w.opts.Mode == OCR {
		return true
	}
	if len(p.Glyphs) >= fewGlyphs {
		return !legible(p.Glyphs)
	}
	return (len(p.Images) > 0 || len(p.Rules) > 0) && !hasWords(p)
}

// legible says that a fair part of the glyphs has a known meaning. Fonts without a
// map to Unicode give codes of their own instead.
func legible(glyphs []page.Glyph) bool {
	known := 0
	for i := range glyphs {
		if r := glyphs[i].Rune; r != unicode.ReplacementChar && !unicode.In(r, unicode.Cc, unicode.Co) {
			known++
		}
	}
	return 3*known >= len(glyphs)
}

// A page with fewer glyphs than this may be a scan with a stamp on it.
const fewGlyphs = 12

func hasWords(p *page.Page) bool {
	covered := 0.0
	for _, box := range p.Images {
		covered = max(covered, box.Area())
	}
	return len(p.Glyphs) > 0 && covered < 0.5*p.Width*p.Height
}

// recognize reads a page by OCR. Without an engine for it the page keeps what
// text it has, and is named in a warning.
func (w *worker) recognize(ctx context.Context, index int, content *page.Page) (*layout.Page, error) {
	if w.opts.Mode == Fast || !w.ocr.Available() {
		if w.opts.Mode == OCR {
			return nil, trawl.Errorf(trawl.Unavailable, "Service Unavailable").
				WithCode("OCR_UNAVAILABLE").
				WithDetails(map[string]any{"reason": "No OCR engine is installed."})
		}
		w.note(&w.skipped, index)
		return w.analyze(content), nil
	}
	img, dpi, err := w.doc.Render(ctx, index, ocr.Resolution)
	if err != nil {
		w.note(&w.failed, index)
		w.close()
		return w.analyze(content), ctx.Err()
	}
	if ocr.Blank(img) {
		return w.analyze(content), nil
	}
	glyphs, err := w.ocr.Glyphs(ctx, img, dpi)
	if err != nil {
		return nil, fmt.Errorf("recognize page %d: %w", index+1, err)
	}
	content.Glyphs, content.Fonts = glyphs, []page.Font{{}}
	p := w.analyze(content)
	p.Recognized = true
	return p, nil
}
