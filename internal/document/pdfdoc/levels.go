package pdfdoc

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/layout"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/pdfium"
)

// setLevels gives headings their levels: those of the outline where the file has
// one, and otherwise by how they look. The largest look is level 1.
func setLevels(pages []*layout.Page, outline []pdfium.Heading) {
	byTitle := map[string]int{}
	for _, h := range outline {
		if key := titleKey(h.Title); key != "" && byTitle[key] == 0 {
			byTitle[key] = h.Level
		}
	}
	ranks := looks(pages)
	for _, p := range pages {
		for i := range p.Blocks {
			b := &p.Blocks[i]
			level, listed := byTitle[titleKey(b.String())]
			if listed && b.Kind == layout.Text && len(b.Lines) <= 3 {
				b.Kind = layout.Heading
			}
			if b.Kind != layout.Heading {
				continue
			}
			b.Level = ranks[lookOf(b)]
			if listed {
				b.Level = min(level, 6)
			}
		}
	}
	markTitle(pages)
}

// markTitle types the title of the file: the heading on its first page that no
// other is as large as.
func markTitle(pages []*layout.Page) {
	var title *layout.Block
	for n, p := range pages {
		for i := range p.Blocks {
			b := &p.Blocks[i]
			if b.Kind != layout.Heading || b.Level != 1 {
				continue
			}
			if title != nil || n > 0 {
				return
			}
			title = b
		}
	}
	if title != nil {
		title.Kind = layout.Title
	}
}

// titleKey is a heading's text as far as outline and page agree on it.
func titleKey(s string) string {
	if len(s) > 300 {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// look is what a heading looks like.
type look struct {
	size float64 // rounded to half a point
	bold bool
}

func lookOf(b *layout.Block) look {
	l := look{}
	for _, line := range b.Lines {
		l.size = max(l.size, math.Round(line.Size*2)/2)
		for i := range line.Words {
			l.bold = l.bold || line.Words[i].Bold
		}
	}
	return l
}

// looks ranks the looks of all headings from 1, the largest first.
func looks(pages []*layout.Page) map[look]int {
	var all []look
	for _, p := range pages {
		for i := range p.Blocks {
			if b := &p.Blocks[i]; b.Kind == layout.Heading && !slices.Contains(all, lookOf(b)) {
				all = append(all, lookOf(b))
			}
		}
	}
	slices.SortFunc(all, func(a, b look) int {
		if a.bold != b.bold && a.size == b.size {
			if a.bold {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.size, a.size)
	})
	ranks := map[look]int{}
	for i, l := range all {
		ranks[l] = min(i+1, 6)
	}
	return ranks
}
