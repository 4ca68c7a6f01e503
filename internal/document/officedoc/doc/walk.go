package doc

import (
	"sort"
	"strings"
	"unicode/utf16"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/officedoc/field"
)

// Characters with a meaning of their own.
const (
	charPicture    = 0x01
	charNote       = 0x02
	charComment    = 0x05
	charCell       = 0x07
	charDrawing    = 0x08
	charTab        = 0x09
	charLine       = 0x0B
	charPage       = 0x0C
	charParagraph  = 0x0D
	charColumn     = 0x0E
	charFieldStart = 0x13
	charFieldSep   = 0x14
	charFieldEnd   = 0x15
	charHyphen     = 0x1E
	charSoftHyphen = 0x1F
)

// walker writes one stretch of the text: the document, a note, the text boxes.
type walker struct {
	*reader
	text   *flow.Nesting
	spans  []flow.Span
	units  []uint16 // characters of the span that is being gathered
	props  charProps
	run    int // the stretch of properties that the last character was in
	mono   bool
	named  bool // some text is code by a character style, which means code within a sentence
	fields []openField
}

const maxInstruction = 8192 // bytes

type openField struct {
	instruction string
	result      bool
}

func newWalker(r *reader) *walker {
	return &walker{reader: r, text: flow.NewNesting(), run: -1, props: charProps{font: -1}}
}

func (w *walker) finish() []*html.Node {
	w.endParagraph(paraProps{outline: -1})
	return w.text.Nodes()
}

// walk reads the text between two places.
func (w *walker) walk(from, to int) error {
	return w.each(from, to, func(place int, c uint16, offset int64) error {
		if place&0xFFF == 0 && w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		w.setProps(offset)
		w.char(place, c, offset)
		return nil
	})
}

// setProps finds the properties of the character at an offset. Neighbours share
// them, so most of the time there is nothing to do.
func (w *walker) setProps(offset int64) {
	if w.run >= 0 && w.run < len(w.chars) && offset >= w.chars[w.run].from && offset < w.chars[w.run].to {
		return
	}
	w.flush()
	w.run = sort.Search(len(w.chars), func(i int) bool { return w.chars[i].from > offset }) - 1
	w.props, w.mono = charProps{font: -1}, false
	if w.run < 0 || offset >= w.chars[w.run].to {
		return
	}
	list := w.chars[w.run].list
	base := charProps{font: -1}
	eachSprm(list, func(code int, v []byte) {
		if code == sprmCharStyle {
			if s := w.style(int(le.Uint16(v))); s != nil {
				base, w.mono = s.chars, s.mono
				w.named = w.named || s.mono
			}
		}
	})
	w.props = base
	w.props.apply(list, base)
	if f := w.props.font; f >= 0 && f < len(w.fonts) && flow.IsMono(w.fonts[f]) {
		w.mono = true
	}
}

// char reads one character.
func (w *walker) char(place int, c uint16, offset int64) {
	switch c {
	case charParagraph, charCell, charPage:
		w.flush()
		w.mark(c, offset)
	case charFieldStart:
		w.flush()
		w.fields = append(w.fields, openField{})
	case charFieldSep:
		w.flush()
		if n := len(w.fields); n > 0 {
			w.fields[n-1].result = true
		}
	case charFieldEnd:
		w.flush()
		w.endField()
	case charNote:
		w.flush()
		w.note(place)
	case charPicture, charDrawing:
		w.flush()
		if w.props.special && c == charPicture && !w.props.hidden {
			w.add(flow.Span{Node: flow.Image("picture", "")})
		}
	case charLine:
		w.units = append(w.units, '\n')
	case charColumn, charComment, charSoftHyphen:
	case charHyphen:
		w.units = append(w.units, 0x2011)
	default:
		w.visible(c)
	}
}

// endField leaves a field. One without a result may show something all the same.
func (w *walker) endField() {
	n := len(w.fields)
	if n == 0 {
		return
	}
	ended := w.fields[n-1]
	w.fields = w.fields[:n-1]
	if text := field.Ruby(ended.instruction); text != "" && !ended.result {
		w.add(flow.Span{Text: text, Marks: w.props.marks})
	}
}

func (w *walker) visible(c uint16) {
	if c < ' ' && c != charTab {
		return
	}
	if w.props.symbol != 0 && w.props.special {
		font := ""
		if w.props.symFont < len(w.fonts) {
			font = w.fonts[w.props.symFont]
		}
		w.units = append(w.units, utf16.Encode([]rune(flow.Symbol(font, w.props.symbol)))...)
		return
	}
	w.units = append(w.units, c)
}

// flush ends the span that is being gathered.
func (w *walker) flush() {
	if len(w.units) == 0 {
		return
	}
	s := string(utf16.Decode(w.units))
	w.units = w.units[:0]
	if n := len(w.fields); n > 0 && !w.fields[n-1].result {
		if len(w.fields[n-1].instruction) < maxInstruction {
			w.fields[n-1].instruction += s
		}
		return
	}
	if w.props.hidden || w.props.deleted {
		return
	}
	span := flow.Span{Text: s, Marks: w.props.marks}
	if w.mono {
		span.Marks |= flow.Mono
	}
	w.add(span)
}

// add adds a span, unless it belongs to the instruction of a field.
func (w *walker) add(s flow.Span) {
	for i := len(w.fields) - 1; i >= 0; i-- {
		if !w.fields[i].result {
			return
		}
		if s.Href == "" {
			s.Href = field.Hyperlink(w.fields[i].instruction)
		}
	}
	w.spans = append(w.spans, s)
}

// mark ends a paragraph, a cell or a row.
func (w *walker) mark(c uint16, offset int64) {
	p := w.paraAt(offset)
	depth := p.depth
	if p.inTable && depth == 0 {
		depth = 1
	}
	if !p.inTable {
		depth = 0
	}
	p.depth = depth
	switch {
	case c == charCell && p.rowEnd:
		w.spans = nil
		w.text.EndRow(1, p.row)
	case p.innerRow && depth > 1:
		w.spans = nil
		w.text.EndRow(depth, p.row)
	case c == charCell || p.innerCell && depth > 1:
		w.endParagraph(p)
		w.text.EndCell(max(depth, 1))
	default:
		w.endParagraph(p)
	}
}

// endParagraph writes the paragraph that was gathered.
func (w *walker) endParagraph(p paraProps) {
	w.flush()
	spans, named := w.spans, w.named
	w.spans, w.named = nil, false
	s := w.style(p.style)
	if s == nil {
		s = &style{}
	}
	if len(spans) == 0 && !s.code {
		return
	}
	out := w.form(p, s, !named && flow.AllMono(spans))
	out.Spans = spans
	if out.Form != flow.Code {
		for i := range spans {
			spans[i].Text = strings.ReplaceAll(spans[i].Text, "\t", " ")
			if out.Form == flow.Heading {
				spans[i].Marks &^= flow.Bold
			}
			if s.mono {
				spans[i].Marks &^= flow.Mono
			}
		}
	}
	w.text.Writer(p.depth).Para(out)
}

func (w *walker) form(p paraProps, s *style, pasted bool) flow.Para {
	level := s.heading
	if p.outline >= 0 && p.outline < 9 {
		level = min(p.outline+1, 6)
	}
	if level > 0 {
		return flow.Para{Form: flow.Heading, Level: level}
	}
	if out, ok := w.lists.item(p); ok {
		return out
	}
	switch {
	case s.code || !s.mono && pasted:
		return flow.Para{Form: flow.Code}
	case s.quote:
		return flow.Para{Form: flow.Quote}
	}
	return flow.Para{}
}
