package xls

import (
	"bytes"
	"context"
	"math"
	"unicode/utf16"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/sheetdoc/book"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/grid"
)

// sheetReader is the state of reading one sheet.
type sheetReader struct {
	*reader
	sheet   *grid.Sheet
	pending *place // a formula whose text comes in the next record

	object   object         // that the records being read are about
	notes    map[int]string // texts of comments, by the number of their box
	floats   []*html.Node   // text boxes
	comments []*html.Node
}

type place struct{ row, col int }

// sheet reads the records of one sheet. A chart on it is a sheet of its own
// inside, and passed.
func (r *reader) sheet(ctx context.Context, b bound) (*grid.Sheet, error) {
	sr := &sheetReader{reader: r, notes: map[int]string{},
		sheet: &grid.Sheet{Name: b.name, Budget: r.budget, Links: map[grid.Place]string{}}}
	depth := 0
	for at, n := b.offset, 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		kind, data, next, ok := r.record(at)
		if !ok {
			break
		}
		at = next
		switch {
		case kind == recBOF:
			depth++
		case kind == recEOF:
			depth--
		case depth != 1:
		case kind == recObject:
			sr.object = readObject(data)
		case kind == recObjectText:
			sr.objectText(data, at)
		case kind == recNote:
			sr.comment(data)
		default:
			sr.cells(kind, data)
		}
		if depth <= 0 {
			break
		}
	}
	sr.sheet.After = append(sr.floats, sr.comments...)
	return sr.sheet, nil
}

// cells reads one record of a sheet.
func (sr *sheetReader) cells(kind int, data []byte) {
	if kind == recString {
		if sr.pending != nil && len(data) > 0 {
			sr.add(*sr.pending, sr.text(data, true))
		}
		sr.pending = nil
		return
	}
	switch kind {
	case recMerged:
		sr.merges(data)
		return
	case recHyperlink:
		sr.hyperlink(data)
		return
	}
	if len(data) < 6 {
		return
	}
	at, style, value := place{int(le.Uint16(data)), int(le.Uint16(data[2:]))}, int(le.Uint16(data[4:])), data[6:]
	switch kind {
	case recLabelString:
		if len(value) >= 4 {
			if i := int(le.Uint32(value)); i < len(sr.strings) {
				sr.add(at, sr.strings[i])
			}
		}
	case recLabel, recRichString:
		if len(value) > 2 {
			sr.add(at, sr.text(value, true))
		}
	case recNumber:
		if len(value) >= 8 {
			sr.add(at, sr.styles.Number(math.Float64frombits(le.Uint64(value)), style))
		}
	case recRK:
		if len(value) >= 4 {
			sr.add(at, sr.styles.Number(book.RK(le.Uint32(value)), style))
		}
	case recMulRK:
		sr.mulRK(at, data[4:])
	case recBoolErr:
		sr.boolErr(at, value)
	case recFormula:
		sr.formula(at, style, value)
	}
}

func (sr *sheetReader) add(at place, text string) {
	sr.sheet.Add(at.row, at.col, text)
}

// mulRK reads a row of numbers: a style and a number each, and the last column.
func (sr *sheetReader) mulRK(at place, data []byte) {
	for ; len(data) >= 8; data = data[6:] {
		style := int(le.Uint16(data))
		sr.add(at, sr.styles.Number(book.RK(le.Uint32(data[2:])), style))
		at.col++
	}
}

func (sr *sheetReader) boolErr(at place, value []byte) {
	if len(value) < 2 {
		return
	}
	if value[1] == 0 {
		sr.add(at, book.Bool(value[0] != 0))
		return
	}
	sr.add(at, book.ErrorText(value[0]))
}

// formula reads the value of a formula. Six bytes say what it is where the last
// two say that it is no number.
func (sr *sheetReader) formula(at place, style int, value []byte) {
	sr.pending = nil
	if len(value) < 8 {
		return
	}
	if value[6] != 0xFF || value[7] != 0xFF {
		sr.add(at, sr.styles.Number(math.Float64frombits(le.Uint64(value)), style))
		return
	}
	switch value[0] {
	case 0:
		sr.pending = &at
	case 1:
		sr.add(at, book.Bool(value[2] != 0))
	case 2:
		sr.add(at, book.ErrorText(value[2]))
	}
}

func (sr *sheetReader) merges(data []byte) {
	if len(data) < 2 {
		return
	}
	for data = data[2:]; len(data) >= 8; data = data[8:] {
		sr.sheet.Merges = append(sr.sheet.Merges, grid.Range{
			Row1: int(le.Uint16(data)), Row2: int(le.Uint16(data[2:])),
			Col1: int(le.Uint16(data[4:])), Col2: int(le.Uint16(data[6:])),
		})
	}
}

var urlMoniker = []byte{0xE0, 0xC9, 0xEA, 0x79, 0xF9, 0xBA, 0xCE, 0x11, 0x8C, 0x82, 0x00, 0xAA, 0x00, 0x4B, 0xA9, 0x0B}

// hyperlink reads the address of a link, if it is one of the web.
func (sr *sheetReader) hyperlink(data []byte) {
	i := bytes.Index(data, urlMoniker)
	if i < 8 || i+20 > len(data) {
		return
	}
	size := int(le.Uint32(data[i+16:]))
	raw := data[i+20:]
	var units []uint16
	for j := 0; j+1 < min(size, len(raw)); j += 2 {
		u := le.Uint16(raw[j:])
		if u == 0 {
			break
		}
		units = append(units, u)
	}
	sr.sheet.Links[grid.Place{Row: int(le.Uint16(data)), Col: int(le.Uint16(data[4:]))}] = string(utf16.Decode(units))
}
