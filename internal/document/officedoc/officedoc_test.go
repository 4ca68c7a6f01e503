package officedoc

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/doctest"
)

func TestFilesAreReadAsWhatTheyAre(t *testing.T) {
	word := doctest.Zip(t, map[string]string{"word/document.xml": "<w:document><w:body><w:p><w:r><w:t>Word</w:t></w:r></w:p></w:body></w:document>"})
	open := doctest.Zip(t, map[string]string{
		"mimetype":    "application/vnd.oasis.opendocument.text",
		"content.xml": "<office:document-content><office:body><office:text><text:p>Open</text:p></office:text></office:body></office:document-content>",
	})
	for _, tc := range []struct {
		name, file string
		body       []byte
		kind       document.Kind
		want       string
	}{
		{"a Word file called doc", "a.doc", word, document.DOCX, "<p>Word</p>\n"},
		{"a Word file called rtf", "a.rtf", word, document.DOCX, "<p>Word</p>\n"},
		{"RTF called doc", "a.doc", []byte(`{\rtf1 Rich\par}`), document.RTF, "<p>Rich</p>\n"},
		{"OpenDocument called docx", "a.docx", open, document.ODT, "<p>Open</p>\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc, err := Read(context.Background(), document.Input{Body: tc.body, Name: tc.file})
			if err != nil {
				t.Fatal(err)
			}
			if got := doctest.Render(doc.Root); got != tc.want || doc.Kind != tc.kind {
				t.Errorf("%s: %q, want %s: %q", doc.Kind, got, tc.kind, tc.want)
			}
		})
	}
}

func TestOtherBytesAreRefusedInTheWordsOfTheAPI(t *testing.T) {
	for _, body := range []string{"", "plain text", "\x89PNG\r\n\x1a\n", "PK\x03\x04", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"} {
		_, err := Read(context.Background(), document.Input{Body: []byte(body), Name: "a.docx"})
		var own *trawl.Error
		if !errors.As(err, &own) || own.Code != "DOCUMENT_PARSE_FAILED" || !strings.Contains(own.Message, "damaged") {
			t.Errorf("%q: err = %v, want DOCUMENT_PARSE_FAILED", body, err)
		}
	}
}
