package odt

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// object is a formula or a chart: a document of its own inside the file.
type object struct {
	*reader
	root *xmlpull.Node
}

// object opens what a frame shows; nil if it shows no object that can be read.
func (r *reader) object(frame *xmlpull.Node) *object {
	href := strings.TrimPrefix(frame.Child("draw:object").Attr("xlink:href"), "./")
	if href == "" || r.inObject { // one that holds others may hold itself
		return nil
	}
	o := &object{reader: r, root: r.file.Tree(href + "/content.xml")}
	if o.formula() == "" && o.chart() == nil {
		return nil
	}
	return o
}

// formula is the source that the writer keeps with a formula.
func (o *object) formula() string {
	if o == nil || o.root == nil || o.root.Name != "math:math" {
		return ""
	}
	return strings.TrimSpace(o.root.Find("math:annotation").Content())
}

func (o *object) chart() *xmlpull.Node {
	return o.root.Child("office:body", "office:chart", "chart:chart")
}

// blocks writes a formula, or the title of a chart and the table that it was
// drawn from.
func (o *object) blocks() []*html.Node {
	if tex := o.formula(); tex != "" {
		return []*html.Node{flow.Wrap("p", []*html.Node{flow.Math(tex, true)})}
	}
	o.inObject = true
	defer func() { o.inObject = false }()
	c := o.chart()
	w := flow.New()
	if title := c.Child("chart:title"); title != nil {
		if err := o.reader.blocks(w, title, place{}); err != nil {
			return nil
		}
	}
	table, err := o.table(c.Child("table:table"))
	if err != nil || table == nil {
		return w.Nodes()
	}
	if kind := chartKinds[c.Attr("chart:class")]; kind != "" {
		flow.Caption(table, kind+" chart")
	}
	w.Block(table)
	return w.Nodes()
}

// chartKinds are the ways of drawing, in the words used for other formats too.
var chartKinds = map[string]string{
	"chart:area": "Area", "chart:bar": "Bar", "chart:bubble": "Bubble", "chart:circle": "Pie", "chart:filled-radar": "Radar",
	"chart:gantt": "Gantt", "chart:line": "Line", "chart:radar": "Radar", "chart:ring": "Doughnut", "chart:scatter": "Scatter",
	"chart:stock": "Stock", "chart:surface": "Surface",
}
