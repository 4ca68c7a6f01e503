package odt

import (
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// page reads one page of a presentation: its title, what is on it, the notes.
func (r *reader) page(w *flow.Writer, page *xmlpull.Node) {
	if r.isHidden(page) {
		return
	}
	r.slides++
	title := findTitle(page)
	if title != nil {
		r.title(w, title)
	} else if name := page.Attr("draw:name"); name != "" && !isCounted(name) {
		w.Para(flow.Para{Form: flow.Heading, Level: 2, Spans: []flow.Span{{Text: name}}})
	}
	for _, n := range page.Kids {
		class := n.Attr("presentation:class")
		switch {
		case n == title:
		case n.Name == "presentation:notes":
			r.speaker(w, n)
		case class == "header", class == "footer", class == "date-time", class == "page-number":
		default:
			at := place{}
			if err := r.block(w, n, &at); err != nil {
				return
			}
		}
	}
}

// isHidden tells whether a page is left out of the show.
func (r *reader) isHidden(page *xmlpull.Node) bool {
	style := r.styles.nodes["drawing-page "+page.Attr("draw:style-name")]
	return style.Child("style:drawing-page-properties").Attr("presentation:visibility") == "hidden"
}

// findTitle finds the title of a page, if it has one with text.
func findTitle(page *xmlpull.Node) *xmlpull.Node {
	for _, n := range page.Kids {
		if n.Attr("presentation:class") == "title" && strings.TrimSpace(n.Content()) != "" {
			return n
		}
	}
	return nil
}

// isCounted tells whether a page has the name that programs give to pages whose
// author gave none: "page" and a number. It says nothing.
func isCounted(name string) bool {
	number, ok := strings.CutPrefix(name, "page")
	_, err := strconv.Atoi(number)
	return ok && err == nil
}

func (r *reader) title(w *flow.Writer, frame *xmlpull.Node) {
	in := &inline{reader: r, paragraph: &style{}}
	frame.FindAll("text:p", func(p *xmlpull.Node) {
		if len(in.spans) > 0 {
			in.add(flow.Span{Text: " "})
		}
		in.children(p, 0)
	})
	spans := in.finish(flow.Heading)
	for i := range spans { // a heading is one line
		spans[i].Text = strings.ReplaceAll(spans[i].Text, "\n", " ")
	}
	w.Para(flow.Para{Form: flow.Heading, Level: 2, Spans: spans})
}

// speaker reads the speaker's notes.
func (r *reader) speaker(w *flow.Writer, notes *xmlpull.Node) {
	for _, frame := range notes.All("draw:frame") {
		if frame.Attr("presentation:class") != "notes" {
			continue
		}
		if err := r.shape(w, frame); err != nil {
			return
		}
	}
}
