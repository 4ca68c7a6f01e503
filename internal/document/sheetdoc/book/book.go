// Package book holds what the formats of workbooks have in common: how a
// stored value is shown, and how sheets become a document.
package book

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/facts"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/grid"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/numfmt"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// Styles says how the cells of a workbook are shown.
type Styles struct {
	From1904 bool     // days are counted from 1904
	cells    []string // format code by number of the cell's style
	parsed   map[string]*numfmt.Format
}

// NewStyles makes styles from the format number of each cell style and from the
// codes that the file gives to numbers.
func NewStyles(ids []int, codes map[int]string) *Styles {
	s := &Styles{parsed: map[string]*numfmt.Format{}}
	for _, id := range ids {
		code, ok := codes[id]
		if !ok {
			code = numfmt.Builtin(id)
		}
		s.cells = append(s.cells, code)
	}
	return s
}

// Number shows a number under the style of that number.
func (s *Styles) Number(v float64, style int) string {
	f := s.format(style)
	if f.IsGeneral() {
		return numfmt.General(v)
	}
	return f.Number(v, s.From1904)
}

// Written shows a number that is at hand as text; a short one in no special
// format is kept as it is.
func (s *Styles) Written(raw []byte, style int) string {
	f := s.format(style)
	if f.IsGeneral() && len(raw) < 12 && !strings.ContainsAny(string(raw), "eE") {
		return string(raw)
	}
	v, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return string(raw)
	}
	if f.IsGeneral() {
		return numfmt.General(v)
	}
	return f.Number(v, s.From1904)
}

func (s *Styles) format(style int) *numfmt.Format {
	if s == nil || style < 0 || style >= len(s.cells) || s.cells[style] == "" {
		return nil
	}
	code := s.cells[style]
	f, ok := s.parsed[code]
	if !ok {
		f = numfmt.Parse(code)
		s.parsed[code] = f
	}
	return f
}

// RK decodes a number that was packed into four bytes.
func RK(raw uint32) float64 {
	var v float64
	if raw&2 != 0 {
		v = float64(int32(raw) >> 2)
	} else {
		v = math.Float64frombits(uint64(raw&^3) << 32)
	}
	if raw&1 != 0 {
		v /= 100
	}
	return v
}

// Bool shows a truth value.
func Bool(v bool) string {
	if v {
		return "TRUE"
	}
	return "FALSE"
}

// ErrorText shows the error that a formula gave.
func ErrorText(code byte) string {
	switch code {
	case 0x00:
		return "#NULL!"
	case 0x07:
		return "#DIV/0!"
	case 0x0F:
		return "#VALUE!"
	case 0x17:
		return "#REF!"
	case 0x1D:
		return "#NAME?"
	case 0x24:
		return "#NUM!"
	case 0x2A:
		return "#N/A"
	}
	return "#ERROR"
}

// Doc makes the document of some sheets. Of a file with too many cells for
// tables, the large sheets are given as text.
func Doc(kind document.Kind, in document.Input, about facts.Facts, sheets []*grid.Sheet) *document.Doc {
	total, full := 0, false
	for _, s := range sheets {
		total += s.Len()
		full = full || s.Budget != nil && s.Budget.Full
	}
	about.Sheets = len(sheets)
	var blocks []*html.Node
	var warnings []string
	for i, s := range sheets {
		if total > grid.MaxTable && s.IsLarge() {
			blocks = append(blocks, s.Text()...)
			warnings = append(warnings, asText(s))
		} else {
			blocks = append(blocks, s.Blocks()...)
		}
		sheets[i] = nil // its cells are in the tree now
	}
	if full {
		warnings = append(warnings, fmt.Sprintf("The workbook has more than %d cells; the rest was left out.", grid.MaxCells))
	}
	doc := about.Doc(kind, in, blocks)
	doc.Warnings = warnings
	return doc
}

func asText(s *grid.Sheet) string {
	name := "The table"
	if s.Name != "" {
		name = fmt.Sprintf("Sheet %q", s.Name)
	}
	return fmt.Sprintf("%s has %d cells and is given as comma-separated values.", name, s.Len())
}

// Refusal passes on an error that must end the reading: a limit that was met.
// Damage further down in a file does not take back what was read.
func Refusal(err error) error {
	var own *trawl.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, xmlpull.ErrDepth), errors.Is(err, xmlpull.ErrEntities), errors.Is(err, xmlpull.ErrToken):
		return err
	}
	return nil
}
