package pdfium

import (
	"context"
	"fmt"
	"math"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// Page reads what stands on a page, counted from 0. The glyphs are good until the
// next page of the document is read: their room is used again.
func (d *Document) Page(ctx context.Context, index int) (p *page.Page, err error) {
	defer recoverAs(&err)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in := d.in
	handle := in.call(ctx, "FPDF_LoadPage", d.handle, uint64(index))
	if in.err != nil {
		return nil, d.failure(ctx, fmt.Sprintf("load page %d", index+1))
	}
	if handle == 0 {
		return nil, fmt.Errorf("load page %d: %w", index+1, ErrDamaged)
	}
	r := reader{Document: d, ctx: ctx, handle: handle}
	defer func() { d.hold(ctx, r.handle) }()
	r.frame = r.readFrame()
	r.page = &page.Page{Number: index + 1, Width: r.frame.width, Height: r.frame.height}
	r.links()
	r.flatten(index)
	r.glyphs()
	r.drawing()
	if in.err != nil {
		return nil, d.failure(ctx, fmt.Sprintf("read page %d", index+1))
	}
	return r.page, ctx.Err()
}

// heldPages is how many pages stay open after they were read. The engine forgets a
// font with the last page that uses it, and reading fonts is half of its work: so
// the next page finds them.
const heldPages = 3

// hold keeps a page open for a while, and closes the one held longest.
func (d *Document) hold(ctx context.Context, handle uint64) {
	d.held = append(d.held, handle)
	if len(d.held) > heldPages {
		d.in.call(ctx, "FPDF_ClosePage", d.held[0])
		d.held = d.held[1:]
	}
}

// reader reads one page.
type reader struct {
	*Document
	ctx    context.Context
	handle uint64
	frame  frame
	page   *page.Page
}

// frame is how the coordinates of the file become those of a reader.
type frame struct {
	box           page.Rect // in the file's coordinates, y upwards
	turns         int       // clockwise quarter turns
	width, height float64
}

func (r *reader) readFrame() frame {
	in := r.in
	f := frame{turns: int(in.call(r.ctx, "FPDFPage_GetRotation", r.handle)) & 3}
	if in.call(r.ctx, "FPDF_GetPageBoundingBox", r.handle, uint64(in.scratch)) != 0 {
		left, top, right, bottom := in.float(0), in.float(1), in.float(2), in.float(3)
		f.box = page.Rect{X0: left, Y0: bottom, X1: right, Y1: top}
	}
	if !(f.box.Width() > 0 && f.box.Height() > 0) {
		f.box = page.Rect{X1: 612, Y1: 792}
	}
	f.width, f.height = f.box.Width(), f.box.Height()
	if f.turns%2 == 1 {
		f.width, f.height = f.height, f.width
	}
	return f
}

// point converts a point of the file.
func (f frame) point(x, y float64) (float64, float64) {
	switch f.turns {
	case 1:
		return y - f.box.Y0, x - f.box.X0
	case 2:
		return f.box.X1 - x, y - f.box.Y0
	case 3:
		return f.box.Y1 - y, f.box.X1 - x
	}
	return x - f.box.X0, f.box.Y1 - y
}

// rect converts a rectangle of the file.
func (f frame) rect(x0, y0, x1, y1 float64) page.Rect {
	ax, ay := f.point(x0, y0)
	bx, by := f.point(x1, y1)
	return page.Rect{X0: min(ax, bx), Y0: min(ay, by), X1: max(ax, bx), Y1: max(ay, by)}
}

// turn says how text with this matrix is read on the page.
func (f frame) turn(m matrix) page.Turn {
	degrees := math.Atan2(m.b, m.a) * 180 / math.Pi
	quarters := math.Round(degrees / 90)
	if math.Abs(degrees-quarters*90) > 8 {
		return page.Slanted
	}
	return page.Turn((f.turns - int(quarters) + 8) & 3)
}

// matrix is a PDF transformation: x' = ax + cy + e, y' = bx + dy + f.
type matrix struct{ a, b, c, d, e, f float64 }

var identity = matrix{a: 1, d: 1}

// times applies m first and n after it.
func (m matrix) times(n matrix) matrix {
	return matrix{
		a: m.a*n.a + m.b*n.c, b: m.a*n.b + m.b*n.d,
		c: m.c*n.a + m.d*n.c, d: m.c*n.b + m.d*n.d,
		e: m.e*n.a + m.f*n.c + n.e, f: m.e*n.b + m.f*n.d + n.f,
	}
}

func (m matrix) apply(x, y float64) (float64, float64) {
	return m.a*x + m.c*y + m.e, m.b*x + m.d*y + m.f
}

// matrix reads the matrix a function leaves in the scratch space.
func (in *instance) matrix() matrix {
	return matrix{in.float(0), in.float(1), in.float(2), in.float(3), in.float(4), in.float(5)}
}
