// Package xlsx reads Excel workbooks since 2007 (xlsx, xlsm and templates).
//
// Sheets are streamed: only cells with a value are kept. Formulas show the value
// that was computed when the file was saved. Comments follow the sheet they are
// on. Hidden sheets are left out; hidden rows and columns are in, because filters
// hide rows.
package xlsx

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/opc"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/book"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/grid"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

const what = "workbook"

// reader is the state of reading one workbook.
type reader struct {
	pkg     *opc.Package
	strings []string
	styles  *book.Styles
	budget  *grid.Budget
	persons map[string]string // names of those who discuss, by id; nil: not read yet
}

// Read reads a workbook.
func Read(ctx context.Context, in document.Input, pkg *opc.Package) (doc *document.Doc, err error) {
	defer fault.Recover(what, &err)
	main := pkg.Main("xl/workbook.xml")
	workbook := pkg.Tree(main)
	if workbook == nil {
		return nil, fault.Damaged(what, fmt.Errorf("no workbook part"))
	}
	rels := pkg.Rels(main)
	r := &reader{pkg: pkg, budget: grid.NewBudget(grid.MaxCells)}
	r.styles = readStyles(pkg.Tree(target(rels, "styles", "xl/styles.xml")))
	r.styles.From1904 = isOn(workbook.Child("workbookPr").Attr("date1904"))
	if err := r.readStrings(ctx, target(rels, "sharedStrings", "xl/sharedStrings.xml")); err != nil {
		return nil, fault.As(what, err)
	}
	var sheets []*grid.Sheet
	for _, s := range visible(workbook.Child("sheets").All("sheet")) {
		rel, ok := opc.ByID(rels)[s.Attr("r:id")]
		if !ok || rel.External {
			continue
		}
		sheet, err := r.sheet(ctx, s.Attr("name"), rel)
		if err != nil {
			return nil, fault.As(what, err)
		}
		sheets = append(sheets, sheet)
	}
	return book.Doc(document.XLSX, in, pkg.Facts(), sheets), nil
}

func target(rels []opc.Rel, kind, usual string) string {
	if r, ok := opc.First(rels, kind); ok && !r.External {
		return r.Target
	}
	return usual
}

// visible leaves hidden sheets out, unless all are hidden.
func visible(sheets []*xmlpull.Node) []*xmlpull.Node {
	var shown []*xmlpull.Node
	for _, s := range sheets {
		if state := s.Attr("state"); state != "hidden" && state != "veryHidden" {
			shown = append(shown, s)
		}
	}
	if len(shown) == 0 {
		return sheets
	}
	return shown
}

// readStyles reads the number format of each cell style.
func readStyles(root *xmlpull.Node) *book.Styles {
	codes := map[int]string{}
	for _, f := range root.Child("numFmts").All("numFmt") {
		codes[atoi(f.Attr("numFmtId"))] = f.Attr("formatCode")
	}
	var ids []int
	for _, xf := range root.Child("cellXfs").All("xf") {
		ids = append(ids, atoi(xf.Attr("numFmtId")))
	}
	return book.NewStyles(ids, codes)
}

// readStrings reads the table that cells with text point into. Of a text the
// phonetic hints are left out.
func (r *reader) readStrings(ctx context.Context, part string) error {
	s, closer, err := r.pkg.Scan(part)
	if err != nil {
		return nil // a workbook of numbers has no such part
	}
	defer func() { _ = closer.Close() }() // read-only
	for tok := s.Next(); tok != xmlpull.EOF; tok = s.Next() {
		if tok != xmlpull.Start || s.Name() != "si" {
			continue
		}
		if len(r.strings)%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r.strings = append(r.strings, richText(s))
	}
	return book.Refusal(s.Err())
}

const maxText = 1 << 20 // bytes of a cell; Excel allows 32,767 characters

// richText reads the text of the element that was just opened, up to its end.
func richText(s *xmlpull.Scanner) string {
	text := ""
	depth, inText, phonetic := s.Depth(), false, false
	for {
		switch s.Next() {
		case xmlpull.Start:
			inText = s.Name() == "t"
			phonetic = phonetic || s.Name() == "rPh"
		case xmlpull.Text:
			if inText && !phonetic && len(text) < maxText {
				text += string(s.Text())
			}
		case xmlpull.End:
			inText = false
			if s.Name() == "rPh" {
				phonetic = false
			}
			if s.Depth() < depth {
				return unescape(text)
			}
		case xmlpull.EOF:
			return unescape(text)
		}
	}
}

// unescape resolves the codes that Excel writes for control characters, such as
// _x000D_ for a carriage return.
func unescape(s string) string {
	for i := strings.Index(s, "_x"); i >= 0 && i+7 <= len(s); {
		if n, err := strconv.ParseUint(s[i+2:i+6], 16, 16); err == nil && s[i+6] == '_' {
			char := ""
			if n >= ' ' || n == '\n' || n == '\t' {
				char = string(rune(n))
			}
			s = s[:i] + char + s[i+7:]
		} else {
			i += 2
		}
		next := strings.Index(s[i:], "_x")
		if next < 0 {
			break
		}
		i += next
	}
	return s
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

func isOn(s string) bool { return s == "1" || s == "true" || s == "on" }
