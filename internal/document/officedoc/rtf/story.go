package rtf

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
)

// story is a text that is being written: the document, a note or a text box.
type story struct {
	outer   *story
	depth   int // groups that were open when it began
	deliver func(*reader, []*html.Node)

	text   *flow.Nesting
	spans  []flow.Span
	floats []*html.Node
	id     string
	counts map[string]int // numbers given, by list and level
	typed  []int          // left indents of the typed list that is open
	high   rune           // first half of a character

	outerRow, nestedRow rowDef // how the cells of the next rows are laid out
}

func newStory() *story {
	return &story{text: flow.NewNesting(), counts: map[string]int{}}
}

func (s *story) add(span flow.Span, p para) {
	if span.Text == "" && span.Node == nil {
		return
	}
	s.spans = append(s.spans, span)
}

// finish closes what is open and gives the blocks.
func (s *story) finish() []*html.Node {
	return s.text.Nodes()
}

// endParagraph writes the paragraph that was gathered.
func (s *story) endParagraph(p para, t tables) {
	empty := len(s.spans) == 0
	if empty && len(s.floats) == 0 {
		if !t.isCode(p) {
			return
		}
	}
	w := s.text.Writer(p.tableDepth())
	out := s.form(p, t)
	out.ID = s.id
	w.Para(out)
	for _, f := range s.floats {
		w.Block(f)
	}
	s.spans, s.floats, s.id = nil, nil, ""
}

// form decides what a paragraph is.
func (s *story) form(p para, t tables) flow.Para {
	style := t.styles[p.style]
	if level := headingLevel(p, style); level > 0 {
		s.typed = nil
		return flow.Para{Form: flow.Heading, Level: level, Spans: withoutBold(s.spans)}
	}
	if out, ok := s.item(p, t); ok {
		return out
	}
	if out, ok := s.typedItem(p); ok {
		return out
	}
	s.typed = nil
	switch {
	case t.isCode(p) || flow.AllMono(s.spans):
		return flow.Para{Form: flow.Code, Spans: s.spans}
	case strings.Contains(style.name, "quot"):
		return flow.Para{Form: flow.Quote, Spans: untabbed(s.spans)}
	}
	return flow.Para{Spans: untabbed(s.spans)}
}

func (t tables) isCode(p para) bool {
	switch strings.ReplaceAll(t.styles[p.style].name, " ", "") {
	case "sourcecode", "htmlpreformatted", "preformattedtext", "code", "verbatim":
		return true
	}
	return false
}

func headingLevel(p para, style styleDef) int {
	if p.outline > 0 {
		return min(p.outline, 6)
	}
	name, ok := strings.CutPrefix(style.name, "heading ")
	if n, err := strconv.Atoi(name); ok && err == nil && n > 0 {
		return min(n, 6)
	}
	switch style.name {
	case "title":
		return 1
	case "subtitle":
		return 2
	}
	return 0
}

// item reads the place of a paragraph in a list that the header defines, or in
// one in the manner of Word 6.
func (s *story) item(p para, t tables) (flow.Para, bool) {
	if p.old.shown && p.list == 0 {
		out := flow.Para{Form: flow.Item, Ordered: p.old.ordered, List: "old", Spans: untabbed(s.spans)}
		return out, true
	}
	list := t.lists[t.overrides[p.list]]
	if p.list == 0 || list == nil {
		return flow.Para{}, false
	}
	var def levelDef
	if p.level < len(list.levels) {
		def = list.levels[p.level]
	}
	if def.format == 255 {
		return flow.Para{}, false
	}
	key := strconv.Itoa(p.list)
	out := flow.Para{Form: flow.Item, Level: p.level, List: key, Spans: untabbed(s.spans)}
	if def.format != 23 {
		out.Ordered = true
		out.Number = s.count(key, p.level, def.start)
	}
	return out, true
}

func (s *story) count(list string, level, start int) int {
	key := list + "/" + strconv.Itoa(level)
	n, counted := s.counts[key]
	if !counted {
		n = start - 1
	}
	s.counts[key] = n + 1
	for deeper := level + 1; deeper <= 8; deeper++ {
		delete(s.counts, list+"/"+strconv.Itoa(deeper))
	}
	return n + 1
}

// typedItem knows a list whose marks were typed: a hanging indent, and a bullet
// or a number before a tab. A paragraph with the same indent goes on with it.
func (s *story) typedItem(p para) (flow.Para, bool) {
	mark, rest, ok := cutMark(s.spans)
	if p.first >= 0 || !ok {
		if n := len(s.typed); n > 0 && p.first == 0 && p.left > 0 {
			for i := n - 1; i >= 0; i-- {
				if s.typed[i] == p.left {
					return flow.Para{Form: flow.More, Level: i, Spans: untabbed(s.spans)}, true
				}
			}
		}
		return flow.Para{}, false
	}
	for len(s.typed) > 0 && s.typed[len(s.typed)-1] > p.left {
		s.typed = s.typed[:len(s.typed)-1]
	}
	if n := len(s.typed); n == 0 || s.typed[n-1] < p.left {
		s.typed = append(s.typed, p.left)
	}
	out := flow.Para{Form: flow.Item, Level: len(s.typed) - 1, List: "typed", Spans: untabbed(rest)}
	if number, err := strconv.Atoi(strings.Trim(mark, ".()")); err == nil && number > 0 {
		out.Ordered, out.Number = true, number
	} else if isLetterMark(mark) {
		out.Ordered = true
	}
	return out, true
}

// cutMark takes the mark of a list item off the front of a paragraph.
func cutMark(spans []flow.Span) (mark string, rest []flow.Span, ok bool) {
	full := flow.PlainText(spans)
	mark, _, found := strings.Cut(full, "\t")
	mark = strings.TrimSpace(mark)
	if !found || mark == "" || len(mark) > 8 {
		return "", nil, false
	}
	number := strings.Trim(mark, ".()")
	_, err := strconv.Atoi(number)
	if !strings.Contains("•·▪◦–—-*o§", mark) && (err != nil || number == mark) && !isLetterMark(mark) {
		return "", nil, false
	}
	drop := strings.IndexByte(full, '\t') + 1
	for i, s := range spans {
		if drop < len(s.Text) {
			s.Text = s.Text[drop:]
			return mark, append([]flow.Span{s}, spans[i+1:]...), true
		}
		drop -= len(s.Text)
	}
	return mark, nil, true
}

// isLetterMark knows marks such as "a.", "(iv)" and "B)".
func isLetterMark(mark string) bool {
	inner := strings.Trim(mark, ".()")
	if inner == mark || inner == "" {
		return false
	}
	return len(inner) == 1 && isLetter(inner[0]) || strings.Trim(strings.ToLower(inner), "ivxlcdm") == ""
}

func untabbed(spans []flow.Span) []flow.Span {
	for i := range spans {
		spans[i].Text = strings.ReplaceAll(spans[i].Text, "\t", " ")
	}
	return spans
}

func withoutBold(spans []flow.Span) []flow.Span {
	for i := range spans {
		spans[i].Marks &^= flow.Bold
	}
	return untabbed(spans)
}
