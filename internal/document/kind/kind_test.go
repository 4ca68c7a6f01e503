package kind_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/document/doctest"
	"github.com/trawlhq/trawl/internal/document/kind"
)

func TestKindsAreToldFromBytes(t *testing.T) {
	zip := func(parts map[string]string) string { return string(doctest.Zip(t, parts)) }
	types := func(main string) string {
		return zip(map[string]string{"[Content_Types].xml": `<Types><Override ContentType="application/vnd.` + main + `"/></Types>`})
	}
	for _, tc := range []struct{ name, body, want string }{
		{"Word", types("openxmlformats-officedocument.wordprocessingml.document.main+xml"), kind.DOCX},
		{"Word with macros", types("ms-word.document.macroEnabled.main+xml"), kind.DOCX},
		{"Excel", types("openxmlformats-officedocument.spreadsheetml.sheet.main+xml"), kind.XLSX},
		{"binary Excel", types("ms-excel.sheet.binary.macroEnabled.main"), kind.XLSX},
		{"PowerPoint", types("openxmlformats-officedocument.presentationml.presentation.main+xml"), kind.PPTX},
		{"Word without its list of types", zip(map[string]string{"word/document.xml": "x"}), kind.DOCX},
		{"OpenDocument text", zip(map[string]string{"mimetype": "application/vnd.oasis.opendocument.text"}), kind.ODT},
		{"OpenDocument sheet", zip(map[string]string{"mimetype": "application/vnd.oasis.opendocument.spreadsheet-template"}), kind.ODS},
		{"OpenDocument show that does not say so", zip(map[string]string{"content.xml": "<office:presentation/>"}), kind.ODP},
		{"EPUB", zip(map[string]string{"META-INF/container.xml": "x"}), kind.EPUB},
		{"some zip file", zip(map[string]string{"a.txt": "x"}), kind.Unknown},
		{"RTF", `{\rtf1 x}`, kind.RTF},
		{"RTF after blanks", "\r\n{\\rtf1 x}", kind.RTF},
		{"PDF after rubbish", "junk\n%PDF-1.4", kind.PDF},
		{"PNG", "\x89PNG\r\n\x1a\n", kind.Image},
		{"WebP", "RIFF\x00\x00\x00\x00WEBPVP8 ", kind.Image},
		{"TIFF", "MM\x00*", kind.Image},
		{"AVIF", "\x00\x00\x00\x1cftypavif", kind.Image},
		{"a bare sheet", "\x09\x08\x08\x00\x00\x05\x10\x00", kind.XLS},
		{"mail", "Received: by x\nFrom: a@b.test\nTo: c@d.test\nSubject: hi\n\ntext", kind.EML},
		{"a note that looks like mail", "From: here\nto there\n", kind.Unknown},
		{"HTML", "<!doctype html><p>x", kind.Unknown},
		{"nothing", "", kind.Unknown},
		{"a compound file that is cut off", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", kind.Unknown},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := kind.Of([]byte(tc.body)); got != tc.want {
				t.Errorf("kind = %q, want %q", got, tc.want)
			}
		})
	}
}

func FuzzOf(f *testing.F) {
	f.Add([]byte("PK\x03\x04"))
	f.Add([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600)))
	f.Fuzz(func(_ *testing.T, body []byte) { kind.Of(body) })
}
