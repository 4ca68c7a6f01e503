// Package chart reads what charts and diagrams say: the numbers a chart was
// drawn from, as a table, and the texts of a diagram, as lists.
package chart

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

const (
	maxPoints = 10_000
	maxSeries = 255 // what Excel draws
	maxCells  = 100_000
)

// Blocks gives the title of a chart and its values. Root is the chart part.
func Blocks(root *xmlpull.Node) []*html.Node {
	if root != nil && root.Name == "cx:chartSpace" {
		return extended(root)
	}
	c := root.Child("c:chart")
	if c == nil {
		return nil
	}
	var blocks []*html.Node
	if title := Text(c.Child("c:title", "c:tx")); title != "" {
		blocks = append(blocks, flow.Wrap("p", []*html.Node{flow.Text(title)}))
	}
	var series []*xmlpull.Node
	c.Child("c:plotArea").FindAll("c:ser", func(n *xmlpull.Node) { series = append(series, n) })
	if table := values(series); table != nil {
		if kind := kindOf(c.Child("c:plotArea")); kind != "" {
			flow.Caption(table, kind)
		}
		blocks = append(blocks, table)
	}
	return blocks
}

// kinds are the ways of drawing, by the element that holds the series.
var kinds = map[string]string{
	"c:areaChart": "Area", "c:area3DChart": "Area", "c:barChart": "Bar", "c:bar3DChart": "Bar", "c:bubbleChart": "Bubble",
	"c:doughnutChart": "Doughnut", "c:lineChart": "Line", "c:line3DChart": "Line", "c:ofPieChart": "Pie",
	"c:pieChart": "Pie", "c:pie3DChart": "Pie", "c:radarChart": "Radar", "c:scatterChart": "Scatter",
	"c:stockChart": "Stock", "c:surfaceChart": "Surface", "c:surface3DChart": "Surface",
}

// kindOf says how the values are drawn: without it a table does not tell that it
// was a chart. One that is drawn in two ways is named for the first.
func kindOf(area *xmlpull.Node) string {
	if area == nil {
		return ""
	}
	for _, n := range area.Kids {
		if kind, ok := kinds[n.Name]; ok {
			return kind + " chart"
		}
	}
	return ""
}

// values makes one column for each series, and one row for each category.
func values(series []*xmlpull.Node) *html.Node {
	series = series[:min(len(series), maxSeries)]
	if len(series) == 0 {
		return nil
	}
	header := []flow.Cell{{Header: true}}
	var columns []map[int]string
	categories, count := map[int]string{}, 0
	for _, s := range series {
		header = append(header, cell(Text(s.Child("c:tx")), true))
		data := s.Child("c:val")
		if data == nil {
			data = s.Child("c:yVal")
		}
		column, n := points(data)
		columns = append(columns, column)
		count = max(count, n)
		if len(categories) == 0 {
			axis := s.Child("c:cat")
			if axis == nil {
				axis = s.Child("c:xVal")
			}
			categories, n = points(axis)
			count = max(count, n)
		}
	}
	rows := [][]flow.Cell{header}
	for i := range min(count, maxCells/len(header)) {
		row := []flow.Cell{cell(categories[i], false)}
		for _, column := range columns {
			row = append(row, cell(column[i], false))
		}
		rows = append(rows, row)
	}
	return flow.Table(rows)
}

// points reads the values the writer left in the file, by their place.
func points(n *xmlpull.Node) (map[int]string, int) {
	found, count := map[int]string{}, 0
	n.FindAll("c:pt", func(pt *xmlpull.Node) {
		i, err := strconv.Atoi(pt.Attr("idx"))
		if err != nil || i < 0 || i >= maxPoints {
			return
		}
		if _, twice := found[i]; !twice { // of several levels of categories the first is the finest
			found[i] = value(pt.Child("c:v").Content())
		}
		count = max(count, i+1)
	})
	return found, count
}

// value writes a number as people do: the file has 4.4000000000000004 for 4.4.
func value(s string) string {
	s = strings.TrimSpace(s)
	if f, err := strconv.ParseFloat(s, 64); err == nil && strings.Contains(s, ".") {
		return strconv.FormatFloat(f, 'g', 15, 64)
	}
	return s
}

func cell(text string, header bool) flow.Cell {
	c := flow.Cell{Header: header}
	if text != "" {
		c.Nodes = []*html.Node{flow.Text(text)}
	}
	return c
}

// Text joins the text of a title or a name, be it typed in or taken from a cell.
func Text(n *xmlpull.Node) string {
	var parts []string
	n.FindAll("a:t", func(t *xmlpull.Node) { parts = append(parts, t.Content()) })
	n.FindAll("c:v", func(v *xmlpull.Node) { parts = append(parts, v.Content()) })
	return strings.TrimSpace(strings.Join(parts, ""))
}
