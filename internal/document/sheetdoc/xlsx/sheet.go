package xlsx

import (
	"context"
	"strings"

	"github.com/trawlhq/trawl/internal/document/opc"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/book"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/grid"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// sheet reads one sheet. A sheet that is missing or that holds only a chart is
// read as far as there is something.
func (r *reader) sheet(ctx context.Context, name string, rel opc.Rel) (*grid.Sheet, error) {
	sheet := &grid.Sheet{Name: name, Budget: r.budget}
	s, closer, err := r.pkg.Scan(rel.Target)
	if err != nil {
		return sheet, nil
	}
	defer func() { _ = closer.Close() }() // read-only
	rels := r.pkg.Rels(rel.Target)
	sr := &sheetReader{reader: r, scan: s, sheet: sheet, rels: opc.ByID(rels), row: -1}
	for tok := s.Next(); tok != xmlpull.EOF; tok = s.Next() {
		if tok != xmlpull.Start {
			continue
		}
		if err := sr.element(ctx); err != nil {
			return nil, err
		}
	}
	sheet.After = append(sheet.After, r.comments(rels)...)
	return sheet, book.Refusal(s.Err())
}

type sheetReader struct {
	*reader
	scan  *xmlpull.Scanner
	sheet *grid.Sheet
	rels  map[string]opc.Rel
	row   int
	col   int
}

func (sr *sheetReader) element(ctx context.Context) error {
	s := sr.scan
	switch s.Name() {
	case "row":
		sr.row++
		if v, ok := s.AttrBytes("r"); ok {
			if n := digits(v); n > 0 {
				sr.row = n - 1
			}
		}
		sr.col = -1
		if sr.row%1024 == 0 {
			return ctx.Err()
		}
	case "c":
		sr.cell()
	case "mergeCell":
		if m, ok := parseRange(s.Attr("ref")); ok {
			sr.sheet.Merges = append(sr.sheet.Merges, m)
		}
	case "hyperlink":
		sr.hyperlink()
	case "drawing":
		if rel, ok := sr.rels[s.Attr("r:id")]; ok && !rel.External {
			sr.sheet.After = append(sr.sheet.After, sr.drawing(rel.Target)...)
		}
	case "extLst", "conditionalFormatting", "dataValidations":
		s.Skip()
	}
	return nil
}

// cell reads a cell. Its type says how to understand its value.
func (sr *sheetReader) cell() {
	s := sr.scan
	sr.col++
	row := sr.row
	if ref, ok := s.AttrBytes("r"); ok {
		if r, c, ok := parseRef(ref); ok {
			row, sr.col = r, c
		}
	}
	kind, style := s.Attr("t"), 0
	if v, ok := s.AttrBytes("s"); ok {
		style = digits(v)
	}
	text := ""
	for depth := s.Depth(); s.Depth() >= depth; {
		switch s.Next() {
		case xmlpull.Start:
			switch s.Name() {
			case "v":
				text = sr.value(kind, style)
			case "is":
				text = richText(s)
			default:
				s.Skip()
			}
		case xmlpull.EOF:
			return
		}
	}
	sr.sheet.Add(row, sr.col, text)
}

// value reads what stands between <v> and </v>.
func (sr *sheetReader) value(kind string, style int) string {
	s := sr.scan
	text := ""
	for depth := s.Depth(); s.Depth() >= depth; {
		switch s.Next() {
		case xmlpull.Text:
			if len(text) > maxText {
				continue
			}
			text += sr.show(s.Text(), kind, style)
		case xmlpull.Start:
			s.Skip()
		case xmlpull.EOF:
			return text
		}
	}
	return text
}

func (sr *sheetReader) show(raw []byte, kind string, style int) string {
	switch kind {
	case "s":
		if i := digits(raw); i >= 0 && i < len(sr.strings) {
			return sr.strings[i]
		}
		return ""
	case "b":
		return book.Bool(isOn(strings.TrimSpace(string(raw))))
	case "str", "inlineStr":
		return unescape(string(raw))
	case "e", "d":
		return string(raw)
	}
	return sr.styles.Written(raw, style)
}

const maxLinks = 65_530 // what Excel allows on a sheet

// hyperlink remembers a link. Links to places inside the workbook are left out:
// they lead nowhere once the sheet is text.
func (sr *sheetReader) hyperlink() {
	area, ok := parseRange(sr.scan.Attr("ref"))
	rel, known := sr.rels[sr.scan.Attr("r:id")]
	if !ok || !known || !rel.External || len(sr.sheet.Links) >= maxLinks {
		return
	}
	if sr.sheet.Links == nil {
		sr.sheet.Links = map[grid.Place]string{}
	}
	sr.sheet.Links[grid.Place{Row: area.Row1, Col: area.Col1}] = rel.Target
}
