package layout

import (
	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// figures adds the pictures of a page where they stand in the reading order. One
// that covers most of the page is its background or a scan.
func figures(blocks []Block, p *page.Page) []Block {
	for _, box := range p.Images {
		if box.Area() > 0.7*p.Width*p.Height || box.Width() < 24 || box.Height() < 24 {
			continue
		}
		at := len(blocks)
		for i := range blocks {
			if blocks[i].Box.Y0 >= box.Y0 && blocks[i].Box.OverlapX(box) > 0 {
				at = i
				break
			}
		}
		blocks = append(blocks[:at], append([]Block{{Kind: Figure, Box: box}}, blocks[at:]...)...)
	}
	return blocks
}
