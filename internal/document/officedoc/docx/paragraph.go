package docx

import (
	"errors"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// paragraph reads one paragraph and what floats beside it.
func (r *reader) paragraph(w *flow.Writer, n *xmlpull.Node) {
	props := n.Child("w:pPr")
	in := &inline{reader: r, style: r.styles.of(props.Child("w:pStyle").Attr("w:val"))}
	in.children(n)
	spans := append(r.part.carry, in.spans...)
	r.part.carry = nil
	if in.style.term {
		r.part.carry = append(spans, flow.Span{Text: "\n"})
		return
	}
	if runsOn(props) {
		r.part.carry = spans
		r.floats(w, in)
		return
	}
	p := r.form(props, in)
	p.Spans = tidy(p.Form, spans)
	p.ID = in.id
	if p.Form == flow.Plain && !r.inCell && len(in.formulas) > 0 && strings.TrimSpace(flow.PlainText(spans)) == "" {
		for _, f := range in.formulas { // formulas alone on their lines
			w.Para(flow.Para{Spans: []flow.Span{{Node: flow.Math(f, true)}}})
		}
	} else {
		w.Para(p)
	}
	r.floats(w, in)
}

// floats adds the text boxes and charts that are anchored in a paragraph.
func (r *reader) floats(w *flow.Writer, in *inline) {
	for _, block := range in.floats {
		w.Block(block)
	}
}

func (r *reader) flushCarry(w *flow.Writer) {
	if len(r.part.carry) > 0 {
		w.Para(flow.Para{Spans: r.part.carry})
		r.part.carry = nil
	}
}

// runsOn tells whether a paragraph has no end of its own: it is a drop cap, or
// its end was deleted.
func runsOn(props *xmlpull.Node) bool {
	if props == nil {
		return false
	}
	if cap := props.Child("w:framePr").Attr("w:dropCap"); cap == "drop" || cap == "margin" {
		return true
	}
	return props.Child("w:rPr", "w:del") != nil
}

// form decides what a paragraph is, from its own properties and its style.
func (r *reader) form(props *xmlpull.Node, in *inline) flow.Para {
	if level := r.headingLevel(props, in.style); level > 0 {
		return flow.Para{Form: flow.Heading, Level: level}
	}
	if p, ok := r.lists.item(props, in.style); ok {
		return p
	}
	switch {
	case in.style.code || in.pasted() && !in.style.mono:
		return flow.Para{Form: flow.Code}
	case in.style.quote:
		return flow.Para{Form: flow.Quote}
	case in.style.inList:
		return flow.Para{Form: flow.More, Level: deepest}
	}
	return flow.Para{}
}

const deepest = 8 // level of a list below which Word has none

// headingLevel is 0 for what is no heading.
func (r *reader) headingLevel(props *xmlpull.Node, s *style) int {
	if level, ok := number(props.Child("w:outlineLvl")); ok {
		return outline(level)
	}
	return s.heading
}

// outline turns an outline level as Word counts it into a heading level. Nine
// is body text.
func outline(level int) int {
	if level < 0 || level > 8 {
		return 0
	}
	return min(level+1, 6)
}

// tidy fits the text to its form: tabs mean something in code only, and a
// heading is not bold on top.
func tidy(form flow.Form, spans []flow.Span) []flow.Span {
	if form == flow.Code {
		return spans
	}
	for i := range spans {
		spans[i].Text = strings.ReplaceAll(spans[i].Text, "\t", " ")
		if form == flow.Heading {
			spans[i].Marks &^= flow.Bold
		}
	}
	return spans
}

// refusal passes on what must end the reading: a limit that was met. Damage
// further down in the file does not take back what was read.
func refusal(err error) error {
	var own *trawl.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, xmlpull.ErrDepth), errors.Is(err, xmlpull.ErrEntities), errors.Is(err, xmlpull.ErrToken):
		return err
	}
	return nil
}
