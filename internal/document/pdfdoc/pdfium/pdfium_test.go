package pdfium

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/pdftest"
)

// engine is compiled once for all tests of the package; the cache in the system's
// temporary folder makes later runs start at once.
var engine = sync.OnceValues(func() (*Engine, error) {
	cache := filepath.Join(os.TempDir(), fmt.Sprintf("trawl-pdfium-%d", os.Getuid()))
	return Open(context.Background(), Options{CacheDir: cache, Instances: 2})
})

func openDocument(t *testing.T, body []byte) *Document {
	t.Helper()
	e, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	d, err := e.Open(t.Context(), body)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

func readPage(t *testing.T, d *pdftest.Doc) *page.Page {
	t.Helper()
	p, err := openDocument(t, d.Bytes()).Page(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func text(p *page.Page) string {
	var b strings.Builder
	for _, g := range p.Glyphs {
		b.WriteRune(g.Rune)
	}
	return b.String()
}

func TestGlyphsStandWhereTheyWereWritten(t *testing.T) {
	for _, rotate := range []int{0, 90, 180, 270} {
		t.Run(fmt.Sprintf("page turned by %d", rotate), func(t *testing.T) {
			var d pdftest.Doc
			d.Page(600, 800).Rotate(rotate).Text(100, 200, 20, pdftest.SansBold, "Hi")
			p := readPage(t, &d)
			if text(p) != "Hi" {
				t.Fatalf("text = %q, want Hi", text(p))
			}
			want := map[int][2]float64{0: {100, 200}, 90: {600, 100}, 180: {500, 600}, 270: {200, 500}}[rotate]
			g := p.Glyphs[0]
			x, y := g.Box.X0, g.Base
			switch g.Turn {
			case page.Down:
				x, y = g.Base, g.Box.Y0
			case page.Flipped:
				x = g.Box.X1
			case page.Up:
				x, y = g.Base, g.Box.Y1
			}
			if math.Abs(x-want[0]) > 2 || math.Abs(y-want[1]) > 2 {
				t.Errorf("origin = %.1f, %.1f, want %v", x, y, want)
			}
			if want := page.Turn(rotate / 90); g.Turn != want {
				t.Errorf("turn = %d, want %d", g.Turn, want)
			}
			if math.Abs(g.Size-20) > 0.1 || !p.Fonts[g.Font].Bold {
				t.Errorf("size %.1f, bold %v, want 20 and bold", g.Size, p.Fonts[g.Font].Bold)
			}
		})
	}
}

func TestDrawingIsRead(t *testing.T) {
	var d pdftest.Doc
	d.Page(600, 800).Rule(50, 100, 550, 100).Rule(50, 100, 50, 300).Fill(60, 120, 160, 180).Picture(200, 400, 400, 600)
	p := readPage(t, &d)
	var level, upright, areas int
	for _, r := range p.Rules {
		switch {
		case r.Filled:
			areas++
		case r.Height() < 2:
			level++
		case r.Width() < 2:
			upright++
		}
	}
	if level != 1 || upright != 1 || areas != 1 {
		t.Errorf("%d level, %d upright rules and %d areas, want one of each: %v", level, upright, areas, p.Rules)
	}
	if len(p.Images) != 1 || math.Abs(p.Images[0].X0-200) > 1 || math.Abs(p.Images[0].Y0-400) > 1 {
		t.Errorf("images = %v, want one at 200, 400", p.Images)
	}
}

func TestLinksAndFieldsAreRead(t *testing.T) {
	var d pdftest.Doc
	d.Page(600, 800).
		Text(50, 100, 12, pdftest.Sans, "see here").
		Link(50, 88, 120, 104, "https://a.test/x").
		Field(50, 200, 250, 220, "filled in")
	p := readPage(t, &d)
	if len(p.Links) != 1 || p.Links[0].URL != "https://a.test/x" || !p.Links[0].Holds(60, 96) {
		t.Errorf("links = %+v, want https://a.test/x over the text", p.Links)
	}
	if got := text(p); !strings.Contains(got, "filled in") {
		t.Errorf("text = %q, want the value of the field in it", got)
	}
}

func TestDocumentTellsAboutItself(t *testing.T) {
	d := pdftest.Doc{
		Info:    map[string]string{"Title": "A title", "Author": "Nobody"},
		Outline: []pdftest.Heading{{Title: "One", Page: 0}, {Title: "Two", Page: 1}},
	}
	d.Page(600, 800)
	d.Page(600, 800)
	doc := openDocument(t, d.Bytes())
	if doc.NumPages() != 2 || doc.MetaText(t.Context(), "Title") != "A title" {
		t.Errorf("%d pages titled %q, want 2 and A title", doc.NumPages(), doc.MetaText(t.Context(), "Title"))
	}
	outline, err := doc.Outline(t.Context())
	want := []Heading{{"One", 1, 1}, {"Two", 1, 2}}
	if err != nil || fmt.Sprint(outline) != fmt.Sprint(want) {
		t.Errorf("outline = %v, %v, want %v", outline, err, want)
	}
}

func TestFilesThatCannotBeOpened(t *testing.T) {
	locked := pdftest.Doc{Encrypted: true, Password: "secret"}
	locked.Page(600, 800)
	e, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		body []byte
		want error
	}{
		{"nothing", nil, ErrDamaged},
		{"no PDF", []byte("hello"), ErrDamaged},
		{"a header and no more", []byte("%PDF-1.7\n"), ErrDamaged},
		{"a password we do not have", locked.Bytes(), ErrPassword},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := e.Open(t.Context(), tc.body); !errors.Is(err, tc.want) {
				t.Errorf("error = %v, want %v", err, tc.want)
			}
		})
	}
}

func TestEmptyPasswordOpens(t *testing.T) {
	d := pdftest.Doc{Encrypted: true, Info: map[string]string{"Title": "Hidden"}}
	d.Page(600, 800).Text(50, 100, 12, pdftest.Sans, "plain to see")
	if got := text(readPage(t, &d)); got != "plain to see" {
		t.Errorf("text = %q, want plain to see", got)
	}
}

func TestTruncatedFileStillGivesItsPages(t *testing.T) {
	var d pdftest.Doc
	d.Page(600, 800).Text(50, 100, 12, pdftest.Sans, "first")
	body := d.Bytes()
	body = body[:bytes.LastIndex(body, []byte("xref"))-9]
	doc := openDocument(t, body)
	p, err := doc.Page(t.Context(), 0)
	if err != nil || text(p) != "first" {
		t.Errorf("page = %v, %v, want the text to survive without the table of objects", p, err)
	}
}

func FuzzRepair(f *testing.F) {
	var d pdftest.Doc
	d.Page(600, 800).Text(50, 100, 12, pdftest.Sans, "first")
	whole := d.Bytes()
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte("1 0 obj << /Type /Page >>"))
	f.Add([]byte("9999999999 0 obj\n<< /Type /Catalog"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if repaired := repair(b); repaired != nil && !bytes.HasPrefix(repaired, b) {
			t.Error("the file itself was changed")
		}
	})
}

func TestRenderedPageHasInkWhereTheTextIs(t *testing.T) {
	var d pdftest.Doc
	d.Page(200, 100).Text(20, 60, 40, pdftest.SansBold, "MM")
	img, dpi, err := openDocument(t, d.Bytes()).Render(t.Context(), 0, 72)
	if err != nil || dpi != 72 || img.Bounds().Dx() != 200 {
		t.Fatalf("image %v at %g dpi, %v, want 200 wide at 72", img, dpi, err)
	}
	dark := 0
	for x := 20; x < 80; x++ {
		if img.GrayAt(x, 45).Y < 128 {
			dark++
		}
	}
	if dark == 0 || img.GrayAt(150, 90).Y != 255 {
		t.Errorf("%d dark pixels in the text and %d beside it, want some and white", dark, img.GrayAt(150, 90).Y)
	}
}

func TestHugePageIsRenderedSmaller(t *testing.T) {
	var d pdftest.Doc
	d.Page(14000, 14000).Text(20, 60, 40, pdftest.Sans, "far away")
	img, dpi, err := openDocument(t, d.Bytes()).Render(t.Context(), 0, 200)
	if err != nil {
		t.Fatal(err)
	}
	if n := img.Bounds().Dx() * img.Bounds().Dy(); n > maxPixels || dpi >= 200 {
		t.Errorf("%d pixels at %g dpi, want at most %d", n, dpi, maxPixels)
	}
}

func TestEndedContextStopsReading(t *testing.T) {
	var d pdftest.Doc
	d.Page(600, 800).Text(50, 100, 12, pdftest.Sans, "x")
	doc := openDocument(t, d.Bytes())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := doc.Page(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want context canceled", err)
	}
}

func TestFileLargerThanTheEngineMayUse(t *testing.T) {
	cache := filepath.Join(os.TempDir(), fmt.Sprintf("trawl-pdfium-%d", os.Getuid()))
	e, err := Open(t.Context(), Options{CacheDir: cache, MemoryLimit: 32 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Open(t.Context(), make([]byte, 40<<20)); !errors.Is(err, ErrMemory) {
		t.Errorf("error = %v, want %v", err, ErrMemory)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if _, err := e.Open(t.Context(), nil); err == nil {
		t.Error("a closed engine opened a file")
	}
}
