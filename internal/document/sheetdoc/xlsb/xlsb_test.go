package xlsb

import (
	"context"
	"encoding/binary"
	"math"
	"testing"
	"unicode/utf16"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/archive"
	"github.com/trawlhq/trawl/internal/document/doctest"
	"github.com/trawlhq/trawl/internal/document/opc"
)

// rec writes one record.
func rec(kind int, data ...[]byte) string {
	body := ""
	for _, d := range data {
		body += string(d)
	}
	return string(number(kind)) + string(number(len(body))) + body
}

func number(n int) []byte {
	if n < 0x80 {
		return []byte{byte(n)}
	}
	return []byte{byte(n&0x7f | 0x80), byte(n >> 7)}
}

func u32(v uint32) []byte { return binary.LittleEndian.AppendUint32(nil, v) }

func wide(s string) []byte {
	units := utf16.Encode([]rune(s))
	out := u32(uint32(len(units)))
	for _, u := range units {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return out
}

func real(v float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)) }

func workbook(t testing.TB) []byte {
	return doctest.Zip(t, map[string]string{
		"_rels/.rels": `<Relationships><Relationship Id="r" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>`,
		"xl/_rels/workbook.bin.rels": `<Relationships><Relationship Id="a" Type="x/worksheet" Target="a.bin"/>` +
			`<Relationship Id="s" Type="x/sharedStrings" Target="s.bin"/><Relationship Id="f" Type="x/styles" Target="f.bin"/></Relationships>`,
		"xl/_rels/a.bin.rels": `<Relationships><Relationship Id="h" Type="x/hyperlink" Target="https://ship.test/" TargetMode="External"/></Relationships>`,
		"xl/workbook.bin":     rec(recSheet, u32(0), u32(1), wide("a"), wide("Dues")),
		"xl/s.bin":            rec(recString, []byte{0}, wide("Möwe")),
		"xl/f.bin": rec(recFormat, []byte{164, 0}, wide("0.0%")) + rec(recBeginCellXF) +
			rec(recXF, []byte{0, 0, 0, 0}) + rec(recXF, []byte{0, 0, 164, 0}) + rec(recEndCellXF),
		"xl/a.bin": rec(recRow, u32(0)) + rec(recText, u32(0), u32(0), wide("Ship")) + rec(recText, u32(1), u32(0), wide("Share")) +
			rec(recRow, u32(1)) + rec(recShared, u32(0), u32(0), u32(0)) + rec(recReal, u32(1), u32(1), real(0.125)) +
			rec(recRow, u32(2)) + rec(recBool, u32(0), u32(0), []byte{1}) + rec(recRK, u32(1), u32(0), u32(42<<2|2)) +
			rec(recHyperlink, u32(1), u32(1), u32(0), u32(0), wide("h"), wide(""), wide(""), wide("")) +
			rec(recHyperlink, u32(2), u32(2), u32(0), u32(0), wide("none")),
	})
}

// read opens the file first, which package sheetdoc does for this one.
func read(ctx context.Context, in document.Input) (*document.Doc, error) {
	pkg, err := opc.Open(in.Body, archive.Limits{})
	if err != nil {
		return nil, err
	}
	return Read(ctx, in, pkg)
}

func TestRecordsBecomeCells(t *testing.T) {
	doc, err := read(context.Background(), document.Input{Body: workbook(t)})
	if err != nil {
		t.Fatal(err)
	}
	want := "<h2>Dues</h2>\n<table><tbody><tr><th>Ship</th><th>Share</th></tr><tr><td><a href=\"https://ship.test/\">Möwe</a></td><td>12.5%</td></tr>" +
		"<tr><td>TRUE</td><td>42</td></tr></tbody></table>\n"
	if got := doctest.Render(doc.Root); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestReadingStopsWithItsContext(t *testing.T) { doctest.Cancelled(t, read, workbook(t)) }

func FuzzRead(f *testing.F) { doctest.Fuzz(f, read, workbook(f)) }
