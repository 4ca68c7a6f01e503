package ppt

import (
	"strings"
	"unicode/utf16"

	"github.com/trawlhq/trawl/internal/document/flow"
)

// Kinds of text.
const (
	textTitle       = 0
	textBody        = 1
	textNotes       = 2
	textOther       = 4
	textCenterBody  = 5
	textCenterTitle = 6
	textHalfBody    = 7
	textQuarterBody = 8
)

// text is a text with how it is set. Paragraphs end with a carriage return.
type text struct {
	kind    int
	known   bool
	chars   string
	paras   []paraRun
	spans   []charRun
	numbers []numbering
	links   []linkRun // in the order of the text
}

func (t text) isTitle() bool { return t.known && (t.kind == textTitle || t.kind == textCenterTitle) }

// bulleted tells whether paragraphs of this kind have bullets unless they say
// otherwise, which is how masters are made.
func (t text) bulleted() bool {
	return t.kind == textBody || t.kind == textHalfBody || t.kind == textQuarterBody
}

// textReader puts texts together from the records that follow each other.
type textReader struct {
	links map[uint32]string // addresses by their number
	list  []text
	href  string // that the stretch named next leads to
}

func (r *textReader) add(rec record) {
	if rec.kind == recTextHeader && len(rec.data) >= 4 {
		r.list = append(r.list, text{kind: int(le.Uint32(rec.data)), known: true})
		return
	}
	if len(r.list) == 0 {
		return
	}
	t := &r.list[len(r.list)-1]
	switch rec.kind {
	case recChars:
		t.chars = wide(rec.data)
	case recBytes:
		units := make([]uint16, len(rec.data))
		for i, b := range rec.data {
			units[i] = uint16(b)
		}
		t.chars = string(utf16.Decode(units))
	case recStyle:
		t.readStyle(rec.data)
	case recClick:
		id, ok := click(rec)
		if r.href = ""; ok {
			r.href = r.links[id]
		}
	case recClickText:
		if len(rec.data) >= 8 && r.href != "" && len(t.links) < maxTextLinks {
			from, to := int(le.Uint32(rec.data)), int(le.Uint32(rec.data[4:]))
			t.links = append(t.links, linkRun{from, to, r.href})
		}
		r.href = ""
	}
}

func (r *textReader) finish() []text { return r.list }

func wide(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = le.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}

// write writes the paragraphs of a text.
func (t text) write(w *flow.Writer) {
	units := utf16.Encode([]rune(t.chars))
	counts := map[int]int{}
	para, span := 0, 0 // runs that the last paragraph was in
	for at := 0; at < len(units); {
		end := at
		for end < len(units) && units[end] != '\r' {
			end++
		}
		for para < len(t.paras) && t.paras[para].to <= at {
			para++
		}
		for span < len(t.spans) && t.spans[span].to <= at {
			span++
		}
		p := t.para(para, span, counts)
		p.Spans = t.spansOf(units, at, end, t.spans[span:])
		if len(strings.TrimSpace(flow.PlainText(p.Spans))) > 0 {
			w.Para(p)
		}
		at = end + 1
	}
}

// para decides what a paragraph in some runs is.
func (t text) para(para, span int, counts map[int]int) flow.Para {
	var run paraRun
	if para < len(t.paras) {
		run = t.paras[para]
	}
	shown := t.bulleted()
	if run.hasBullet {
		shown = run.bullet
	}
	if !shown && run.level > 0 { // it goes on with the item above
		return flow.Para{Form: flow.More, Level: min(run.level, 8) - 1}
	}
	if !shown {
		clear(counts)
		return flow.Para{}
	}
	p := flow.Para{Form: flow.Item, Level: min(run.level, 8), List: "list"}
	if n, ok := t.numbering(span); ok {
		p.Ordered = true
		last, counted := counts[p.Level]
		if !counted {
			last = n.start - 1
		}
		counts[p.Level] = last + 1
		p.Number = last + 1
		for deeper := range counts {
			if deeper > p.Level {
				delete(counts, deeper)
			}
		}
	}
	return p
}

// numbering gives the number before a paragraph that begins in a run of
// characters, if it has one.
func (t text) numbering(span int) (numbering, bool) {
	if span >= len(t.spans) || t.spans[span].number >= len(t.numbers) {
		return numbering{}, false
	}
	n := t.numbers[t.spans[span].number]
	return n, n.shown
}

// spansOf cuts the text of a paragraph where the runs of characters change. The
// runs given begin with the one that the paragraph begins in.
func (t text) spansOf(units []uint16, from, to int, runs []charRun) []flow.Span {
	var spans []flow.Span
	add := func(from, to int, marks flow.Mark) {
		for from < to {
			href, end := t.cut(from, to)
			s := strings.Map(clean, string(utf16.Decode(units[from:end])))
			spans = append(spans, flow.Span{Text: s, Marks: marks, Href: href})
			from = end
		}
	}
	at := from
	for _, r := range runs {
		if r.from >= to {
			break
		}
		add(at, min(r.to, to), r.marks)
		at = min(max(r.to, at), to)
	}
	add(at, to, 0)
	return spans
}

// clean turns the signs for line breaks into newlines and drops others that
// stand for what is not text.
func clean(c rune) rune {
	switch {
	case c == '\v':
		return '\n'
	case c == '\t':
		return ' '
	case c < ' ':
		return -1
	}
	return c
}
