package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// inline gathers a run of inline content: white space collapsed, marks placed,
// text escaped except for what only matters where a line begins (see finish).
type inline struct {
	buf     []byte
	space   bool   // white space is owed before the next text
	heading bool   // a heading: it has one line
	cell    bool   // a table cell: it has one line, and "|" ends it
	label   int    // depth of link texts, where brackets must be escaped
	marks   []mark // emphasis that is open
	ended   ending // the mark closed last, to join it with an equal neighbour
}

type mark struct {
	kind emphasis
	at   int // where its text begins
}

type ending struct {
	kind  emphasis
	delim string
	at    int // length of buf just after it
}

type emphasis byte

const (
	plain emphasis = iota
	strong
	em
	strike
)

// hardBreak stands before the line feed of a <br>.
const hardBreak = "  "

func (r *inline) reset() {
	r.buf, r.space, r.marks, r.ended = r.buf[:0], false, r.marks[:0], ending{}
}

func (r *inline) empty() bool { return len(r.buf) == 0 }

// text appends text as the page shows it.
func (r *inline) text(s string) {
	for i := 0; i < len(s); {
		ch := s[i]
		if isSpace(ch) {
			r.space = true
			i++
			continue
		}
		j := i + 1
		for j < len(s) && !isSpace(s[j]) {
			j++
		}
		r.owedSpace()
		r.buf = r.escape(r.buf, s, i, j)
		i = j
	}
}

// raw appends bytes that are Markdown already.
func (r *inline) raw(s string) {
	r.owedSpace()
	r.buf = append(r.buf, s...)
}

// owedSpace writes the white space met before, unless a line begins here or
// there is some already.
func (r *inline) owedSpace() {
	if r.space && !r.atLineStart() && r.buf[len(r.buf)-1] != ' ' {
		r.buf = append(r.buf, ' ')
	}
	r.space = false
}

func (r *inline) atLineStart() bool {
	return len(r.buf) == 0 || r.buf[len(r.buf)-1] == '\n'
}

// lineBreak writes a <br>.
func (r *inline) lineBreak() {
	switch {
	case r.heading || len(r.marks) > 0 && r.marks[len(r.marks)-1].at == len(r.buf):
		r.space = true
	case r.cell:
		if len(r.buf) > 0 {
			r.buf = append(r.buf, "<br>"...)
		}
		r.space = false
	case len(r.buf) > 0:
		r.buf = append(r.buf, hardBreak+"\n"...)
		r.space = false
	}
}

// open begins emphasis. Its delimiter is written by close, when it is known
// whether there is text to emphasise.
func (r *inline) open(kind emphasis) {
	if r.has(kind) && kind != em {
		kind = plain
	}
	r.owedSpace()
	r.marks = append(r.marks, mark{kind, len(r.buf)})
}

// has reports whether emphasis of this kind is open.
func (r *inline) has(kind emphasis) bool {
	for _, m := range r.marks {
		if m.kind == kind {
			return true
		}
	}
	return false
}

// close ends the emphasis opened last. White space at either end of its text
// moves outside, because a mark beside white space is none.
func (r *inline) close(n *html.Node) {
	m := r.marks[len(r.marks)-1]
	r.marks = r.marks[:len(r.marks)-1]
	m.at += r.trimMarked(m.at)
	if m.kind == plain || len(r.buf) == m.at {
		return
	}
	if r.ended.kind == m.kind && r.ended.at == m.at {
		r.join(m)
		return
	}
	delim := r.delimiter(m, nextRune(n, r.space))
	if delim == "" {
		return
	}
	r.buf = append(r.buf, delim...)
	copy(r.buf[m.at+len(delim):], r.buf[m.at:len(r.buf)-len(delim)])
	copy(r.buf[m.at:], delim)
	r.buf = append(r.buf, delim...)
	r.ended = ending{m.kind, delim, len(r.buf)}
}

// trimMarked cuts white space off the end of the text from at on, to be written
// after the mark, and tells how much of it stands at the beginning.
func (r *inline) trimMarked(at int) (leading int) {
	end := len(bytes.TrimRightFunc(r.buf[at:], unicode.IsSpace))
	if end < len(r.buf)-at {
		r.buf = r.buf[:at+end]
		r.space = true
	}
	return end - len(bytes.TrimLeftFunc(r.buf[at:], unicode.IsSpace))
}

// join merges text marked as the text directly before it: **a****b** is no
// emphasis to a reader of Markdown, **ab** is.
func (r *inline) join(m mark) {
	delim := r.ended.delim
	text := string(r.buf[m.at:])
	r.buf = append(r.buf[:m.at-len(delim)], text...)
	r.buf = append(r.buf, delim...)
	r.ended.at = len(r.buf)
}

// delimiter chooses the mark for the text from m.at on, or "" where no mark
// would be read as one because of the characters around it.
func (r *inline) delimiter(m mark, next rune) string {
	first, _ := utf8.DecodeRune(r.buf[m.at:])
	last, _ := utf8.DecodeLastRune(r.buf)
	prev, _ := utf8.DecodeLastRune(r.buf[:m.at])
	if m.at == 0 {
		prev = ' '
	}
	if isPunct(first) && !isGap(prev) && !r.marksOnly(m.at) || isPunct(last) && !isGap(next) {
		if m.kind != strike {
			return ""
		}
	}
	switch m.kind {
	case strong:
		return "**"
	case strike:
		return "~~"
	}
	if r.emNeedsUnderscore(m) && !isWord(prev) && !isWord(next) {
		return "_"
	}
	return "*"
}

// marksOnly reports whether only delimiters that are still to be written stand
// between the beginning of the run and at.
func (r *inline) marksOnly(at int) bool {
	for _, m := range r.marks {
		if m.at == at {
			prev, _ := utf8.DecodeLastRune(r.buf[:at])
			return at == 0 || isGap(prev)
		}
	}
	return false
}

// emNeedsUnderscore reports whether a star would run together with the star of
// the emphasis around or inside it.
func (r *inline) emNeedsUnderscore(m mark) bool {
	for _, outer := range r.marks {
		if outer.kind == em || outer.kind == strong && outer.at == m.at {
			return true
		}
	}
	return false
}

// finish gives the run with the escapes that matter at the beginning of lines.
func (r *inline) finish() string {
	text := strings.TrimRight(string(r.buf), " \n")
	if r.heading || r.cell {
		return text
	}
	if !strings.Contains(text, "\n") {
		return escapeLineStart(text)
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = escapeLineStart(line)
	}
	return strings.Join(lines, "\n")
}

// nextRune is the character that will follow n: what a closing mark meets.
func nextRune(n *html.Node, space bool) rune {
	if space {
		return ' '
	}
	for n != nil && (n.Type != html.ElementNode || !isBlock(n)) {
		for s := n.NextSibling; s != nil; s = s.NextSibling {
			if isElement(s) && (s.DataAtom == atom.Br || isBlock(s)) {
				return ' '
			}
			if isElement(s) && (s.DataAtom == atom.Img || s.DataAtom == atom.A) {
				return '['
			}
			for _, ch := range textOf(s) {
				return ch
			}
		}
		n = n.Parent
	}
	return ' '
}

func isSpace(ch byte) bool { return ch == ' ' || ch == '\n' || ch == '\t' || ch == '\r' || ch == '\f' }
func isGap(ch rune) bool   { return unicode.IsSpace(ch) || isPunct(ch) }
func isPunct(ch rune) bool { return unicode.IsPunct(ch) || unicode.IsSymbol(ch) }
func isWord(ch rune) bool  { return !isGap(ch) }
