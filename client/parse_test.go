package client_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
)

func TestParseSendsTheFileWithItsOptions(t *testing.T) {
	t.Parallel()
	c := talkingTo(t, func(r *http.Request) (*http.Response, error) {
		if err := r.ParseMultipartForm(1 << 20); err != nil {
			t.Fatalf("the form: %v", err)
		}
		file, header, err := r.FormFile("file")
		if err != nil {
			t.Fatalf("the file: %v", err)
		}
		content, err := io.ReadAll(file)
		if err != nil || string(content) != "%PDF" || header.Filename != `a "b".pdf` || header.Header.Get("Content-Type") != "application/pdf" {
			t.Errorf("%q as %q, %v, %v", content, header.Filename, header.Header, err)
		}
		if options := r.FormValue("options"); options != `{"zeroDataRetention":true,"timeout":5000}` {
			t.Errorf("options %s", options)
		}
		return answer(200, `{"success":true,"data":{"markdown":"# A","metadata":{"sourceFile":"a.pdf"}}}`), nil
	})
	doc, err := c.Parse(t.Context(),
		trawl.File{Name: `a "b".pdf`, ContentType: "application/pdf", Size: 4, Content: strings.NewReader("%PDF")},
		trawl.ParseOptions{ZeroDataRetention: true, ScrapeOptions: trawl.ScrapeOptions{Timeout: 5000}})
	if err != nil || doc.Markdown != "# A" || doc.Metadata.SourceFile != "a.pdf" {
		t.Errorf("%+v, %v", doc, err)
	}
}
