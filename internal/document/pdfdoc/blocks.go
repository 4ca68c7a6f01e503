package pdfdoc

import (
	"fmt"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/layout"
)

// layoutOf says where everything stands on a page; nodes are what was written for
// its blocks.
func layoutOf(p *layout.Page, nodes map[*layout.Block]*html.Node, failed bool) document.PageLayout {
	out := document.PageLayout{PageNumber: p.Number, Width: p.Width, Height: p.Height, Status: "ok"}
	if failed {
		out.Status = "failed"
	}
	source := "text"
	if p.Recognized {
		source = "ocr"
	}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		out.Items = append(out.Items, document.PageBlock{
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
