package pdfium

// The kinds of annotations whose text is part of what a reader sees.
const (
	annotationFreeText = 3
	annotationStamp    = 13
	annotationWidget   = 20
)

// maxAnnotations bounds how many annotations of a page are looked at.
const maxAnnotations = 2000

// flatten draws filled-in form fields and notes onto the page, so that their text
// is read with the rest. The engine sees the change only after the page was
// loaded again.
func (r *reader) flatten(index int) {
	if !r.hasShownText() {
		return
	}
	in := r.in
	const forDisplay, unchanged = 0, 2
	if in.call(r.ctx, "FPDFPage_Flatten", r.handle, forDisplay) == unchanged || in.err != nil {
		return
	}
	again := in.call(r.ctx, "FPDF_LoadPage", r.Document.handle, uint64(index))
	if again == 0 {
		return
	}
	in.call(r.ctx, "FPDF_ClosePage", r.handle)
	r.handle = again
}

func (r *reader) hasShownText() bool {
	in := r.in
	count := min(int(int32(in.call(r.ctx, "FPDFPage_GetAnnotCount", r.handle))), maxAnnotations)
	for i := range count {
		annotation := in.call(r.ctx, "FPDFPage_GetAnnot", r.handle, uint64(i))
		if annotation == 0 {
			continue
		}
		kind := in.call(r.ctx, "FPDFAnnot_GetSubtype", annotation)
		in.call(r.ctx, "FPDFPage_CloseAnnot", annotation)
		switch kind {
		case annotationFreeText, annotationStamp, annotationWidget:
			return true
		}
	}
	return false
}
