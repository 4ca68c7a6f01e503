package pdfium

import "context"

// Heading is an entry of the document's outline.
type Heading struct {
	Title string
	Level int // counted from 1
	Page  int // counted from 1; zero: it leads nowhere
}

// maxHeadings bounds an outline, which may come in a circle.
const (
	maxHeadings     = 5000
	maxOutlineLevel = 8
)

// Outline gives the entries of the document's outline in order.
func (d *Document) Outline(ctx context.Context) (headings []Heading, err error) {
	defer recoverAs(&err)
	o := outlineReader{Document: d, ctx: ctx, seen: map[uint64]bool{}}
	o.children(0, 1)
	if d.in.err != nil {
		return nil, d.failure(ctx, "read outline")
	}
	return o.headings, nil
}

type outlineReader struct {
	*Document
	ctx      context.Context
	seen     map[uint64]bool
	headings []Heading
}

func (o *outlineReader) children(parent uint64, level int) {
	in := o.in
	mark := in.call(o.ctx, "FPDFBookmark_GetFirstChild", o.handle, parent)
	for mark != 0 && !o.seen[mark] && len(o.headings) < maxHeadings && level <= maxOutlineLevel && in.err == nil {
		o.seen[mark] = true
		h := Heading{Level: level, Title: in.text(o.ctx, "FPDFBookmark_GetTitle", mark)}
		if dest := in.call(o.ctx, "FPDFBookmark_GetDest", o.handle, mark); dest != 0 {
			h.Page = int(int32(in.call(o.ctx, "FPDFDest_GetDestPageIndex", o.handle, dest))) + 1
		}
		o.headings = append(o.headings, h)
		o.children(mark, level+1)
		mark = in.call(o.ctx, "FPDFBookmark_GetNextSibling", o.handle, mark)
	}
}
