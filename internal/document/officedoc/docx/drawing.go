package docx

import (
	"github.com/trawlhq/trawl/internal/document/chart"
	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// drawing reads pictures, text boxes, charts and diagrams. Alt is what the
// nearest element around says the picture shows.
func (in *inline) drawing(n *xmlpull.Node, alt string) {
	if d := n.Child("wp:docPr").Attr("descr"); d != "" {
		alt = d
	}
	if d := n.Child("pic:nvPicPr", "pic:cNvPr").Attr("descr"); d != "" {
		alt = d
	}
	if n.Name == "v:shape" && n.Attr("alt") != "" {
		alt = n.Attr("alt")
	}
	switch n.Name {
	case "w:txbxContent":
		in.textBox(n)
		return
	case "a:blip":
		in.image(n.Attr("r:embed"), n.Attr("r:link"), alt)
		return
	case "v:imagedata":
		in.image(n.Attr("r:id"), "", alt)
		return
	case "c:chart", "cx:chart":
		if rel, ok := in.part.rels[n.Attr("r:id")]; ok && !rel.External {
			in.floats = append(in.floats, chart.Blocks(in.pkg.Tree(rel.Target))...)
		}
		return
	case "dgm:relIds":
		in.diagram(n.Attr("r:dm"))
		return
	case "mc:AlternateContent":
		if n = alternative(n); n == nil {
			return
		}
	}
	for _, k := range n.Kids {
		in.drawing(k, alt)
	}
}

// textBox reads the blocks of a text box; they follow the paragraph that holds
// its anchor. Fields do not reach into it.
func (in *inline) textBox(n *xmlpull.Node) {
	saved := in.reader.part
	in.reader.part = part{rels: saved.rels}
	w := flow.New()
	in.blocks(w, n)
	in.flushCarry(w)
	in.reader.part = saved
	in.floats = append(in.floats, w.Nodes()...)
}

func (in *inline) image(embedded, linked, alt string) {
	rel, ok := in.part.rels[embedded]
	if !ok {
		rel, ok = in.part.rels[linked]
	}
	if ok {
		in.add(flow.Span{Node: flow.Image(rel.Target, alt)})
	}
}

// diagram reads the texts of a SmartArt diagram.
func (in *inline) diagram(id string) {
	rel, ok := in.part.rels[id]
	if !ok || rel.External {
		return
	}
	in.floats = append(in.floats, chart.Diagram(in.pkg.Tree(rel.Target))...)
}

// formula adds a formula that stands on its own.
func (r *reader) formula(w *flow.Writer, n *xmlpull.Node) {
	in := &inline{reader: r, style: &style{}}
	in.node(&xmlpull.Node{Name: "m:oMathPara", Kids: mathIn(n)})
	r.floats(w, in)
}

func mathIn(n *xmlpull.Node) []*xmlpull.Node {
	if n.Name == "m:oMath" {
		return []*xmlpull.Node{n}
	}
	return n.Kids
}
