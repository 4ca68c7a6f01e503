// Package csv reads tables as text, with commas, semicolons, tabs or bars
// between the cells.
package csv

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/facts"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/plain"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/book"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/grid"
)

const what = "table"

// Read reads a table. Kind says what the file claims to be; the separator is
// found by looking.
func Read(ctx context.Context, in document.Input, kind document.Kind) (doc *document.Doc, err error) {
	defer fault.Recover(what, &err)
	text := plain.Decode(in.Body, in.ContentType)
	text, comma := declared(text)
	if comma == 0 {
		comma = separator(text, kind)
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = comma
	r.LazyQuotes = true
	r.FieldsPerRecord = -1
	r.ReuseRecord = true
	sheet := &grid.Sheet{Budget: grid.NewBudget(grid.MaxCells), Whole: true}
	for row := 0; ; row++ {
		if row%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fault.Damaged(what, err)
		}
		for col, cell := range cells {
			sheet.Add(row, col, strings.Clone(strings.TrimSpace(cell)))
		}
	}
	out := book.Doc(kind, in, facts.Facts{}, []*grid.Sheet{sheet})
	delete(out.Meta, "sheetCount")
	return out, nil
}

// declared reads the line by which Excel tells the separator.
func declared(text string) (rest string, comma rune) {
	line, rest, _ := strings.Cut(text, "\n")
	line = strings.TrimSpace(line)
	if len(line) == 5 && strings.EqualFold(line[:4], "sep=") {
		return rest, rune(line[4])
	}
	return text, 0
}

const sample = 64 << 10

// separator finds what stands between cells: the sign that gives the first
// lines the same number of cells, and the most of them.
func separator(text string, kind document.Kind) rune {
	best, most := ',', 0
	if kind == document.TSV {
		best = '\t'
	}
	head := text[:min(len(text), sample)]
	for _, c := range []rune{',', ';', '\t', '|'} {
		if score := evenness(head, c); score > most {
			best, most = c, score
		}
	}
	return best
}

// evenness counts, over the first lines, how often a line has as many
// separators outside of quotes as the first one.
func evenness(text string, c rune) int {
	var counts []int
	n, quoted := 0, false
	for _, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == c:
			n++
		case r == '\n':
			counts = append(counts, n)
			n = 0
		}
		if len(counts) == 20 {
			break
		}
	}
	if n > 0 {
		counts = append(counts, n)
	}
	if len(counts) == 0 || counts[0] == 0 {
		return 0
	}
	even := 0
	for _, k := range counts {
		if k == counts[0] {
			even++
		}
	}
	return even * min(counts[0], 50)
}
