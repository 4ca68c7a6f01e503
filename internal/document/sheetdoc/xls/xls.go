// Package xls reads Excel workbooks from before 2007: the record streams called
// BIFF5 and BIFF8.
//
// A workbook is one stream of records, a list of sheets first, then the sheets.
// Formulas show the value that was computed when the file was saved. Text boxes
// and comments follow the sheet they are on. Hidden sheets are left out.
package xls

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/cfb"
	"github.com/trawlhq/trawl/internal/document/codepage"
	"github.com/trawlhq/trawl/internal/document/facts"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/book"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/grid"
)

const what = "workbook"

// Types of records.
const (
	recFormula     = 0x0006
	recEOF         = 0x000A
	recNote        = 0x001C
	recDateMode    = 0x0022
	recFilePass    = 0x002F
	recContinue    = 0x003C
	recCodePage    = 0x0042
	recObject      = 0x005D
	recBoundSheet  = 0x0085
	recMulRK       = 0x00BD
	recRichString  = 0x00D6
	recXF          = 0x00E0
	recMerged      = 0x00E5
	recStrings     = 0x00FC
	recLabelString = 0x00FD
	recObjectText  = 0x01B6
	recHyperlink   = 0x01B8
	recNumber      = 0x0203
	recLabel       = 0x0204
	recBoolErr     = 0x0205
	recString      = 0x0207
	recRK          = 0x027E
	recFormat      = 0x041E
	recBOF         = 0x0809
)

// version8 is the version of BIFF that Excel 97 to 2003 write.
const version8 = 0x0600

var le = binary.LittleEndian

// reader is the state of reading one workbook.
type reader struct {
	stream  []byte
	version int
	page    int // code page of 8-bit text
	strings []string
	formats map[int]string
	xfs     []int // number of the format, by cell style
	styles  *book.Styles
	sheets  []bound
	from04  bool
	budget  *grid.Budget
}

// bound is an entry in the list of sheets.
type bound struct {
	name   string
	offset int
	hidden bool
}

// Read reads a workbook.
func Read(ctx context.Context, in document.Input) (doc *document.Doc, err error) {
	defer fault.Recover(what, &err)
	stream, about, err := workbook(in.Body)
	if err != nil {
		return nil, fault.As(what, err)
	}
	r := &reader{stream: stream, version: version8, page: codepage.Western, formats: map[int]string{},
		budget: grid.NewBudget(grid.MaxCells)}
	if err := r.globals(ctx); err != nil {
		return nil, err
	}
	r.styles = book.NewStyles(r.xfs, r.formats)
	r.styles.From1904 = r.from04
	var sheets []*grid.Sheet
	for _, b := range visible(r.sheets) {
		sheet, err := r.sheet(ctx, b)
		if err != nil {
			return nil, err
		}
		sheets = append(sheets, sheet)
	}
	return book.Doc(document.XLS, in, about, sheets), nil
}

// workbook finds the stream of records. The oldest files are nothing but it.
func workbook(body []byte) ([]byte, facts.Facts, error) {
	if !bytes.HasPrefix(body, []byte(cfb.Signature)) {
		return body, facts.Facts{}, nil
	}
	f, err := cfb.Open(body)
	if err != nil {
		return nil, facts.Facts{}, err
	}
	for _, name := range []string{"Workbook", "Book"} {
		if f.Has(name) {
			stream, err := f.Stream(name)
			return stream, facts.Compound(f), err
		}
	}
	return nil, facts.Facts{}, fmt.Errorf("no workbook stream in %v", f.Names())
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

// record takes the record at an offset; ok is false at the end of the stream.
func (r *reader) record(at int) (kind int, data []byte, next int, ok bool) {
	if at < 0 || at+4 > len(r.stream) {
		return 0, nil, 0, false
	}
	kind, size := int(le.Uint16(r.stream[at:])), int(le.Uint16(r.stream[at+2:]))
	end := min(at+4+size, len(r.stream))
	return kind, r.stream[at+4 : end], end, true
}

// globals reads what holds for the whole workbook.
func (r *reader) globals(ctx context.Context) error {
	depth := 0
	for at, n := 0, 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		kind, data, next, ok := r.record(at)
		if !ok {
			return nil
		}
		at = next
		switch kind {
		case recBOF:
			if depth == 0 && len(data) >= 2 {
				r.version = int(le.Uint16(data))
			}
			depth++
		case recEOF:
			if depth--; depth <= 0 {
				return r.single()
			}
		case recFilePass:
			return fault.Protected(what)
		case recStrings:
			r.strings = readStrings(append([][]byte{data}, r.continued(at)...))
		default:
			r.global(kind, data)
		}
	}
}

// single takes a stream without a list of sheets for a sheet.
func (r *reader) single() error {
	if len(r.sheets) == 0 {
		r.sheets = []bound{{name: "Sheet1"}}
	}
	return nil
}

// continued gives the data of the records that carry on at an offset.
func (r *reader) continued(at int) [][]byte {
	var parts [][]byte
	for {
		kind, data, next, ok := r.record(at)
		if !ok || kind != recContinue {
			return parts
		}
		parts = append(parts, data)
		at = next
	}
}

func (r *reader) global(kind int, data []byte) {
	switch kind {
	case recCodePage:
		if len(data) >= 2 {
			r.page = int(le.Uint16(data))
		}
	case recDateMode:
		r.from04 = len(data) >= 2 && le.Uint16(data) == 1
	case recXF:
		if len(data) >= 4 {
			r.xfs = append(r.xfs, int(le.Uint16(data[2:])))
		}
	case recFormat:
		if len(data) >= 3 {
			r.formats[int(le.Uint16(data))] = r.text(data[2:], r.version == version8)
		}
	case recBoundSheet:
		if len(data) > 8 && data[5] == 0 || len(data) > 8 && data[5] == 1 { // worksheets and macro sheets
			r.sheets = append(r.sheets, bound{
				name:   r.text(data[6:], false),
				offset: int(le.Uint32(data)),
				hidden: data[4]&3 != 0,
			})
		}
	}
}

// text reads a text that begins with its length, in one byte or in two.
func (r *reader) text(data []byte, wideLength bool) string {
	size, head := int(data[0]), 1
	if wideLength {
		if len(data) < 2 {
			return ""
		}
		size, head = int(le.Uint16(data)), 2
	}
	data = data[head:]
	if r.version != version8 {
		return codepage.Decode(r.page, data[:min(size, len(data))])
	}
	if len(data) == 0 {
		return ""
	}
	return chars(data[1:], size, data[0]&1 != 0)
}
