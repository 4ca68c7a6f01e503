package pdfium

import (
	"context"
	"errors"
	"fmt"
	"image"
)

// The flags of a rendering: annotations drawn, grey levels.
const (
	renderAnnotations = 0x01
	renderGrey        = 0x08
	bitmapGrey        = 1 // one byte per pixel
)

// maxPixels bounds one rendering; a page may claim to be kilometres wide.
const maxPixels = 40_000_000

// Render draws a page, counted from 0, in grey levels at the given resolution,
// or at a lower one where the page is too large for it. The second value is the
// resolution used, in dots per inch.
func (d *Document) Render(ctx context.Context, index int, dpi float64) (img *image.Gray, used float64, err error) {
	defer recoverAs(&err)
	in := d.in
	handle := in.call(ctx, "FPDF_LoadPage", d.handle, uint64(index))
	if in.err != nil {
		return nil, 0, d.failure(ctx, fmt.Sprintf("load page %d", index+1))
	}
	if handle == 0 {
		return nil, 0, fmt.Errorf("load page %d: %w", index+1, ErrDamaged)
	}
	defer in.call(ctx, "FPDF_ClosePage", handle)

	width := asFloat(in.call(ctx, "FPDF_GetPageWidthF", handle))
	height := asFloat(in.call(ctx, "FPDF_GetPageHeightF", handle))
	if !(width > 0 && height > 0) {
		return nil, 0, fmt.Errorf("render page %d: %w", index+1, ErrDamaged)
	}
	for width*height*dpi*dpi/72/72 > maxPixels {
		dpi *= 0.9
	}
	w, h := max(1, int(width*dpi/72)), max(1, int(height*dpi/72))
	img, err = d.draw(ctx, handle, w, h)
	return img, dpi, err
}

func (d *Document) draw(ctx context.Context, handle uint64, w, h int) (*image.Gray, error) {
	in := d.in
	bitmap := in.call(ctx, "FPDFBitmap_CreateEx", uint64(w), uint64(h), bitmapGrey, 0, 0)
	if bitmap == 0 {
		return nil, errors.Join(errors.New("no memory for the picture of the page"), in.err)
	}
	defer in.call(ctx, "FPDFBitmap_Destroy", bitmap)
	in.call(ctx, "FPDFBitmap_FillRect", bitmap, 0, 0, uint64(w), uint64(h), 0xFFFFFFFF)
	in.call(ctx, "FPDF_RenderPageBitmap", bitmap, handle, 0, 0, uint64(w), uint64(h), 0, renderAnnotations|renderGrey)
	buffer := uint32(in.call(ctx, "FPDFBitmap_GetBuffer", bitmap))
	stride := int(in.call(ctx, "FPDFBitmap_GetStride", bitmap))
	if in.err != nil {
		return nil, d.failure(ctx, "render page")
	}
	pixels := in.read(buffer, uint64(stride)*uint64(h))
	if pixels == nil {
		return nil, errors.New("picture of the page lies outside the memory")
	}
	return &image.Gray{Pix: pixels, Stride: stride, Rect: image.Rect(0, 0, w, h)}, nil
}
