package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/page"
)

// paper sizes in inches, upright.
var paper = map[string][2]float64{
	"A0": {33.1, 46.8}, "A1": {23.4, 33.1}, "A2": {16.54, 23.4}, "A3": {11.7, 16.54},
	"A4": {8.27, 11.7}, "A5": {5.83, 8.27}, "A6": {4.13, 5.83},
	"Letter": {8.5, 11}, "Legal": {8.5, 14}, "Tabloid": {11, 17}, "Ledger": {17, 11},
}

// print makes a PDF of the page.
func (t *tab) print(ctx context.Context, a Action) ([]byte, error) {
	format, scale := a.Format, a.Scale
	if format == "" {
		format = "Letter"
	}
	size, known := paper[format]
	if !known {
		return nil, actionFailure{"UNKNOWN_PAPER_FORMAT", format}
	}
	if scale == 0 {
		scale = 1
	}
	if scale < 0.1 || scale > 2 {
		return nil, actionFailure{"INVALID_SCALE", fmt.Sprint(scale)}
	}
	ctx, cancel := t.whileAlive(ctx)
	defer cancel()
	printed, err := call(ctx, t.session, page.PrintToPDF, page.PrintToPDFParams{
		PaperWidth: size[0], PaperHeight: size[1], Landscape: new(a.Landscape), Scale: scale, PrintBackground: new(true),
	})
	if err != nil {
		return nil, fmt.Errorf("print page: %w", t.explain(ctx, err))
	}
	return printed.Data, nil
}
