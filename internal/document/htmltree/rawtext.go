package htmltree

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// enterRaw has what follows the start tag of a raw element read as text up to
// its end tag.
func (s *scanner) enterRaw(name atom.Atom) {
	if name == atom.Plaintext {
		s.plain = true
		return
	}
	s.raw = name.String()
}

// enterRawFragment does so for a fragment of such an element, in which an end
// tag ends nothing. Only in the escapable ones it ends the raw text.
func (s *scanner) enterRawFragment(name atom.Atom) {
	switch {
	case name == atom.Title || name == atom.Textarea:
		s.raw = name.String()
	case tagOf(name).class&rawText != 0:
		s.plain = true
	}
}

// leaveRaw is for elements of SVG that share a name with a raw one.
func (s *scanner) leaveRaw() {
	s.raw, s.plain = "", false
}

// nextRaw reads the text of a raw element. It reports false if there is none.
func (s *scanner) nextRaw() bool {
	start, end := s.pos, len(s.src)
	escapable := s.raw == "title" || s.raw == "textarea"
	switch {
	case s.plain:
	case s.raw == "script":
		end = scriptEnd(s.src, start)
	default:
		end = rawEnd(s.src, start, s.raw)
	}
	s.leaveRaw()
	if start == end {
		return false
	}
	s.pos = end
	s.tok.kind = text
	switch {
	case escapable:
		s.tok.text = s.unescapedVisible(start, end)
	case s.nul:
		s.tok.text = replaceNUL(s.src[start:end])
	default:
		s.tok.text = s.src[start:end]
	}
	return true
}

// rawEnd is where the end tag of an element begins, or the end of the page.
func rawEnd(src string, i int, name string) int {
	for {
		j := strings.Index(src[i:], "</")
		if j < 0 {
			return len(src)
		}
		i += j
		if isEndTag(src[i+len("</"):], name) {
			return i
		}
		i += len("</")
	}
}

// isEndTag reports whether the text goes on with that name and then something
// that ends a name.
func isEndTag(s, name string) bool {
	return len(s) > len(name) && charKinds[s[len(name)]]&endsName != 0 && lowersTo(s[:len(name)], name)
}

// lowersTo compares without regard to ASCII capitals. It is not strings.EqualFold,
// to which the long s of old print is a letter of <script>.
func lowersTo(s, name string) bool {
	for i := range len(name) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != name[i] {
			return false
		}
	}
	return true
}
