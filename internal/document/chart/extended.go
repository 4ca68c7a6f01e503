package chart

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// extendedKinds are the ways of drawing that came with Office 2016.
var extendedKinds = map[string]string{
	"boxWhisker": "Box and whisker", "clusteredColumn": "Histogram", "funnel": "Funnel", "paretoLine": "Pareto",
	"regionMap": "Map", "sunburst": "Sunburst", "treemap": "Treemap", "waterfall": "Waterfall",
}

// extended reads a chart of the newer kinds, which keep their values apart from
// the series that show them.
func extended(root *xmlpull.Node) []*html.Node {
	var blocks []*html.Node
	c := root.Child("cx:chart")
	if title := extendedText(c.Child("cx:title")); title != "" {
		blocks = append(blocks, flow.Wrap("p", []*html.Node{flow.Text(title)}))
	}
	data := map[string]*xmlpull.Node{}
	for _, d := range root.Child("cx:chartData").All("cx:data") {
		data[d.Attr("id")] = d
	}
	seen, room := map[string]bool{}, maxCells
	c.FindAll("cx:series", func(s *xmlpull.Node) {
		id := s.Child("cx:dataId").Attr("val")
		if seen[id] { // a second series over the same values only draws them once more
			return
		}
		seen[id] = true
		rows := extendedRows(data[id], s, room)
		if len(rows) == 0 {
			return
		}
		room -= len(rows) * len(rows[0])
		table := flow.Table(rows)
		if kind := extendedKinds[s.Attr("layoutId")]; kind != "" {
			flow.Caption(table, kind+" chart")
		}
		blocks = append(blocks, table)
	})
	return blocks
}

// extendedRows makes a column for each level of the categories, the coarsest
// first, and one for the values. There is room for so many cells.
func extendedRows(data, series *xmlpull.Node, room int) [][]flow.Cell {
	var columns []map[int]string
	header, count := []flow.Cell{}, 0
	for _, dim := range []string{"cx:strDim", "cx:numDim"} {
		for _, d := range data.All(dim) {
			levels := d.All("cx:lvl")
			for i := len(levels) - 1; i >= 0; i-- {
				column, n := extendedPoints(levels[i])
				columns, count = append(columns, column), max(count, n)
				name := ""
				if dim == "cx:numDim" {
					name = extendedText(series.Child("cx:tx"))
				}
				header = append(header, cell(name, true))
			}
		}
	}
	if len(columns) == 0 || len(columns) > maxSeries || room < len(columns) {
		return nil
	}
	rows := [][]flow.Cell{header}
	for i := range min(count, room/len(columns)) {
		var row []flow.Cell
		for _, column := range columns {
			row = append(row, cell(column[i], false))
		}
		rows = append(rows, row)
	}
	return rows
}

func extendedPoints(level *xmlpull.Node) (map[int]string, int) {
	found, count := map[int]string{}, 0
	for _, pt := range level.All("cx:pt") {
		i, err := strconv.Atoi(pt.Attr("idx"))
		if err != nil || i < 0 || i >= maxPoints {
			continue
		}
		found[i] = value(pt.Content())
		count = max(count, i+1)
	}
	return found, count
}

// extendedText is a title or a name, typed in or taken from a cell.
func extendedText(n *xmlpull.Node) string {
	if s := Text(n); s != "" {
		return s
	}
	var parts []string
	n.FindAll("cx:v", func(v *xmlpull.Node) { parts = append(parts, v.Content()) })
	return strings.TrimSpace(strings.Join(parts, ""))
}
