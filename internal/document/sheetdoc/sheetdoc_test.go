package sheetdoc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/doctest"
)

func read(body []byte) (*document.Doc, error) {
	return Read(context.Background(), document.Input{Body: body})
}

func TestSheets(t *testing.T) { doctest.Cases(t, Read) }

func TestReadingStopsWithItsContext(t *testing.T) { doctest.Cancelled(t, Read) }

func workbook(t testing.TB, sheet string) []byte {
	return doctest.Zip(t, map[string]string{
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r" Type="x/worksheet" Target="s.xml"/></Relationships>`,
		"xl/workbook.xml":            `<workbook><sheets><sheet name="S" r:id="r"/></sheets></workbook>`,
		"xl/s.xml":                   sheet,
	})
}

func TestScatteredCellsDoNotFillMemory(t *testing.T) {
	var b strings.Builder
	b.WriteString("<worksheet><sheetData>")
	for i := range 5000 { // a diagonal with a first column: 25 million places, 10,000 cells
		fmt.Fprintf(&b, `<row r="%d"><c r="A%d"><v>1</v></c><c r="%s%d"><v>2</v></c></row>`, i+1, i+1, column(i+1), i+1)
	}
	doc, err := read(workbook(t, b.String()))
	if err != nil {
		t.Fatal(err)
	}
	cells := 0
	for range doc.Root.Descendants() {
		cells++
	}
	if cells > 100_000 {
		t.Errorf("%d nodes for 10,000 cells", cells)
	}
}

func column(n int) string {
	name := ""
	for n++; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

func TestOtherFilesAreRefused(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"a picture", "\x89PNG\r\n\x1a\n", "damaged"},
		{"a cut-off zip file", "PK\x03\x04", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := read([]byte(tc.body))
			var own *trawl.Error
			if tc.want != "" && (!errors.As(err, &own) || !strings.Contains(own.Message, tc.want)) {
				t.Errorf("err = %v, want one that says %q", err, tc.want)
			}
			if err != nil && strings.Contains(err.Error(), "panic:") {
				t.Error(err)
			}
		})
	}
}

func FuzzRead(f *testing.F) { doctest.Fuzz(f, Read) }

func FuzzSheet(f *testing.F) { doctest.FuzzPart(f, "xl/worksheets/a.xml", Read) }
