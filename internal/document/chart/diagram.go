package chart

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// Diagram gives the texts of a SmartArt diagram, nested as they are drawn. Where
// the outermost ones have others below them, they stand above the lists of those.
// Root is the diagram's data part.
func Diagram(root *xmlpull.Node) []*html.Node {
	d := readDiagram(root)
	w := flow.New()
	nested := slices.ContainsFunc(d.top, func(id string) bool { return len(d.below[id]) > 0 })
	for _, id := range d.top {
		if !nested {
			d.write(w, id, 0)
			continue
		}
		d.seen[id] = true
		w.Para(flow.Para{Spans: d.spans(id, flow.Bold)})
		for _, k := range d.below[id] {
			d.write(w, k.id, 0)
		}
	}
	return w.Nodes()
}

// diagram is the tree of points that a SmartArt diagram is drawn from.
type diagram struct {
	texts map[string]string
	below map[string][]branch
	top   []string
	seen  map[string]bool // written already: a file may connect points in a circle
}

// branch leads to a point; order is its place among its neighbours.
type branch struct {
	id    string
	order int
}

func readDiagram(root *xmlpull.Node) *diagram {
	d := &diagram{texts: map[string]string{}, below: map[string][]branch{}, seen: map[string]bool{}}
	var points []string
	document := ""
	for _, pt := range root.Child("dgm:ptLst").All("dgm:pt") {
		id := pt.Attr("modelId")
		switch pt.Attr("type") {
		case "doc":
			document = id
		case "", "node", "asst":
			d.texts[id] = pointText(pt.Child("dgm:t"))
			points = append(points, id)
		}
	}
	held := map[string]bool{}
	for _, c := range root.Child("dgm:cxnLst").All("dgm:cxn") {
		from, to := c.Attr("srcId"), c.Attr("destId")
		if kind := c.Attr("type"); kind != "" && kind != "parOf" {
			continue // how it is drawn
		}
		order, err := strconv.Atoi(c.Attr("srcOrd"))
		if err != nil {
			order = len(d.below[from])
		}
		d.below[from] = append(d.below[from], branch{to, order})
		held[to] = true
	}
	for from := range d.below {
		slices.SortStableFunc(d.below[from], func(a, b branch) int { return cmp.Compare(a.order, b.order) })
	}
	for _, b := range d.below[document] {
		d.top = append(d.top, b.id)
	}
	for _, id := range points { // what is connected to nothing
		if !held[id] {
			d.top = append(d.top, id)
		}
	}
	return d
}

func pointText(t *xmlpull.Node) string {
	var paras []string
	t.FindAll("a:p", func(p *xmlpull.Node) {
		if s := Text(p); s != "" {
			paras = append(paras, s)
		}
	})
	return strings.Join(paras, " ")
}

const (
	maxLevel = 8  // of a list
	maxDepth = 60 // of points below each other; what is deeper was made to be deep
)

// write writes a point and those below it as items of a list.
func (d *diagram) write(w *flow.Writer, id string, depth int) {
	if d.seen[id] || depth > maxDepth {
		return
	}
	d.seen[id] = true
	w.Para(flow.Para{Form: flow.Item, Level: min(depth, maxLevel), List: "diagram", Spans: d.spans(id, 0)})
	for _, k := range d.below[id] {
		d.write(w, k.id, depth+1)
	}
}

func (d *diagram) spans(id string, marks flow.Mark) []flow.Span {
	if d.texts[id] == "" {
		return nil
	}
	return []flow.Span{{Text: d.texts[id], Marks: marks}}
}
