package document_test

import (
	"context"
	"errors"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
)

func TestSniff(t *testing.T) {
	for _, tc := range []struct {
		name, body, contentType, file string
		want                          document.Kind
	}{
		{"a page", "<!doctype html><p>x", "text/html; charset=utf-8", "", document.HTML},
		{"a page that is called text", "<html><body>x", "text/plain", "", document.HTML},
		{"a page without a type", "<html><body>x", "", "", document.HTML},
		{"text", "just words", "text/plain", "", document.Text},
		{"text without a type", "just words", "", "", document.Text},
		{"a PDF that is called a page", "%PDF-1.7\n%x", "text/html", "", document.PDF},
		{"JSON by its type", `{"a":1}`, "application/json", "", document.JSON},
		{"JSON by a type built on it", `{"a":1}`, "application/ld+json", "", document.JSON},
		{"CSV by its name", "a,b\n1,2\n", "", "table.CSV", document.CSV},
		{"CSV by its type", "a,b\n1,2\n", "text/csv", "", document.CSV},
		{"a picture", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "text/html", "", document.Image},
		{"RTF", `{\rtf1 x}`, "", "", document.RTF},
		{"a page with stray control bytes", "<p>a\x00b\x01c</p>", "text/html", "", document.HTML},
		{"bytes nobody knows", "\x00\x01\x02\x03", "application/octet-stream", "", document.Binary},
		{"nothing at all", "", "", "", document.Text},
		{"a PDF behind a line of noise", "noise\n%PDF-1.4\n", "", "x.pdf", document.PDF},
		{"a page that mentions PDF", "<html><body>%PDF-1.4 is how a PDF begins", "text/html", "", document.HTML},
		{"a letter cut off after its first bytes", "PK\x03\x04\x14\x00", "", "x.docx", document.DOCX},
		{"a damaged workbook of an unknown signature", "\x00\x01\x02\x03", "", "x.xls", document.XLS},
		{"Markdown by its name, sent as text", "# a", "text/plain", "x.md", document.Text},
		{"CSV by its name, sent as text", "a,b\n1,2\n", "text/plain", "x.csv", document.CSV},
		{"CSV by its name, sent as a workbook", "a,b\n1,2\n", "application/vnd.ms-excel", "x.csv", document.CSV},
		{"a page in place of a PDF", "<!doctype html><p>Sorry", "application/pdf", "", document.HTML},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := document.Sniff([]byte(tc.body), tc.contentType, tc.file); got != tc.want {
				t.Errorf("Sniff = %q, want %q", got, tc.want)
			}
		})
	}
}

func TestReadersSendBytesToTheirReader(t *testing.T) {
	readers := document.Readers{document.Text: func(_ context.Context, in document.Input) (*document.Doc, error) {
		return &document.Doc{Title: string(in.Body)}, nil
	}}
	doc, err := readers.Read(context.Background(), document.Input{Body: []byte("words"), ContentType: "text/plain"})
	if err != nil || doc.Title != "words" || doc.Kind != document.Text {
		t.Errorf("Read = %+v, %v", doc, err)
	}
	_, err = readers.Read(context.Background(), document.Input{Body: []byte("%PDF-1.7")})
	var known *trawl.Error
	if !errors.As(err, &known) || known.Code != "SCRAPE_UNSUPPORTED_FILE_ERROR" {
		t.Errorf("a kind nobody reads gives %v", err)
	}
}

func FuzzSniff(f *testing.F) {
	f.Add([]byte("PK\x03\x04"), "text/html", "x.docx")
	f.Fuzz(func(t *testing.T, body []byte, contentType, name string) {
		if document.Sniff(body, contentType, name) == "" {
			t.Error("no kind")
		}
	})
}
