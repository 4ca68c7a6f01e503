package pptx

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/chart"
	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/officedoc/omml"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// oneLine writes white space of a run as plain spaces.
var oneLine = strings.NewReplacer("\n", " ", "\t", " ", "\v", " ")

func (r *reader) title(shape *xmlpull.Node) {
	var spans []flow.Span
	for _, p := range shape.Child("p:txBody").All("a:p") {
		if len(spans) > 0 {
			spans = append(spans, flow.Span{Text: " "})
		}
		spans = append(spans, r.spans(p)...)
	}
	r.w.Para(flow.Para{Form: flow.Heading, Level: 2, Spans: plain(spans)})
}

// plain fits text into a heading, which is one line, and bold by itself.
func plain(spans []flow.Span) []flow.Span {
	for i := range spans {
		spans[i].Text = oneLine.Replace(spans[i].Text)
		spans[i].Marks &^= flow.Bold
	}
	return spans
}

const apart = 1200 // hundredths of a point: a line of ordinary text

// isSubheading tells whether a paragraph is set like a heading within the text:
// bold as a whole, and apart from what is above it. Bold alone is emphasis.
func isSubheading(props *xmlpull.Node, spans []flow.Span) bool {
	if atoi(props.Child("a:spcBef", "a:spcPts").Attr("val")) < apart {
		return false
	}
	for _, s := range spans {
		if s.Node != nil || s.Marks&flow.Bold == 0 && strings.TrimSpace(s.Text) != "" {
			return false
		}
	}
	return true
}

// text reads the paragraphs of a shape. The shape itself may be a link.
func (r *reader) text(shape *xmlpull.Node) {
	r.href = r.target(about(shape).Child("a:hlinkClick"))
	r.paragraphs(r.w, shape, shape.Child("p:txBody"))
	r.href = ""
}

// paragraphs reads text. Numbers count on while the list lasts.
func (r *reader) paragraphs(w *flow.Writer, shape, body *xmlpull.Node) {
	numbers := map[int]int{} // by level: the last one given
	for i, p := range body.All("a:p") {
		props := p.Child("a:pPr")
		level := min(max(atoi(props.Attr("lvl")), 0), 8)
		spans := r.spans(p)
		if len(spans) == 0 {
			continue
		}
		para := flow.Para{Spans: spans}
		b := r.bullets.of(shape, p, level)
		switch {
		case b.shown:
			para.Form, para.Level, para.Ordered, para.List = flow.Item, level, b.ordered, "list"
			if b.ordered {
				para.Number = next(numbers, level, b.start)
			}
		case isSubheading(props, spans):
			para = flow.Para{Form: flow.Heading, Level: 3, Spans: plain(spans)}
		case flow.AllMono(spans):
			para.Form = flow.Code
		case level > 0 && atoi(props.Attr("marL")) > 0:
			para.Form, para.Level = flow.More, level-1
		}
		if !b.shown && para.Form != flow.More || !b.ordered && level == 0 {
			clear(numbers)
		}
		if i == 0 { // a new shape begins a new list
			w.Break()
		}
		w.Para(untabbed(para))
	}
}

func next(numbers map[int]int, level, start int) int {
	n, counted := numbers[level]
	if !counted || n+1 < start {
		n = start - 1
	}
	numbers[level] = n + 1
	for deeper := range numbers {
		if deeper > level {
			delete(numbers, deeper)
		}
	}
	return n + 1
}

func untabbed(p flow.Para) flow.Para {
	if p.Form == flow.Code {
		return p
	}
	for i := range p.Spans {
		p.Spans[i].Text = strings.ReplaceAll(p.Spans[i].Text, "\t", " ")
	}
	return p
}

// spans reads the text of a paragraph.
func (r *reader) spans(p *xmlpull.Node) []flow.Span {
	var spans []flow.Span
	for _, n := range p.Kids {
		switch n.Name {
		case "a:r", "a:fld":
			text := strings.ReplaceAll(n.Child("a:t").Content(), "\v", "\n")
			spans = append(spans, flow.Span{Text: text, Marks: marks(n.Child("a:rPr")), Href: r.link(n)})
		case "a:br":
			spans = append(spans, flow.Span{Text: "\n", Marks: marks(n.Child("a:rPr"))})
		case "mc:AlternateContent":
			if chosen := alternative(n); chosen != nil {
				spans = append(spans, r.spans(chosen)...)
			}
		default:
			if math := n.Find("m:oMath"); math != nil {
				spans = append(spans, flow.Span{Node: flow.Math(omml.TeX(math), false)})
			}
		}
	}
	return spans
}

// link is the address that a run links to, or else its shape.
func (r *reader) link(run *xmlpull.Node) string {
	if href := r.target(run.Child("a:rPr", "a:hlinkClick")); href != "" {
		return href
	}
	return r.href
}

// target is the address of a link; one that leads to another slide has none.
func (r *reader) target(click *xmlpull.Node) string {
	rel, ok := r.rels[click.Attr("r:id")]
	if !ok || !rel.External {
		return ""
	}
	return rel.Target
}

func marks(props *xmlpull.Node) flow.Mark {
	var m flow.Mark
	if isOn(props.Attr("b")) {
		m |= flow.Bold
	}
	if isOn(props.Attr("i")) {
		m |= flow.Italic
	}
	if s := props.Attr("strike"); s != "" && s != "noStrike" {
		m |= flow.Strike
	}
	switch raised := atoi(props.Attr("baseline")); {
	case raised > 0:
		m |= flow.Super
	case raised < 0:
		m |= flow.Sub
	}
	if flow.IsMono(props.Child("a:latin").Attr("typeface")) {
		m |= flow.Mono
	}
	return m
}

// graphic reads a table, a chart or a diagram.
func (r *reader) graphic(n *xmlpull.Node) {
	data := n.Child("a:graphic", "a:graphicData")
	if tbl := data.Child("a:tbl"); tbl != nil {
		if table := r.table(tbl); table != nil {
			r.w.Block(table)
		}
	}
	for _, kind := range []string{"c:chart", "cx:chart"} {
		if rel, ok := r.rels[data.Child(kind).Attr("r:id")]; ok && !rel.External {
			for _, block := range chart.Blocks(r.pkg.Tree(rel.Target)) {
				r.w.Block(block)
			}
		}
	}
	if rel, ok := r.rels[data.Child("dgm:relIds").Attr("r:dm")]; ok && !rel.External {
		for _, block := range chart.Diagram(r.pkg.Tree(rel.Target)) {
			r.w.Block(block)
		}
	}
}

const maxSpan = 1000

func (r *reader) table(tbl *xmlpull.Node) *html.Node {
	var rows [][]flow.Cell
	for i, tr := range tbl.All("a:tr") {
		var row []flow.Cell
		for _, tc := range tr.All("a:tc") {
			if isOn(tc.Attr("hMerge")) || isOn(tc.Attr("vMerge")) {
				continue // below a merged cell
			}
			w := flow.New()
			r.paragraphs(w, tc, tc.Child("a:txBody"))
			row = append(row, flow.Cell{
				Nodes:   w.Nodes(),
				ColSpan: min(atoi(tc.Attr("gridSpan")), maxSpan),
				RowSpan: min(atoi(tc.Attr("rowSpan")), maxSpan),
				Header:  i == 0,
			})
		}
		rows = append(rows, row)
	}
	return flow.Table(flow.Spread(rows))
}

func isOn(s string) bool { return s == "1" || s == "true" }

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
