package odt

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// paragraph reads a paragraph or a heading and what floats beside it.
func (r *reader) paragraph(w *flow.Writer, n *xmlpull.Node, at *place) {
	st := r.styles.of("paragraph", n.Attr("text:style-name"))
	if st.hidden {
		return
	}
	in := &inline{reader: r, paragraph: st}
	in.children(n, 0)
	p := r.form(n, st, at)
	p.ID = in.id
	p.Spans = in.finish(p.Form)
	if len(p.Spans) > 0 || p.Form == flow.Code {
		w.Para(p)
	}
	for _, block := range in.floats {
		w.Block(block)
	}
}

func (r *reader) form(n *xmlpull.Node, st *style, at *place) flow.Para {
	switch {
	case n.Name == "text:h":
		level, err := strconv.Atoi(n.Attr("text:outline-level"))
		if err != nil {
			level = 1
		}
		return flow.Para{Form: flow.Heading, Level: level}
	case st.heading > 0:
		return flow.Para{Form: flow.Heading, Level: st.heading}
	case at.depth > 0:
		return r.item(at)
	case st.code:
		return flow.Para{Form: flow.Code}
	case st.quote:
		return flow.Para{Form: flow.Quote}
	}
	return flow.Para{}
}

// list reads a list and the lists inside it.
func (r *reader) list(w *flow.Writer, n *xmlpull.Node, around place) error {
	at := place{depth: around.depth + 1, style: n.Attr("text:style-name")}
	if at.style == "" {
		at.style = around.style
	}
	if around.depth == 0 {
		r.restart(n, at.style)
	}
	for _, item := range n.Kids {
		if item.Name != "text:list-item" && item.Name != "text:list-header" {
			continue
		}
		inside := at
		inside.first = item.Name == "text:list-item"
		if v, err := strconv.Atoi(item.Attr("text:start-value")); err == nil {
			inside.start = v
		}
		if err := r.blocks(w, item, inside); err != nil {
			return err
		}
	}
	return nil
}

// restart begins the numbers of a list anew, unless it goes on with another.
func (r *reader) restart(n *xmlpull.Node, style string) {
	if n.Attr("text:continue-numbering") == "true" || n.Attr("text:continue-list") != "" {
		return
	}
	for key := range r.counted {
		if strings.HasPrefix(key, style+"/") {
			delete(r.counted, key)
		}
	}
}

// item gives the first paragraph of an item its mark; the others go on with it.
func (r *reader) item(at *place) flow.Para {
	lv := r.styles.lists[at.style][at.depth]
	if !at.first {
		return flow.Para{Form: flow.More, Level: at.depth - 1}
	}
	at.first = false
	p := flow.Para{Form: flow.Item, Level: at.depth - 1, List: at.style, Ordered: lv.ordered && !lv.bare}
	if p.Ordered {
		p.Number = r.count(at, lv)
	}
	return p
}

func (r *reader) count(at *place, lv level) int {
	key := at.style + "/" + strconv.Itoa(at.depth)
	n, counted := r.counted[key]
	switch {
	case at.start > 0:
		n = at.start
	case counted:
		n++
	default:
		n = max(lv.start, 1)
	}
	r.counted[key] = n
	for deeper := at.depth + 1; deeper <= 10; deeper++ {
		delete(r.counted, at.style+"/"+strconv.Itoa(deeper))
	}
	return n
}

// inline gathers the text of one paragraph.
type inline struct {
	*reader
	paragraph *style
	spans     []flow.Span
	floats    []*html.Node
	href      string
	id        string
}

func (in *inline) children(n *xmlpull.Node, marks flow.Mark) {
	for _, k := range n.Kids {
		in.node(k, marks)
	}
}

// node reads one child of a paragraph.
func (in *inline) node(n *xmlpull.Node, marks flow.Mark) {
	switch n.Name {
	case "":
		in.add(flow.Span{Text: collapse(n.Text), Marks: marks})
	case "text:span":
		st := in.styles.of("text", n.Attr("text:style-name"))
		if !st.hidden {
			in.children(n, marks|st.marks)
		}
	case "text:a":
		saved := in.href
		in.href = n.Attr("xlink:href")
		in.children(n, marks)
		in.href = saved
	case "text:s":
		count, err := strconv.Atoi(n.Attr("text:c"))
		if err != nil {
			count = 1
		}
		in.add(flow.Span{Text: strings.Repeat("\u00a0", min(max(count, 1), 200)), Marks: marks | spacer})
	case "text:tab":
		in.add(flow.Span{Text: "\t", Marks: marks | spacer})
	case "text:line-break":
		in.add(flow.Span{Text: "\n", Marks: marks | spacer})
	case "text:note":
		in.note(n)
	case "text:bookmark", "text:bookmark-start", "text:reference-mark-start":
		if in.id == "" {
			in.id = n.Attr("text:name")
		}
	case "draw:frame", "draw:custom-shape", "draw:rect", "draw:ellipse", "draw:g":
		in.frame(n)
	case "draw:a":
		in.children(n, marks)
	case "text:ruby":
		if base := n.Child("text:ruby-base"); base != nil {
			in.children(base, marks)
		}
	case "office:annotation", "text:hidden-text", "text:hidden-paragraph", "text:tracked-changes", "text:script",
		"office:annotation-end", "text:soft-page-break":
	default: // fields show their text
		in.children(n, marks)
	}
}

// spacer marks blanks that are meant, as opposed to those between words that
// the file may have more of than it shows.
const spacer flow.Mark = 1 << 15

func (in *inline) add(s flow.Span) {
	s.Href = in.href
	in.spans = append(in.spans, s)
}

// collapse makes one blank of every run of white space.
func collapse(s string) string {
	var b strings.Builder
	blank := false
	for _, r := range s {
		if r == ' ' || r == '\t' || r == '\n' || r == '\r' {
			blank = true
			continue
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		b.WriteRune(r)
	}
	if blank {
		b.WriteByte(' ')
	}
	return b.String()
}

// finish fits the text to its form. Blanks that were written out stay blanks
// in code and become ordinary ones elsewhere.
func (in *inline) finish(form flow.Form) []flow.Span {
	for i := range in.spans {
		s := &in.spans[i]
		if s.Marks&spacer != 0 {
			s.Marks &^= spacer
			s.Text = strings.ReplaceAll(s.Text, "\u00a0", " ")
			if form != flow.Code {
				s.Text = strings.ReplaceAll(s.Text, "\t", " ")
			}
		}
		if form == flow.Heading {
			s.Marks &^= flow.Bold
		}
	}
	return in.spans
}

func (in *inline) note(n *xmlpull.Node) {
	body := n.Child("text:note-body")
	key := n.Attr("text:id")
	if body == nil {
		return
	}
	if key == "" {
		key = strconv.Itoa(len(in.spans)) + n.Child("text:note-citation").Content()
	}
	in.add(flow.Span{Node: in.notes.Ref(key, func() []*html.Node {
		w := flow.New()
		if err := in.blocks(w, body, place{}); err != nil {
			return nil
		}
		return w.Nodes()
	})})
}
