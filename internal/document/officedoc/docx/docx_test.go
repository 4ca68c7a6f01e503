package docx

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/doctest"
)

func read(body []byte) (*document.Doc, error) {
	return Read(context.Background(), document.Input{Body: body, Name: "a.docx"})
}

func TestDocuments(t *testing.T) { doctest.Cases(t, Read) }

func TestFactsComeFromTheProperties(t *testing.T) {
	doc, err := read(doctest.Zip(t, map[string]string{
		"word/document.xml": `<w:document><w:body><w:p><w:r><w:t>x</w:t></w:r></w:p></w:body></w:document>`,
		"word/styles.xml":   `<w:styles><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="de-DE"/></w:rPr></w:rPrDefault></w:docDefaults></w:styles>`,
		"docProps/core.xml": `<cp:coreProperties><dc:title>Ebbe</dc:title><dc:creator>A. Meer</dc:creator><dcterms:created>2024-05-01T08:00:00Z</dcterms:created></cp:coreProperties>`,
	}))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"title": "Ebbe", "author": "A. Meer", "language": "de-DE", "dcTermsCreated": "2024-05-01T08:00:00Z"} {
		if doc.Meta[name] != want {
			t.Errorf("Meta[%q] = %v, want %q", name, doc.Meta[name], want)
		}
	}
}

func TestHostileDocumentsEndWithACleanError(t *testing.T) {
	deep := strings.Repeat("<w:sdt><w:sdtContent>", 100_000)
	laughs := `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><w:document><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>`
	for _, tc := range []struct{ name, body string }{
		{"a hundred thousand elements inside each other", "<w:document><w:body>" + deep},
		{"entities that multiply", laughs},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := read(doctest.Zip(t, map[string]string{"word/document.xml": tc.body}))
			var own *trawl.Error
			if !errors.As(err, &own) || own.Code != "DOCUMENT_PARSE_FAILED" {
				t.Errorf("err = %v, want DOCUMENT_PARSE_FAILED", err)
			}
		})
	}
}

func TestReadingStopsWithItsContext(t *testing.T) { doctest.Cancelled(t, Read) }

func FuzzRead(f *testing.F) { doctest.Fuzz(f, Read) }

func FuzzText(f *testing.F) { doctest.FuzzPart(f, "word/document.xml", Read) }

// Each of these took minutes while text was put together piece by piece.
func TestLongTextsTakeNoLongerThanTheirLength(t *testing.T) {
	const n = 100_000
	styles := `<w:styles><w:style w:type="paragraph" w:styleId="C"><w:name w:val="Source Code"/></w:style></w:styles>`
	for _, tc := range []struct{ name, body string }{
		{"runs of one format", "<w:p>" + strings.Repeat("<w:r><w:t>some text </w:t></w:r>", n) + "</w:p>"},
		{"blank runs", "<w:p>" + strings.Repeat(`<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve"> </w:t></w:r>`, n) + "</w:p>"},
		{"lines of code", strings.Repeat(`<w:p><w:pPr><w:pStyle w:val="C"/></w:pPr><w:r><w:t>haul()</w:t></w:r></w:p>`, n)},
		{"instructions", "<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>" + strings.Repeat("<w:r><w:instrText>HYPERLINK</w:instrText></w:r>", n) + "</w:p>"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			parts := map[string]string{"word/styles.xml": styles, "word/document.xml": "<w:document><w:body>" + tc.body + "</w:body></w:document>"}
			if _, err := read(doctest.Zip(t, parts)); err != nil {
				t.Error(err)
			}
		})
	}
}
