package pdfdoc

import (
	"strings"
	"unicode"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/layout"
)

// The parts of a page's height in which what comes again page after page is
// taken for a running header or footer.
const (
	runningTop    = 0.15
	runningBottom = 0.85
)

// leastRunning is on how many pages something stands that runs through the file.
const leastRunning = 3

// markRunning types the blocks at the edges of pages that stand there on several:
// the title of a chapter, the name of a journal, a notice.
func markRunning(pages []*layout.Page) {
	if len(pages) < leastRunning {
		return
	}
	seen := map[string]int{}
	for _, p := range pages {
		for i := range p.Blocks {
			if key := edgeKey(p, &p.Blocks[i]); key != "" {
				seen[key]++
			}
		}
	}
	for _, p := range pages {
		for i := range p.Blocks {
			b := &p.Blocks[i]
			if key := edgeKey(p, b); key != "" && seen[key] >= leastRunning {
				b.Kind = layout.PageFooter
				if b.Box.Y1 < p.Height/2 {
					b.Kind = layout.PageHeader
				}
			}
		}
	}
}

// edgeKey names a block at the edge of a page by its text without figures, so that
// page numbers do not matter. It is empty for all others.
func edgeKey(p *layout.Page, b *layout.Block) string {
	if b.Table != nil || len(b.Lines) == 0 || len(b.Lines) > 3 {
		return ""
	}
	edge := "top "
	switch {
	case b.Box.Y1 < runningTop*p.Height:
	case b.Box.Y0 > runningBottom*p.Height:
		edge = "bottom "
	default:
		return ""
	}
	letters := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, b.String())
	if letters == "" {
		return ""
	}
	return edge + letters
}
