package odt

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// frame reads what is anchored in a paragraph: a picture stays in the text, a
// text box follows it.
func (in *inline) frame(n *xmlpull.Node) {
	if img := n.Child("draw:image"); img != nil && n.Child("draw:object") == nil {
		in.add(flow.Span{Node: flow.Image(img.Attr("xlink:href"), altOf(n))})
		return
	}
	if tex := in.object(n).formula(); tex != "" {
		in.add(flow.Span{Node: flow.Math(tex, false)})
		return
	}
	w := flow.New()
	if err := in.shape(w, n); err == nil {
		in.floats = append(in.floats, w.Nodes()...)
	}
}

func altOf(frame *xmlpull.Node) string {
	if title := strings.TrimSpace(frame.Child("svg:title").Content()); title != "" {
		return title
	}
	return strings.TrimSpace(frame.Child("svg:desc").Content())
}

// shape reads a frame or a drawn shape as blocks.
func (r *reader) shape(w *flow.Writer, n *xmlpull.Node) error {
	if img := n.Child("draw:image"); img != nil && n.Child("draw:object") == nil && n.Child("table:table") == nil {
		w.Para(flow.Para{Spans: []flow.Span{{Node: flow.Image(img.Attr("xlink:href"), altOf(n))}}})
		return nil
	}
	if object := r.object(n); object != nil {
		for _, block := range object.blocks() {
			w.Block(block)
		}
		return nil
	}
	for _, k := range n.Kids {
		switch k.Name {
		case "draw:text-box", "draw:frame", "draw:g", "draw:custom-shape":
			if err := r.blocks(w, k, place{}); err != nil {
				return err
			}
		default:
			at := place{}
			if err := r.block(w, k, &at); err != nil {
				return err
			}
		}
	}
	return nil
}

const (
	maxColumns = 1024
	maxRows    = 100_000
)

// table reads a table of a text or a slide.
func (r *reader) table(n *xmlpull.Node) (*html.Node, error) {
	var rows [][]flow.Cell
	err := r.rows(n, false, &rows)
	return flow.Table(rows), err
}

func (r *reader) rows(n *xmlpull.Node, header bool, rows *[][]flow.Cell) error {
	for _, k := range n.Kids {
		switch k.Name {
		case "table:table-header-rows":
			if err := r.rows(k, true, rows); err != nil {
				return err
			}
		case "table:table-rows", "table:table-row-group":
			if err := r.rows(k, header, rows); err != nil {
				return err
			}
		case "table:table-row":
			row, err := r.row(k, header)
			if err != nil {
				return err
			}
			if len(*rows) < maxRows {
				*rows = append(*rows, row)
			}
		}
	}
	return nil
}

func (r *reader) row(n *xmlpull.Node, header bool) ([]flow.Cell, error) {
	var row []flow.Cell
	for _, c := range n.Kids {
		if c.Name != "table:table-cell" {
			continue // a covered cell lies below a merged one
		}
		w := flow.New()
		if err := r.blocks(w, c, place{}); err != nil {
			return nil, err
		}
		cell := flow.Cell{
			Nodes:   w.Nodes(),
			ColSpan: span(c, "table:number-columns-spanned", maxColumns),
			RowSpan: span(c, "table:number-rows-spanned", maxRows),
			Header:  header,
		}
		row = append(row, cell)
		for range span(c, "table:number-columns-repeated", maxColumns) - 1 {
			if len(cell.Nodes) > 0 || len(row) >= maxColumns {
				break
			}
			row = append(row, flow.Cell{Header: header})
		}
	}
	return row, nil
}

func span(n *xmlpull.Node, name string, limit int) int {
	v, err := strconv.Atoi(n.Attr(name))
	if err != nil || v < 1 {
		return 1
	}
	return min(v, limit)
}
