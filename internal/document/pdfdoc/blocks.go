package pdfdoc

import (
	"fmt"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/layout"
)

// PageLayout is where everything stands on one page.
type PageLayout struct {
	PageNumber    int
	Width, Height float64 // points
	Status        string  // "ok", or "failed" where the page could not be read
	Items         []PageBlock
}

// PageBlock is one block of a page, furniture included.
type PageBlock struct {
	ID           string     // "p3.b7": page and place in the reading order, both from 1
	Type         string     // as the API names it
	BBox         [4]float64 // left, top, right, bottom as parts of the page's size
	Content      string     // its text
	ReadingOrder int        // counted from 0
	Source       string     // "text": from the file itself; "ocr": read from the picture of the page
	Node         *html.Node // what stands for it in the document's tree; nil: it was left out
}

func layoutOf(p *layout.Page, nodes map[*layout.Block]*html.Node, failed bool) PageLayout {
	out := PageLayout{PageNumber: p.Number, Width: p.Width, Height: p.Height, Status: "ok"}
	if failed {
		out.Status = "failed"
	}
	source := "text"
	if p.Recognized {
		source = "ocr"
	}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		out.Items = append(out.Items, PageBlock{
			ID:           fmt.Sprintf("p%d.b%d", p.Number, i+1),
			Type:         string(b.Kind),
			BBox:         normalized(p, b),
			Content:      b.String(),
			ReadingOrder: i,
			Source:       source,
			Node:         nodes[b],
		})
	}
	return out
}

func normalized(p *layout.Page, b *layout.Block) [4]float64 {
	part := func(v, of float64) float64 {
		if of <= 0 {
			return 0
		}
		return min(max(v/of, 0), 1)
	}
	return [4]float64{part(b.Box.X0, p.Width), part(b.Box.Y0, p.Height), part(b.Box.X1, p.Width), part(b.Box.Y1, p.Height)}
}
