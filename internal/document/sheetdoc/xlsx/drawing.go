package xlsx

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/chart"
	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/opc"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// drawing reads what floats above the cells: pictures, charts, text boxes.
func (r *reader) drawing(part string) []*html.Node {
	d := drawingReader{reader: r, rels: opc.ByID(r.pkg.Rels(part))}
	d.node(r.pkg.Tree(part))
	return d.blocks
}

type drawingReader struct {
	*reader
	rels   map[string]opc.Rel
	blocks []*html.Node
}

func (d *drawingReader) node(n *xmlpull.Node) {
	if n == nil {
		return
	}
	switch n.Name {
	case "xdr:pic":
		d.picture(n)
		return
	case "xdr:txBody":
		d.textBox(n)
		return
	case "c:chart", "cx:chart":
		if rel, ok := d.rels[n.Attr("r:id")]; ok && !rel.External {
			d.blocks = append(d.blocks, chart.Blocks(d.pkg.Tree(rel.Target))...)
		}
		return
	case "mc:Fallback":
		return
	}
	for _, k := range n.Kids {
		d.node(k)
	}
}

func (d *drawingReader) picture(n *xmlpull.Node) {
	rel, ok := d.rels[n.Child("xdr:blipFill", "a:blip").Attr("r:embed")]
	if !ok {
		return
	}
	alt := n.Child("xdr:nvPicPr", "xdr:cNvPr").Attr("descr")
	d.blocks = append(d.blocks, flow.Wrap("p", []*html.Node{flow.Image(rel.Target, alt)}))
}

func (d *drawingReader) textBox(n *xmlpull.Node) {
	for _, p := range n.All("a:p") {
		if text := strings.TrimSpace(chart.Text(p)); text != "" {
			d.blocks = append(d.blocks, flow.Wrap("p", []*html.Node{flow.Text(text)}))
		}
	}
}
