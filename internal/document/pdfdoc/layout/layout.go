// Package layout finds out what the marks on a page mean.
//
// It starts from glyphs and rules with their places (package page) and ends with
// blocks in reading order. The words of the trade, from small to large: glyphs
// that touch are a word; words on one height are a row, which runs across the
// whole page; a row falls into segments where a gap is part of a column of white;
// segments below each other are a block (a paragraph, a heading, a list item),
// and segments beside each other over several rows are a table.
//
// Nothing here knows PDF: a page that was read by OCR takes the same way.
package layout

import (
	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// Kind is what a block is. The names are those of the API's block types.
type Kind string

// The kinds of blocks.
const (
	Title      Kind = "title"
	Heading    Kind = "section_header"
	Text       Kind = "text"
	ListItem   Kind = "list_item"
	TableBlock Kind = "table"
	Figure     Kind = "figure"
	Caption    Kind = "caption"
	Footnote   Kind = "footnote"
	PageHeader Kind = "page_header"
	PageFooter Kind = "page_footer"
	PageNumber Kind = "page_number"
	Aside      Kind = "aside" // turned text in the margin
)

// Furniture says whether the block belongs to the page rather than to the text.
func (k Kind) Furniture() bool {
	switch k {
	case PageHeader, PageFooter, PageNumber, Aside:
		return true
	}
	return false
}

// Block is one piece of a page.
type Block struct {
	Kind  Kind
	Box   page.Rect
	Lines []Line // of everything but tables and figures
	Table *Table // of tables
	Level int    // of headings, 1 to 6; zero: not decided yet
	List  Marker // of list items
}

// Page is a page whose blocks are in reading order.
type Page struct {
	Number        int
	Width, Height float64
	Blocks        []Block
	BodySize      float64 // the size most of its text is set in; zero: no text
	Recognized    bool    // its text was read by OCR; set by the caller
}

// maxWords is more than a readable page holds: the densest have about 8,000. What
// is beyond it was made to keep us busy, and is read line by line.
const maxWords = 15_000

// plainBlocks makes a block of every line.
func plainBlocks(words []Word) []Block {
	var blocks []Block
	for _, s := range stripsOf(words) {
		l := lineOf(s.words)
		blocks = append(blocks, Block{Kind: Text, Box: l.Box, Lines: []Line{l}})
	}
	return blocks
}

// Analyze finds the blocks of a page.
func Analyze(p *page.Page) *Page {
	upright, aside := straighten(p)
	words := linkWords(wordsOf(upright), upright.Links)
	out := &Page{Number: p.Number, Width: upright.Width, Height: upright.Height, BodySize: bodySize(words)}
	if len(words) > maxWords {
		out.Blocks = plainBlocks(words)
		out.fold()
		return out
	}
	caps, words := takeDropCaps(words, out.BodySize)
	rules := rulesOf(upright)

	tables, words := latticeTables(rules, words)
	rows := rowsOf(words)
	more, rows := streamTables(rows, rules, tables)
	tables = append(tables, more...)

	blocks := tableBlocks(tables)
	blocks = append(blocks, textBlocks(rows, rules, tables)...)
	blocks = placeDropCaps(blocks, caps)
	markHeadings(blocks, out)
	markNotes(blocks, out)
	markFurniture(blocks, out)
	blocks = order(blocks, out)
	out.Blocks = append(figures(blocks, upright), aside...)
	out.fold()
	return out
}
