package htmltree

import (
	"bytes"
	"strings"

	"golang.org/x/net/html/atom"
)

// scanner reads tokens off the page.
type scanner struct {
	src string // the whole page, its line ends unified
	pos int    // where the next token begins
	tok token

	nul bool // somewhere on the page is a NUL
	amp int  // the first '&' behind what was asked after, or the end

	raw     string // the element whose end tag ends the text that comes next, if that text is raw
	plain   bool   // all that follows is text
	cdataOK bool   // the current node is foreign: CDATA sections count

	attributes attributeSlab
	keys       map[string]bool // those of a tag, once they are many
	references references
}

func newScanner(body []byte) scanner {
	return scanner{src: unifyLines(body), nul: bytes.IndexByte(body, 0) >= 0, amp: -1}
}

// unifyLines makes a string of the page in which lines end with LF alone.
func unifyLines(body []byte) string {
	i := bytes.IndexByte(body, '\r')
	if i < 0 {
		return string(body)
	}
	var b strings.Builder
	b.Grow(len(body))
	for i >= 0 {
		b.Write(body[:i])
		b.WriteByte('\n')
		body = bytes.TrimPrefix(body[i+1:], []byte{'\n'})
		i = bytes.IndexByte(body, '\r')
	}
	b.Write(body)
	return b.String()
}

// next reads the next token. Text ends where markup may begin; a '<' that
// begins none is part of the text.
func (s *scanner) next() {
	if (s.raw != "" || s.plain) && s.nextRaw() {
		return
	}
	start := s.pos
	for i := start; ; i++ {
		j := strings.IndexByte(s.src[i:], '<')
		if j < 0 || i+j+1 == len(s.src) {
			s.takeText(start, len(s.src))
			return
		}
		i += j
		if charKinds[s.src[i+1]]&opens == 0 {
			continue
		}
		if i > start {
			s.takeText(start, i)
		} else {
			s.markup(i)
		}
		return
	}
}

// takeText makes a text token of a piece of the page.
func (s *scanner) takeText(start, end int) {
	s.pos = end
	if start == end {
		s.tok.kind = endOfPage
		return
	}
	s.tok.kind = text
	s.tok.text = s.unescaped(start, end)
}

// markup reads what the '<' at i begins.
func (s *scanner) markup(i int) {
	switch s.src[i+1] {
	case '/':
		s.closing(i + len("</"))
	case '!':
		s.declaration(i + len("<!"))
	case '?':
		s.bogusComment(i + len("<"))
	default:
		s.startTag(i + len("<"))
	}
}

// startTag reads a start tag whose name begins at i. One that the page ends in
// does not count.
func (s *scanner) startTag(i int) {
	s.tok.kind = startTag
	i = s.tagName(i)
	if i < len(s.src) && s.src[i] == '>' {
		s.tok.attributes, s.tok.selfClosing = nil, false
		s.pos = i + 1
	} else if !s.readAttributes(i) {
		s.end()
		return
	}
	if s.tok.tag.class&rawText != 0 {
		s.enterRaw(s.tok.atom)
	}
}

// closing reads what "</" began: an end tag, or a comment that looks like one.
func (s *scanner) closing(i int) {
	if i == len(s.src) {
		s.takeText(i-len("</"), i)
		return
	}
	c := s.src[i]
	if c == '>' {
		s.tok.kind, s.tok.text = comment, ""
		s.pos = i + 1
		return
	}
	if charKinds[c]&letter == 0 {
		s.bogusComment(i)
		return
	}
	s.tok.kind = endTag
	i = s.tagName(i)
	if i < len(s.src) && s.src[i] == '>' {
		s.pos = i + 1
	} else if !s.skipAttributes(i) {
		s.end()
	}
}

// end is where a tag was begun and not finished.
func (s *scanner) end() {
	s.tok.kind = endOfPage
	s.pos = len(s.src)
}

// tagName reads the name that begins at i and finds the rules for it.
func (s *scanner) tagName(i int) int {
	start, hash, seen := i, uint32(hashSeed), charKind(0)
	for ; i < len(s.src); i++ {
		c := s.src[i]
		k := charKinds[c]
		if k&endsName != 0 {
			break
		}
		seen |= k
		hash = hashStep(hash, c)
	}
	name := s.src[start:i]
	s.tok.selfClosing = false
	s.tok.attributes = nil
	if t := findTag(name, hash); t != nil {
		s.tok.tag, s.tok.atom, s.tok.name = t, t.atom, t.name
		return i
	}
	if seen&irregular != 0 {
		name = regular(name)
	}
	s.tok.tag, s.tok.atom, s.tok.name = &ordinary, 0, name
	if len(name) <= longestAtom {
		s.tok.atom = atom.Lookup([]byte(name))
	}
	return i
}
