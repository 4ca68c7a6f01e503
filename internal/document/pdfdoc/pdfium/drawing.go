package pdfium

import (
	"math"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// The types of page objects.
const (
	objectPath  = 2
	objectImage = 3
	objectForm  = 5
)

// Bounds on the drawing of one page. Maps and plots have hundreds of thousands
// of strokes, none of which rules a table.
const (
	maxObjects  = 20_000
	maxSegments = 400 // of one path
	maxRules    = 6_000
	maxDepth    = 8 // forms inside forms
)

// drawing reads rules and images.
func (r *reader) drawing() {
	d := drawingReader{reader: r, left: maxObjects}
	count := int(int32(r.in.call(r.ctx, "FPDFPage_CountObjects", r.handle)))
	get := r.in.function("FPDFPage_GetObject")
	for i := 0; i < count && d.goesOn(); i++ {
		d.object(r.in.invoke(r.ctx, get, r.handle, uint64(i)), identity, 0)
	}
}

// drawingReader walks the page objects.
type drawingReader struct {
	*reader
	left int // objects still to look at
}

func (d *drawingReader) goesOn() bool {
	d.left--
	if d.left%1024 == 0 && d.ctx.Err() != nil {
		return false
	}
	return d.left >= 0 && len(d.page.Rules) < maxRules && d.in.err == nil
}

// object reads one object; m leads from its coordinates to those of the page.
func (d *drawingReader) object(obj uint64, m matrix, depth int) {
	if obj == 0 {
		return
	}
	switch d.in.call(d.ctx, "FPDFPageObj_GetType", obj) {
	case objectPath:
		d.path(obj, m)
	case objectImage:
		if box, ok := d.bounds(obj, m); ok && box.Width() > 8 && box.Height() > 8 {
			d.page.Images = append(d.page.Images, box)
		}
	case objectForm:
		d.form(obj, m, depth)
	}
}

func (d *drawingReader) form(obj uint64, m matrix, depth int) {
	if depth >= maxDepth {
		return
	}
	in := d.in
	if in.call(d.ctx, "FPDFPageObj_GetMatrix", obj, in.at(0)) != 0 {
		m = in.matrix().times(m)
	}
	count := int(int32(in.call(d.ctx, "FPDFFormObj_CountObjects", obj)))
	for i := 0; i < count && d.goesOn(); i++ {
		d.object(in.call(d.ctx, "FPDFFormObj_GetObject", obj, uint64(i)), m, depth+1)
	}
}

// bounds is the box of an object on the page; ok is false for one that is not
// on it.
func (d *drawingReader) bounds(obj uint64, m matrix) (page.Rect, bool) {
	in := d.in
	s := uint64(in.scratch)
	if in.call(d.ctx, "FPDFPageObj_GetBounds", obj, s, s+4, s+8, s+12) == 0 {
		return page.Rect{}, false
	}
	left, bottom, right, top := in.float(0), in.float(1), in.float(2), in.float(3)
	box := d.place(m, left, bottom).Union(d.place(m, right, top))
	visible := box.Intersect(page.Rect{X1: d.frame.width, Y1: d.frame.height}.Grow(2))
	return visible, !visible.Empty()
}

// place is a point as a rectangle without extent.
func (d *drawingReader) place(m matrix, x, y float64) page.Rect {
	x, y = d.frame.point(m.apply(x, y))
	return page.Rect{X0: x, Y0: y, X1: x, Y1: y}
}

// thin is the thickest a line may be to count as a rule.
const thin = 3.5

// path reads the straight lines and rectangles of a path.
func (d *drawingReader) path(obj uint64, m matrix) {
	box, ok := d.bounds(obj, m)
	if !ok {
		return
	}
	in := d.in
	if in.call(d.ctx, "FPDFPath_GetDrawMode", obj, in.at(0), in.at(1)) == 0 {
		return
	}
	filled, stroked := in.word(0) != 0, in.word(2) != 0
	if !filled && !stroked {
		return // a clip
	}
	light := d.light(obj, stroked)
	if box.Width() <= thin || box.Height() <= thin {
		d.add(page.Rule{Rect: box, Light: light})
		return
	}
	if box.Width() < 4 && box.Height() < 4 {
		return
	}
	d.segments(obj, m, page.Rule{Rect: box, Filled: filled && !stroked, Light: light})
}

func (d *drawingReader) add(rule page.Rule) { d.page.Rules = append(d.page.Rules, rule) }

// light says whether the path is drawn in white or nearly so, or is see-through.
func (d *drawingReader) light(obj uint64, stroked bool) bool {
	in := d.in
	name := "FPDFPageObj_GetFillColor"
	if stroked {
		name = "FPDFPageObj_GetStrokeColor"
	}
	s := uint64(in.scratch)
	if in.call(d.ctx, name, obj, s, s+4, s+8, s+12) == 0 {
		return false
	}
	return in.word(3) < 10 || in.word(0) > 250 && in.word(1) > 250 && in.word(2) > 250
}

// The types of path segments.
const (
	segmentLine   = 0
	segmentBezier = 1
	segmentMove   = 2
)

// segments reads a path stroke by stroke. A filled one is a rectangle or nothing
// to us.
func (d *drawingReader) segments(obj uint64, m matrix, whole page.Rule) {
	in := d.in
	count := int(int32(in.call(d.ctx, "FPDFPath_CountSegments", obj)))
	if count < 2 || count > maxSegments {
		return
	}
	if in.call(d.ctx, "FPDFPageObj_GetMatrix", obj, in.at(0)) != 0 {
		m = in.matrix().times(m)
	}
	var lines []page.Rule
	var start, pen page.Rect
	straight := true
	for i := range count {
		segment := in.call(d.ctx, "FPDFPath_GetPathSegment", obj, uint64(i))
		if segment == 0 || in.call(d.ctx, "FPDFPathSegment_GetPoint", segment, uint64(in.scratch), uint64(in.scratch)+4) == 0 {
			return
		}
		to := d.place(m, in.float(0), in.float(1))
		switch in.call(d.ctx, "FPDFPathSegment_GetType", segment) {
		case segmentMove:
			start = to
		case segmentLine:
			lines, straight = appendLine(lines, pen, to, straight)
		default:
			straight = false
		}
		if in.call(d.ctx, "FPDFPathSegment_GetClose", segment) != 0 {
			lines, straight = appendLine(lines, to, start, straight)
		}
		pen = to
	}
	if whole.Filled {
		if straight && count <= 6 {
			d.add(whole)
		}
		return
	}
	for _, line := range lines {
		line.Light = whole.Light
		d.add(line)
	}
}

// appendLine adds the line between two points where it is level or upright.
func appendLine(lines []page.Rule, a, b page.Rect, straight bool) ([]page.Rule, bool) {
	line := a.Union(b)
	if line.Width() > 1 && line.Height() > 1 {
		return lines, false
	}
	if math.Max(line.Width(), line.Height()) < 2 {
		return lines, straight
	}
	return append(lines, page.Rule{Rect: line}), straight
}
