// Package ods reads OpenDocument spreadsheets. Cells carry the text that was
// shown when the file was saved, so numbers and dates come out as their author
// saw them. Comments follow the sheet they are on.
package ods

import (
	"context"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/odf"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/book"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/grid"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// oneLine writes white space of a cell as plain spaces.
var oneLine = strings.NewReplacer("\n", " ", "\r", "", "\t", " ")

const (
	what       = "spreadsheet"
	maxRows    = 1 << 20
	maxColumns = 1 << 14
	maxCopies  = 200_000 // cells that a file may have by saying how often one is repeated
)

// reader is the state of reading one spreadsheet.
type reader struct {
	scan   *xmlpull.Scanner
	hidden map[string]bool // styles of sheets that are not shown
	sheets []*grid.Sheet
	budget *grid.Budget
	copies int // cells that were repeated so far
	row    int
}

// Read reads a spreadsheet.
func Read(ctx context.Context, in document.Input) (doc *document.Doc, err error) {
	defer fault.Recover(what, &err)
	file, err := odf.Open(in.Body, what)
	if err != nil {
		return nil, err
	}
	content, err := file.Open("content.xml")
	if err != nil {
		return nil, fault.As(what, err)
	}
	defer func() { _ = content.Close() }() // read-only
	r := &reader{scan: xmlpull.New(content, odf.Names), hidden: map[string]bool{}, budget: grid.NewBudget(grid.MaxCells)}
	if err := r.run(ctx); err != nil {
		return nil, fault.As(what, err)
	}
	return book.Doc(document.ODS, in, file.Facts(), r.sheets), nil
}

func (r *reader) run(ctx context.Context) error {
	s := r.scan
	for tok := s.Next(); tok != xmlpull.EOF; tok = s.Next() {
		if tok != xmlpull.Start {
			continue
		}
		switch s.Name() {
		case "style:style":
			r.style(s.Node())
		case "table:table":
			r.table()
		case "table:table-row":
			if err := ctx.Err(); err != nil {
				return err
			}
			r.readRow(s.Node())
		case "table:tracked-changes", "office:settings", "table:content-validations":
			s.Skip()
		}
	}
	return book.Refusal(s.Err())
}

func (r *reader) style(n *xmlpull.Node) {
	if n.Child("style:table-properties").Attr("table:display") == "false" {
		r.hidden[n.Attr("style:name")] = true
	}
}

func (r *reader) table() {
	if r.hidden[r.scan.Attr("table:style-name")] {
		r.scan.Skip()
		return
	}
	r.sheets = append(r.sheets, &grid.Sheet{Name: r.scan.Attr("table:name"), Budget: r.budget, Links: map[grid.Place]string{}})
	r.row = 0
}

// readRow reads a row. A row that is repeated is repeated only if it says
// something; a blank one is skipped, however often it is there.
func (r *reader) readRow(n *xmlpull.Node) {
	times := count(n, "table:number-rows-repeated", maxRows)
	if len(r.sheets) == 0 {
		return
	}
	sheet := r.sheets[len(r.sheets)-1]
	sheet.After = append(sheet.After, comments(n)...)
	cells, merges := r.cells(n)
	if len(cells) == 0 {
		r.row = min(r.row+times, maxRows)
		return
	}
	for i := range times {
		if i > 0 {
			r.copies += len(cells)
		}
		if r.row >= maxRows || r.copies > maxCopies {
			r.budget.Full = true
			return
		}
		for _, c := range cells {
			sheet.Add(r.row, c.col, c.text)
			if c.href != "" {
				sheet.Links[grid.Place{Row: r.row, Col: c.col}] = c.href
			}
		}
		for _, m := range merges {
			m.Row1, m.Row2 = r.row, r.row+m.Row2
			sheet.Merges = append(sheet.Merges, m)
		}
		r.row++
	}
}

// cell is a cell with text.
type cell struct {
	col        int
	text, href string
}

// cells reads the cells of a row, and how far down and along they reach.
func (r *reader) cells(n *xmlpull.Node) (cells []cell, merges []grid.Range) {
	col := 0
	for _, c := range n.Kids {
		if c.Name != "table:table-cell" && c.Name != "table:covered-table-cell" {
			continue
		}
		times := count(c, "table:number-columns-repeated", maxColumns)
		text, href := "", ""
		if c.Name == "table:table-cell" {
			text, href = shown(c)
		}
		if text != "" {
			r.copies += times - 1
			for i := range min(times, maxColumns-col) {
				if i > 0 && r.copies > maxCopies {
					r.budget.Full = true
					break
				}
				cells = append(cells, cell{col + i, text, href})
			}
			rows := count(c, "table:number-rows-spanned", maxRows)
			columns := count(c, "table:number-columns-spanned", maxColumns)
			if rows > 1 || columns > 1 {
				merges = append(merges, grid.Range{Row2: rows - 1, Col1: col, Col2: col + columns - 1})
			}
		}
		if col = col + times; col >= maxColumns {
			break
		}
	}
	return cells, merges
}

const maxComments = 10_000 // of a row

// comments reads the remarks that hang on the cells of a row.
func comments(row *xmlpull.Node) []*html.Node {
	var list []*html.Node
	for _, c := range row.Kids {
		note := c.Child("office:annotation")
		if note == nil || len(list) >= maxComments {
			continue
		}
		var lines []string
		for _, p := range note.All("text:p") {
			lines = append(lines, p.Content())
		}
		if text := strings.TrimSpace(strings.Join(lines, " ")); text != "" {
			list = append(list, book.Comment(note.Child("dc:creator").Content(), note.Child("dc:date").Content(), text))
		}
	}
	return list
}

// shown gives the text of a cell, one line for each paragraph, and the address
// it links to.
func shown(c *xmlpull.Node) (text, href string) {
	var lines []string
	for _, p := range c.All("text:p") {
		var b strings.Builder
		line(&b, p)
		lines = append(lines, b.String())
		if a := p.Find("text:a"); a != nil && href == "" {
			href = a.Attr("xlink:href")
		}
	}
	text = strings.TrimSpace(strings.Join(lines, "\n"))
	if text == "" { // nothing was shown when it was saved: take the value
		for _, name := range []string{"office:string-value", "office:date-value", "office:time-value", "office:value"} {
			if v := c.Attr(name); v != "" {
				return v, ""
			}
		}
	}
	return text, href
}

func line(b *strings.Builder, n *xmlpull.Node) {
	for _, k := range n.Kids {
		switch k.Name {
		case "":
			b.WriteString(oneLine.Replace(k.Text))
		case "text:s", "text:tab":
			b.WriteByte(' ')
		case "text:line-break":
			b.WriteByte('\n')
		case "office:annotation":
		default:
			line(b, k)
		}
	}
}

func count(n *xmlpull.Node, name string, limit int) int {
	v, err := strconv.Atoi(n.Attr(name))
	if err != nil || v < 1 {
		return 1
	}
	return min(v, limit)
}
