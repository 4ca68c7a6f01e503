package pdfdoc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/ocr"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/pdftest"
	"github.com/trawlhq/trawl/internal/document/progress"
)

// shared is one reader for all tests: its engine takes seconds to compile where
// the cache in the system's temporary folder is cold.
var shared = sync.OnceValues(func() (*Reader, error) { return open(ocr.Engine{}) })

func open(engine ocr.Engine) (*Reader, error) {
	cache := filepath.Join(os.TempDir(), fmt.Sprintf("trawl-pdfium-%d", os.Getuid()))
	return Open(context.Background(), Config{CacheDir: cache, Workers: 2, OCR: engine})
}

func reader(t testing.TB) *Reader {
	t.Helper()
	r, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// body writes what is inside the document's body.
func body(t *testing.T, root *html.Node) string {
	t.Helper()
	var out strings.Builder
	for n := range root.Descendants() {
		if n.Data == "body" {
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				if err := html.Render(&out, c); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return out.String()
}

// page is an A4 page with enough text that its edges are furniture.
func fullPage(d *pdftest.Doc) *pdftest.Page {
	return d.Page(595, 842).Lines(72, 300, 11, pdftest.Serif,
		"A paragraph that every page of these tests has, so that it looks like a page",
		"of a book and not like a slip of paper with one word on it. It ends here.")
}

const fullText = "<p>A paragraph that every page of these tests has, so that it looks like a page " +
	"of a book and not like a slip of paper with one word on it. It ends here.</p>"

func TestDocumentTree(t *testing.T) {
	for _, tc := range []struct {
		name string
		draw func(*pdftest.Doc)
		opts Options
		want string
	}{
		{"headings by size", func(d *pdftest.Doc) {
			fullPage(d).Text(72, 150, 20, pdftest.SansBold, "Title").Text(72, 280, 13, pdftest.SansBold, "Part")
		}, Options{}, "<h1>Title</h1><h2>Part</h2>" + fullText},

		{"levels from the outline", func(d *pdftest.Doc) {
			fullPage(d).Text(72, 270, 11, pdftest.Serif, "Not bold, not large")
			d.Outline = []pdftest.Heading{{Title: "Not bold, not large"}}
		}, Options{}, "<h1>Not bold, not large</h1>" + fullText},

		{"lists inside lists", func(d *pdftest.Doc) {
			fullPage(d).Lines(72, 400, 11, pdftest.Serif, "- one thing to do", "- another thing to do").
				Lines(90, 426.4, 11, pdftest.Serif, "- a part of it here").Lines(72, 439.6, 11, pdftest.Serif, "- the last thing to do")
		}, Options{}, fullText + "<ul><li>one thing to do</li><li>another thing to do<ul><li>a part of it here</li></ul></li><li>the last thing to do</li></ul>"},

		{"a numbered list begins where it does", func(d *pdftest.Doc) {
			fullPage(d).Lines(72, 400, 11, pdftest.Serif, "3. third", "4. fourth")
		}, Options{}, fullText + `<ol start="3"><li>third</li><li>fourth</li></ol>`},

		{"emphasis and links", func(d *pdftest.Doc) {
			fullPage(d).Text(72, 400, 11, pdftest.Serif, "This is").Text(108, 400, 11, pdftest.SerifBold, "very").
				Text(132, 400, 11, pdftest.Serif, "clear").Link(130, 388, 160, 404, "https://a.test/")
		}, Options{}, fullText + `<p>This is <strong>very</strong> <a href="https://a.test/">clear</a></p>`},

		{"a table with a heading over two columns", func(d *pdftest.Doc) {
			p := fullPage(d)
			for _, y := range []float64{400, 440} {
				p.Rule(72, y, 372, y)
			}
			p.Rule(172, 420, 372, 420)
			for _, x := range []float64{72, 172, 372} {
				p.Rule(x, 400, x, 440)
			}
			p.Rule(272, 420, 272, 440)
			p.Text(80, 425, 10, pdftest.Sans, "Name").Text(180, 414, 10, pdftest.Sans, "Years").
				Text(180, 434, 10, pdftest.Sans, "from").Text(280, 434, 10, pdftest.Sans, "to")
		}, Options{}, fullText + `<table><thead><tr><th rowspan="2">Name</th><th colspan="2">Years</th></tr></thead>` +
			"<tbody><tr><td>from</td><td>to</td></tr></tbody></table>"},

		{"a paragraph goes on after the page break", func(d *pdftest.Doc) {
			d.Page(595, 842).Text(72, 400, 11, pdftest.Serif, "This sentence is not finished at the foot of the page and")
			d.Page(595, 842).Text(72, 200, 11, pdftest.Serif, "goes on overleaf.")
		}, Options{PageMarkers: true}, "<p>This sentence is not finished at the foot of the page and goes on overleaf.</p>"},

		{"pages are marked where asked for", func(d *pdftest.Doc) {
			d.Page(595, 842).Text(72, 400, 11, pdftest.Serif, "One.")
			d.Page(595, 842).Text(72, 400, 11, pdftest.Serif, "Two.")
		}, Options{PageMarkers: true}, "<p>One.</p><hr data-trawl-page=\"2\"/><p>Two.</p>"},

		{"no more pages than asked for", func(d *pdftest.Doc) {
			d.Page(595, 842).Text(72, 400, 11, pdftest.Serif, "One.")
			d.Page(595, 842).Text(72, 400, 11, pdftest.Serif, "Two.")
		}, Options{MaxPages: 1}, "<p>One.</p>"},

		{"running headers and page numbers are left out", func(d *pdftest.Doc) {
			for i := range 4 {
				fullPage(d).Text(72, 110, 11, pdftest.Serif, fmt.Sprintf("Chapter %d", i)).Text(290, 820, 9, pdftest.Serif, fmt.Sprint(i+1))
			}
		}, Options{}, strings.Repeat(fullText, 4)},

		{"a page that lies on its side", func(d *pdftest.Doc) {
			d.Page(595, 842).TurnedText(100, 700, 11, pdftest.Serif, "First line of it").TurnedText(114, 700, 11, pdftest.Serif, "and the second.")
		}, Options{}, "<p>First line of it and the second.</p>"},

		{"encrypted with an empty password", func(d *pdftest.Doc) {
			d.Encrypted = true
			fullPage(d)
		}, Options{}, fullText},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var d pdftest.Doc
			tc.draw(&d)
			result, err := reader(t).Read(t.Context(), d.Bytes(), tc.opts)
			if err != nil {
				t.Fatal(err)
			}
			if got := body(t, result.Doc.Root); got != tc.want {
				t.Errorf("tree\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func TestMetadataAndPages(t *testing.T) {
	d := pdftest.Doc{Info: map[string]string{"Title": "A report", "Author": "A. Nobody", "CreationDate": "D:20240131120000+02'00'"}}
	fullPage(&d)
	d.Page(595, 842).Text(72, 400, 11, pdftest.Serif, "Second.")
	d.Page(595, 842)
	doc, err := reader(t).Document(t.Context(), document.Input{Body: d.Bytes(), MaxPages: 2, WantPages: true})
	if err != nil {
		t.Fatal(err)
	}
	if doc.Title != "A report" || doc.Meta["author"] != "A. Nobody" || doc.Meta["publishedTime"] != "2024-01-31T12:00:00+02:00" {
		t.Errorf("title %q, meta %v", doc.Title, doc.Meta)
	}
	if doc.Kind != document.PDF || doc.NumPages != 2 || doc.TotalPages != 3 || len(doc.Pages) != 2 {
		t.Errorf("%s, %d of %d pages, %d kept, want pdf, 2 of 3, 2", doc.Kind, doc.NumPages, doc.TotalPages, len(doc.Pages))
	}
	if got := body(t, doc.Pages[1].Root); got != "<p>Second.</p>" {
		t.Errorf("second page = %s", got)
	}
}

func TestBlocksSayWhereThingsStand(t *testing.T) {
	var d pdftest.Doc
	fullPage(&d).Text(72, 150, 20, pdftest.SansBold, "Title").Picture(72, 500, 372, 700).Text(295, 820, 9, pdftest.Serif, "7")
	result, err := reader(t).Read(t.Context(), d.Bytes(), Options{Blocks: true})
	if err != nil {
		t.Fatal(err)
	}
	page := result.Doc.Layout[0]
	var got []string
	for _, b := range page.Items {
		got = append(got, fmt.Sprintf("%s %s %v", b.ID, b.Type, b.Node != nil))
	}
	want := "[p1.b1 title true p1.b2 text true p1.b3 figure false p1.b4 page_number false]"
	if fmt.Sprint(got) != want || page.Width != 595 || page.Status != "ok" {
		t.Errorf("blocks %v on a page %g wide, want %s", got, page.Width, want)
	}
	box := page.Items[0].BBox
	if box[0] < 0.11 || box[0] > 0.13 || box[1] < 0.15 || box[3] > 0.2 {
		t.Errorf("title at %v, want near 0.12, 0.16", box)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	locked := pdftest.Doc{Encrypted: true, Password: "secret"}
	fullPage(&locked)
	scan := pdftest.Doc{}
	scan.Page(595, 842).Picture(0, 0, 595, 842)
	for _, tc := range []struct {
		name string
		body []byte
		mode Mode
		code string
		says string
	}{
		{"zero bytes", nil, Auto, "DOCUMENT_PARSE_FAILED", "damaged"},
		{"not a PDF", []byte("GIF89a"), Auto, "DOCUMENT_PARSE_FAILED", "damaged"},
		{"password", locked.Bytes(), Auto, "DOCUMENT_PARSE_FAILED", "password"},
		{"a scan without OCR allowed", scan.Bytes(), Fast, "SCRAPE_PDF_OCR_REQUIRED", "OCR"},
		{"OCR asked for and not there", scan.Bytes(), OCR, "OCR_UNAVAILABLE", "Service Unavailable"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := reader(t).Read(t.Context(), tc.body, Options{Mode: tc.mode})
			var e *trawl.Error
			if !errors.As(err, &e) || e.Code != tc.code || !strings.Contains(e.Message, tc.says) {
				t.Errorf("error = %v, want %s with %q", err, tc.code, tc.says)
			}
		})
	}
}

func TestScanWithoutOCRIsWarnedAbout(t *testing.T) {
	var d pdftest.Doc
	fullPage(&d)
	d.Page(595, 842).Picture(0, 0, 595, 842)
	d.Page(595, 842).Picture(0, 0, 595, 842)
	result, err := reader(t).Read(t.Context(), d.Bytes(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if w := strings.Join(result.Doc.Warnings, "\n"); !strings.Contains(w, "2-3") {
		t.Errorf("warnings = %q, want pages 2-3 named", w)
	}
}

func TestHostileFiles(t *testing.T) {
	cyclic := []byte("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n" +
		"2 0 obj\n<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 /Parent 2 0 R >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n")
	claims := []byte("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n" +
		"2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 100000 >>\nendobj\n" +
		"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n")
	var deep strings.Builder
	deep.WriteString("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R /X ")
	deep.WriteString(strings.Repeat("[", 100_000))
	for _, tc := range []struct {
		name string
		body []byte
	}{
		{"pages that contain themselves", cyclic},
		{"a hundred thousand pages claimed, one there", claims},
		{"nested without end", []byte(deep.String())},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			result, err := reader(t).Read(ctx, tc.body, Options{})
			if ctx.Err() != nil {
				t.Fatal("took too long")
			}
			if err == nil && result.Doc.Root == nil {
				t.Error("neither an error nor a document")
			}
		})
	}
}

func TestEveryTruncationEndsWell(t *testing.T) {
	var d pdftest.Doc
	fullPage(&d).Text(72, 150, 20, pdftest.SansBold, "Title").Link(72, 140, 100, 160, "https://a.test/")
	whole := d.Bytes()
	read := 0
	for n := len(whole); n > 0; n -= 97 {
		if _, err := reader(t).Read(t.Context(), whole[:n], Options{}); err == nil {
			read++
		}
	}
	if read < 2 {
		t.Errorf("%d of the truncated files could be read, want some", read)
	}
}

func TestEndedContextIsAnsweredAtOnce(t *testing.T) {
	var d pdftest.Doc
	fullPage(&d)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := reader(t).Read(ctx, d.Bytes(), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want context canceled", err)
	}
}

func TestTooManyPagesForTheTimeAreRefused(t *testing.T) {
	var d pdftest.Doc
	for range 400 {
		d.Page(595, 842)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	_, err := reader(t).Read(ctx, d.Bytes(), Options{Mode: OCR})
	var e *trawl.Error
	if !errors.As(err, &e) || e.Code != "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR" || !strings.Contains(e.Message, "80000 ms") {
		t.Errorf("error = %v, want the time it would need", err)
	}
}

func TestManyPagesAreReadInOrderAndReported(t *testing.T) {
	var d pdftest.Doc
	var want strings.Builder
	for i := range 60 {
		d.Page(595, 842).Text(72, 400, 11, pdftest.Serif, fmt.Sprintf("Page %c%c of it.", 'A'+i/26, 'a'+i%26))
		fmt.Fprintf(&want, "<p>Page %c%c of it.</p>", 'A'+i/26, 'a'+i%26)
	}
	last := 0
	ctx := progress.With(t.Context(), func(done, all int) {
		if done != last+1 || all != 60 {
			t.Errorf("page %d of %d is done after %d", done, all, last)
		}
		last = done
	})
	result, err := reader(t).Read(ctx, d.Bytes(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := body(t, result.Doc.Root); got != want.String() || last != 60 {
		t.Errorf("after %d pages: %s", last, got)
	}
}

func FuzzRead(f *testing.F) {
	var d pdftest.Doc
	fullPage(&d).Rule(72, 400, 300, 400).Fill(72, 420, 300, 440).Picture(72, 500, 100, 540).
		Link(72, 290, 200, 304, "https://a.test/").Field(72, 600, 200, 620, "value")
	d.Outline = []pdftest.Heading{{Title: "Here"}}
	f.Add(d.Bytes())
	d.Encrypted = true
	f.Add(d.Bytes())
	f.Add([]byte("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [2 0 R] /Count 1 >>\nendobj\n"))
	f.Add([]byte("%PDF-1.7"))
	f.Fuzz(func(t *testing.T, b []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		result, err := reader(t).Read(ctx, b, Options{MaxPages: 3, Pages: true, Blocks: true, PageMarkers: true})
		if ctx.Err() != nil {
			t.Fatal("took too long")
		}
		if err == nil && result.Doc.Root == nil {
			t.Fatal("neither an error nor a document")
		}
	})
}
