package xls

import (
	"slices"
	"testing"

	"github.com/trawlhq/trawl/internal/document/doctest"
)

// rec makes a record.
func rec(kind int, data ...[]byte) []byte {
	body := slices.Concat(data...)
	return slices.Concat([]byte{byte(kind), byte(kind >> 8), byte(len(body)), byte(len(body) >> 8)}, body)
}

func u16(values ...int) []byte {
	var b []byte
	for _, v := range values {
		b = append(b, byte(v), byte(v>>8))
	}
	return b
}

// narrow is a text of one byte a character with its length before it.
func narrow(s string) []byte { return slices.Concat(u16(len(s)), []byte{0}, []byte(s)) }

// stream puts a workbook of one sheet together: globals, then the sheet.
func stream(version int, sheetName []byte, sheet ...[]byte) []byte {
	begin := rec(recBOF, u16(version, 5, 0, 0))
	entry := slices.Concat([]byte{0, 0}, sheetName)
	offset := len(begin) + len(rec(recBoundSheet, u16(0, 0), entry)) + len(rec(recEOF))
	globals := slices.Concat(begin, rec(recBoundSheet, u16(offset, 0), entry), rec(recEOF))
	return slices.Concat(globals, rec(recBOF, u16(version, 16, 0, 0)), slices.Concat(sheet...), rec(recEOF))
}

func TestRecordsOfASheet(t *testing.T) {
	name8 := []byte("\x04\x00Dues")
	box := func(kind, id int, text string) []byte {
		return slices.Concat(rec(recObject, u16(0x15, 0x12, kind, id)), rec(recObjectText, u16(0, 0, 0, 0, 0, len(text), 0)),
			rec(recContinue, []byte{0}, []byte(text)), rec(recContinue, u16(0, 0)))
	}
	cell := rec(recLabel, u16(0, 0, 0), narrow("Ship"))
	for _, tc := range []struct {
		name string
		body []byte
		want string
	}{
		{"a comment, its author not said twice", stream(version8, name8, cell, box(objectNote, 7, "Ann:\nask her"), rec(recNote, u16(0, 0, 0, 7), narrow("Ann"))),
			"<h2>Dues</h2>\n<table><tbody><tr><th>Ship</th></tr></tbody></table>\n<p>[author: Ann]: ask her</p>\n"},
		{"a text box comes before comments", stream(version8, name8, cell, box(objectNote, 7, "later"), box(6, 8, "first line\n\nsecond"), rec(recNote, u16(0, 0, 0, 7), narrow(""))),
			"<h2>Dues</h2>\n<table><tbody><tr><th>Ship</th></tr></tbody></table>\n<p>first line</p>\n<p>second</p>\n<p>[comment]: later</p>\n"},
		{"a comment without its box", stream(version8, name8, cell, rec(recNote, u16(0, 0, 0, 9), narrow("Ann"))),
			"<h2>Dues</h2>\n<table><tbody><tr><th>Ship</th></tr></tbody></table>\n"},
		{"a chart on the sheet is a sheet of its own and passed", stream(version8, name8, cell, rec(recBOF, u16(version8, 32)), rec(recLabel, u16(1, 0, 0), narrow("axis")), rec(recEOF)),
			"<h2>Dues</h2>\n<table><tbody><tr><th>Ship</th></tr></tbody></table>\n"},
		{"Excel 95: text in the code page, comments with their text", stream(0x0500, []byte("\x05K\xe4se1"), rec(recLabel, u16(0, 0, 0), u16(5), []byte("M\xf6we!")), rec(recNote, u16(0, 0), u16(4), []byte("gr\xfcn"))),
			"<h2>Käse1</h2>\n<table><tbody><tr><th>Möwe!</th></tr></tbody></table>\n<p>[comment]: grün</p>\n"},
		{"the text of a formula comes after it", stream(version8, name8, rec(recFormula, u16(0, 0, 0), []byte{0, 0, 0, 0, 0, 0, 0xFF, 0xFF}), rec(recString, narrow("shown"))),
			"<h2>Dues</h2>\n<table><tbody><tr><th>shown</th></tr></tbody></table>\n"},
		{"truth and errors", stream(version8, name8, rec(recBoolErr, u16(0, 0, 0), []byte{1, 0}), rec(recBoolErr, u16(0, 1, 0), []byte{0x2A, 1})),
			"<h2>Dues</h2>\n<table><tbody><tr><th>TRUE</th><th>#N/A</th></tr></tbody></table>\n"},
		{"many numbers in one record", stream(version8, name8, rec(recMulRK, u16(0, 0), u16(0, 1<<2|2, 0), u16(0, 2<<2|2, 0), u16(1))),
			"<h2>Dues</h2>\n<table><tbody><tr><th>1</th><th>2</th></tr></tbody></table>\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc, err := read(tc.body)
			if err != nil {
				t.Fatal(err)
			}
			if got := doctest.Render(doc.Root); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}
