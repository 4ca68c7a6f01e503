// Package xlsb reads binary Excel workbooks since 2007: the parts of an xlsx
// file, written as records instead of XML.
package xlsb

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"unicode/utf16"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/opc"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/book"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/grid"
)

const what = "workbook"

// Types of records.
const (
	recRow         = 0
	recRK          = 2
	recError       = 3
	recBool        = 4
	recReal        = 5
	recText        = 6
	recShared      = 7
	recFmlaText    = 8
	recFmlaNumber  = 9
	recFmlaBool    = 10
	recFmlaError   = 11
	recString      = 19
	recFormat      = 44
	recXF          = 47
	recProperties  = 153
	recSheet       = 156
	recMerge       = 176
	recHyperlink   = 494
	recBeginCellXF = 617
	recEndCellXF   = 618
)

var le = binary.LittleEndian

// reader is the state of reading one workbook.
type reader struct {
	pkg     *opc.Package
	strings []string
	styles  *book.Styles
	from04  bool
	sheets  []bound
}

type bound struct {
	name, rel string
	hidden    bool
}

// Read reads a workbook.
func Read(ctx context.Context, in document.Input, pkg *opc.Package) (doc *document.Doc, err error) {
	defer fault.Recover(what, &err)
	main := pkg.Main("xl/workbook.bin")
	rels := pkg.Rels(main)
	r := &reader{pkg: pkg}
	if err := r.each(ctx, main, r.workbook); err != nil {
		return nil, fault.As(what, err)
	}
	if err := r.readStyles(ctx, rels); err != nil {
		return nil, err
	}
	if rel, ok := opc.First(rels, "sharedStrings"); ok && pkg.Has(rel.Target) {
		if err := r.each(ctx, rel.Target, r.sharedString); err != nil {
			return nil, fault.As(what, err)
		}
	}
	var sheets []*grid.Sheet
	budget := grid.NewBudget(grid.MaxCells)
	for _, b := range visible(r.sheets) {
		rel, ok := opc.ByID(rels)[b.rel]
		if !ok || rel.External || rel.Type != "worksheet" {
			continue
		}
		sr := &sheetReader{reader: r, rels: opc.ByID(pkg.Rels(rel.Target)),
			sheet: &grid.Sheet{Name: b.name, Budget: budget, Links: map[grid.Place]string{}}}
		if err := r.each(ctx, rel.Target, sr.record); err != nil {
			return nil, fault.As(what, err)
		}
		sheets = append(sheets, sr.sheet)
	}
	return book.Doc(document.XLSX, in, pkg.Facts(), sheets), nil
}

func visible(sheets []bound) []bound {
	var shown []bound
	for _, b := range sheets {
		if !b.hidden {
			shown = append(shown, b)
		}
	}
	if len(shown) == 0 {
		return sheets
	}
	return shown
}

// each calls visit for every record of a part.
func (r *reader) each(ctx context.Context, part string, visit func(kind int, data []byte)) error {
	body, err := r.pkg.Read(part)
	if err != nil {
		return fmt.Errorf("read %s: %w", part, err)
	}
	for n := 0; len(body) > 0; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		kind, used := varint(body, 2)
		size, more := varint(body[used:], 4)
		body = body[used+more:]
		size = min(size, len(body))
		visit(kind, body[:size])
		body = body[size:]
	}
	return nil
}

// varint reads a number of seven bits a byte, of at most limit bytes.
func varint(b []byte, limit int) (n, used int) {
	for used < limit && used < len(b) {
		c := b[used]
		n |= int(c&0x7f) << (7 * used)
		used++
		if c&0x80 == 0 {
			break
		}
	}
	return n, used
}

func (r *reader) workbook(kind int, data []byte) {
	switch kind {
	case recProperties:
		r.from04 = len(data) > 0 && data[0]&1 != 0
	case recSheet:
		if len(data) < 8 {
			return
		}
		rel, rest := wideText(data[8:])
		name, _ := wideText(rest)
		r.sheets = append(r.sheets, bound{name: name, rel: rel, hidden: le.Uint32(data) != 0})
	}
}

func (r *reader) sharedString(kind int, data []byte) {
	if kind == recString && len(data) > 1 {
		text, _ := wideText(data[1:])
		r.strings = append(r.strings, text)
	}
}

func (r *reader) readStyles(ctx context.Context, rels []opc.Rel) error {
	codes, ids, inCells := map[int]string{}, []int{}, false
	rel, ok := opc.First(rels, "styles")
	if ok && r.pkg.Has(rel.Target) {
		err := r.each(ctx, rel.Target, func(kind int, data []byte) {
			switch {
			case kind == recFormat && len(data) > 6:
				code, _ := wideText(data[2:])
				codes[int(le.Uint16(data))] = code
			case kind == recBeginCellXF:
				inCells = true
			case kind == recEndCellXF:
				inCells = false
			case kind == recXF && inCells && len(data) >= 4:
				ids = append(ids, int(le.Uint16(data[2:])))
			}
		})
		if err != nil {
			return fault.As(what, err)
		}
	}
	r.styles = book.NewStyles(ids, codes)
	r.styles.From1904 = r.from04
	return nil
}

// wideText reads a text that begins with its length, and gives what follows it.
func wideText(data []byte) (text string, rest []byte) {
	if len(data) < 4 {
		return "", nil
	}
	size := le.Uint32(data)
	data = data[4:]
	if size == math.MaxUint32 { // there is none
		return "", data
	}
	n := int(min(int64(size), int64(len(data)/2)))
	units := make([]uint16, n)
	for i := range units {
		units[i] = le.Uint16(data[2*i:])
	}
	return string(utf16.Decode(units)), data[2*n:]
}

// sheetReader is the state of reading one sheet.
type sheetReader struct {
	*reader
	rels  map[string]opc.Rel
	sheet *grid.Sheet
	row   int
}

// record reads one record of a sheet. A cell begins with its column and style.
func (sr *sheetReader) record(kind int, data []byte) {
	switch {
	case kind == recRow && len(data) >= 4:
		sr.row = int(le.Uint32(data))
		return
	case kind == recMerge && len(data) >= 16:
		sr.sheet.Merges = append(sr.sheet.Merges, grid.Range{
			Row1: int(le.Uint32(data)), Row2: int(le.Uint32(data[4:])),
			Col1: int(le.Uint32(data[8:])), Col2: int(le.Uint32(data[12:])),
		})
		return
	case kind == recHyperlink && len(data) >= 16:
		sr.hyperlink(data)
		return
	case kind < recRK || kind > recFmlaError || len(data) < 9:
		return
	}
	style := int(le.Uint32(data[4:]) & 0xFFFFFF)
	text := sr.value(kind, style, data[8:])
	sr.sheet.Add(sr.row, int(le.Uint32(data)), text)
}

const maxLinks = 65_530 // what Excel allows on a sheet

// hyperlink remembers a link: the cells it covers, then the name of the
// relationship that has its address.
func (sr *sheetReader) hyperlink(data []byte) {
	id, _ := wideText(data[16:])
	if rel, ok := sr.rels[id]; ok && rel.External && len(sr.sheet.Links) < maxLinks {
		sr.sheet.Links[grid.Place{Row: int(le.Uint32(data)), Col: int(le.Uint32(data[8:]))}] = rel.Target
	}
}

func (sr *sheetReader) value(kind, style int, v []byte) string {
	switch kind {
	case recBool, recFmlaBool:
		return book.Bool(v[0] != 0)
	case recError, recFmlaError:
		return book.ErrorText(v[0])
	case recText, recFmlaText:
		text, _ := wideText(v)
		return text
	}
	if len(v) < 4 {
		return ""
	}
	switch kind {
	case recRK:
		return sr.styles.Number(book.RK(le.Uint32(v)), style)
	case recShared:
		if i := int(le.Uint32(v)); i < len(sr.strings) {
			return sr.strings[i]
		}
	case recReal, recFmlaNumber:
		if len(v) >= 8 {
			return sr.styles.Number(math.Float64frombits(le.Uint64(v)), style)
		}
	}
	return ""
}
