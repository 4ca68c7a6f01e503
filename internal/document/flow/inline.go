package flow

import (
	"strings"

	"golang.org/x/net/html"
)

// Mark is how a stretch of text is set. Marks combine.
type Mark uint16

// The marks that survive into the tree, from the outermost to the innermost.
const (
	Bold Mark = 1 << iota
	Italic
	Strike
	Super
	Sub
	Mono // a fixed-width font: code
)

var markTags = []struct {
	mark Mark
	tag  string
}{{Bold, "strong"}, {Italic, "em"}, {Strike, "del"}, {Super, "sup"}, {Sub, "sub"}, {Mono, "code"}}

// Span is a stretch of text with the same marks and link, or a finished node
// such as an image. A newline in the text is a line break.
type Span struct {
	Text  string
	Marks Mark
	Href  string     // address it links to
	Node  *html.Node // instead of text
}

// PlainText joins the text of spans.
func PlainText(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Inline turns spans into nodes, nesting marks so that each is opened as seldom
// as possible. Space at either end is dropped; nil if nothing is left.
func Inline(spans []Span) []*html.Node {
	spans = trim(join(spans))
	if len(spans) == 0 {
		return nil
	}
	b := builder{parent: Element("div")}
	b.links(spans)
	var nodes []*html.Node
	for n := b.parent.FirstChild; n != nil; n = b.parent.FirstChild {
		b.parent.RemoveChild(n)
		nodes = append(nodes, n)
	}
	return nodes
}

// join merges neighbours that look alike. A blank between two marked stretches
// carries the marks that both have, so that "**a** **b**" becomes "**a b**".
func join(spans []Span) []Span {
	spans = markBlanks(spans)
	var out []Span
	for i := 0; i < len(spans); {
		n := i + 1
		for n < len(spans) && alike(spans[i], spans[n]) {
			n++
		}
		s := spans[i]
		if n > i+1 {
			s.Text = PlainText(spans[i:n])
		}
		out = append(out, s)
		i = n
	}
	return out
}

func alike(a, b Span) bool {
	return a.Node == nil && b.Node == nil && a.Marks == b.Marks && a.Href == b.Href
}

// markBlanks drops what is empty and gives blanks the marks of both sides.
func markBlanks(spans []Span) []Span {
	out := make([]Span, 0, len(spans))
	for _, s := range spans {
		if s.Node != nil || s.Text != "" {
			out = append(out, s)
		}
	}
	after := Mark(0) // of the next stretch that is not blank
	for i := len(out) - 1; i >= 0; i-- {
		if isBlank(out[i]) {
			out[i].Marks = after
		} else {
			after = out[i].Marks
		}
	}
	before := Mark(0)
	for i := range out {
		if isBlank(out[i]) {
			out[i].Marks &= before
		} else {
			before = out[i].Marks
		}
	}
	return out
}

func isBlank(s Span) bool { return s.Node == nil && strings.TrimSpace(s.Text) == "" }

func trim(spans []Span) []Span {
	for len(spans) > 0 && spans[0].Node == nil {
		spans[0].Text = strings.TrimLeft(spans[0].Text, " \t\n\r")
		if spans[0].Text != "" {
			break
		}
		spans = spans[1:]
	}
	for n := len(spans); n > 0 && spans[n-1].Node == nil; n = len(spans) {
		spans[n-1].Text = strings.TrimRight(spans[n-1].Text, " \t\n\r")
		if spans[n-1].Text != "" {
			break
		}
		spans = spans[:n-1]
	}
	return spans
}

type builder struct{ parent *html.Node }

// links groups what links to the same place; a link is outside all marks.
func (b builder) links(spans []Span) {
	for len(spans) > 0 {
		n := 1
		for n < len(spans) && spans[n].Href == spans[0].Href {
			n++
		}
		group := spans[:n]
		spans = spans[n:]
		if group[0].Href == "" {
			b.marks(group)
			continue
		}
		b.space(leading(&group[0]))
		after := trailing(&group[n-1])
		a := Element("a")
		SetAttr(a, "href", group[0].Href)
		b.parent.AppendChild(a)
		builder{a}.marks(group)
		b.space(after)
	}
}

// marks opens, at each point, the mark that lasts longest, and goes on inside.
func (b builder) marks(spans []Span) {
	for len(spans) > 0 {
		mark, n := longest(spans)
		if mark == 0 {
			b.plain(spans[0])
			spans = spans[1:]
			continue
		}
		group := append([]Span(nil), spans[:n]...)
		spans = spans[n:]
		for i := range group {
			group[i].Marks &^= mark
		}
		b.space(leading(&group[0]))
		after := trailing(&group[n-1])
		el := Element(tagOf(mark))
		builder{el}.marks(group)
		if el.FirstChild != nil {
			b.parent.AppendChild(el)
		}
		b.space(after)
	}
}

func longest(spans []Span) (best Mark, length int) {
	for _, m := range markTags {
		n := 0
		for n < len(spans) && spans[n].Marks&m.mark != 0 {
			n++
		}
		if n > length {
			best, length = m.mark, n
		}
	}
	return best, length
}

func tagOf(mark Mark) string {
	for _, m := range markTags {
		if m.mark == mark {
			return m.tag
		}
	}
	return "span"
}

// leading takes the space off the front of a span: marks begin at a word.
func leading(s *Span) string {
	rest := strings.TrimLeft(s.Text, " \t\n")
	space := s.Text[:len(s.Text)-len(rest)]
	s.Text = rest
	return space
}

func trailing(s *Span) string {
	rest := strings.TrimRight(s.Text, " \t\n")
	space := s.Text[len(rest):]
	s.Text = rest
	return space
}

func (b builder) space(s string) { b.plain(Span{Text: s}) }

// plain adds text, or a finished node; newlines become line breaks.
func (b builder) plain(s Span) {
	if s.Node != nil {
		if s.Node.Parent == nil {
			b.parent.AppendChild(s.Node)
		}
		return
	}
	for i, line := range strings.Split(s.Text, "\n") {
		if i > 0 {
			b.parent.AppendChild(Element("br"))
		}
		if line != "" {
			b.parent.AppendChild(Text(line))
		}
	}
}
