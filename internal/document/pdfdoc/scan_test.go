package pdfdoc

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/ocr"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/pdftest"
)

// A stand-in for tesseract that sees the same words on every page.
const seer = "#!/bin/sh\ncat >/dev/null\n" +
	"printf '4\\t1\\t1\\t1\\t1\\t0\\t200\\t400\\t600\\t30\\t-1\\t\\n'\n" +
	"printf '5\\t1\\t1\\t1\\t1\\t1\\t200\\t400\\t280\\t30\\t95\\tScanned\\n'\n" +
	"printf '5\\t1\\t1\\t1\\t1\\t2\\t500\\t400\\t300\\t30\\t95\\twords.\\n'\n"

func TestPagesWithoutTextGoToOCR(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tesseract")
	if err := os.WriteFile(path, []byte(seer), 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := open(ocr.Engine{Command: path})
	if err != nil {
		t.Fatal(err)
	}
	var d pdftest.Doc
	fullPage(&d)
	d.Page(595, 842).Picture(0, 0, 595, 842)
	for _, tc := range []struct {
		name string
		mode Mode
		want string
	}{
		{"where there is no text", Auto, fullText + "<p>Scanned words.</p>"},
		{"everywhere if asked for", OCR, "<p>Scanned words.</p><p>Scanned words.</p>"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			result, err := r.Read(t.Context(), d.Bytes(), Options{Mode: tc.mode})
			if err != nil {
				t.Fatal(err)
			}
			if got := body(t, result.Doc.Root); got != tc.want || len(result.Doc.Warnings) > 0 {
				t.Errorf("tree = %s, warnings %v, want %s", got, result.Doc.Warnings, tc.want)
			}
		})
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}
