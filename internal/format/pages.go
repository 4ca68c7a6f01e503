package format

import (
	"strings"
	"unicode/utf16"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/format/markdown"
)

// fillPages adds what paged files have beside their text: the text page by
// page, and the layout. Both are there only when they were asked for.
func fillPages(out *trawl.Document, doc *document.Doc, o trawl.ScrapeOptions) {
	options := markdown.Options{KeepBase64Images: !o.WithoutBase64()}
	if pdf, reads := o.Parser("pdf"); reads && pdf.WantsPages() {
		for _, p := range doc.Pages {
			out.Pages = append(out.Pages, trawl.DocumentPage{PageNumber: p.Number, Markdown: markdown.Convert(p.Root, options)})
		}
	}
	place := placer{text: out.Markdown}
	for _, p := range doc.Layout {
		page := trawl.PageBlocks{PageNumber: p.PageNumber, Width: p.Width, Height: p.Height, Status: p.Status, Items: []trawl.Block{}}
		for _, item := range p.Items {
			block := trawl.Block{
				ID: item.ID, Type: item.Type, Label: item.Type, BBox: &item.BBox, Content: item.Content,
				ReadingOrder: item.ReadingOrder, Source: item.Source,
			}
			if item.Node != nil {
				block.MarkdownSpan = place.find(markdown.Convert(item.Node, options))
			}
			page.Items = append(page.Items, block)
		}
		out.Blocks = append(out.Blocks, page)
	}
}

// placer finds fragments in the text they went into, in order. Offsets are
// counted in UTF-16 code units, as JavaScript slices.
type placer struct {
	text  string
	bytes int // how far the text was searched, in bytes
	units int // the same place in UTF-16 code units
}

// find gives where a fragment stands; nil when it was rewritten on its way into the text.
func (p *placer) find(fragment string) *[2]int {
	if fragment == "" {
		return nil
	}
	at := strings.Index(p.text[p.bytes:], fragment)
	if at < 0 {
		return nil
	}
	start := p.units + units(p.text[p.bytes:p.bytes+at])
	end := start + units(fragment)
	p.bytes += at + len(fragment)
	p.units = end
	return &[2]int{start, end}
}

func units(text string) (n int) {
	for _, c := range text {
		n += max(utf16.RuneLen(c), 1)
	}
	return n
}
