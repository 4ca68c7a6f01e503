package pptx

import (
	"path"
	"strings"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// picture reads a picture. What it shows is told by its description, or else by
// the caption below it.
func (r *reader) picture(n, caption *xmlpull.Node) {
	rel, ok := r.rels[n.Child("p:blipFill", "a:blip").Attr("r:embed")]
	if !ok {
		return
	}
	alt := description(n)
	if caption != nil {
		var words []string
		caption.FindAll("a:t", func(t *xmlpull.Node) { words = append(words, t.Content()) })
		alt = strings.TrimSpace(strings.Join(words, ""))
	}
	r.w.Para(flow.Para{Spans: []flow.Span{{Node: flow.Image(rel.Target, alt)}}})
}

// description is what the author says a picture shows. Programs put the name of
// the file there, which says nothing.
func description(pic *xmlpull.Node) string {
	text := strings.TrimSpace(pic.Child("p:nvPicPr", "p:cNvPr").Attr("descr"))
	switch strings.ToLower(path.Ext(text)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".bmp", ".svg", ".emf", ".wmf", ".tif", ".tiff", ".webp":
		return ""
	}
	return text
}

const touching = 20_000 // a sixtieth of an inch, in the units of drawings

// captionOf finds the caption of a picture without a description: a text box
// that comes next, begins where the picture ends, and has one centred line.
func captionOf(pic *xmlpull.Node, after []*xmlpull.Node) *xmlpull.Node {
	if description(pic) != "" {
		return nil
	}
	for _, n := range after {
		if n.Name == "" {
			continue
		}
		paras := n.Child("p:txBody").All("a:p")
		if n.Name != "p:sp" || len(paras) != 1 || paras[0].Child("a:pPr").Attr("algn") != "ctr" {
			return nil
		}
		frame, box := pic.Child("p:spPr", "a:xfrm"), n.Child("p:spPr", "a:xfrm")
		bottom := atoi(frame.Child("a:off").Attr("y")) + atoi(frame.Child("a:ext").Attr("cy"))
		if gap := atoi(box.Child("a:off").Attr("y")) - bottom; gap < -touching || gap > touching {
			return nil
		}
		return n
	}
	return nil
}
