package htmltree

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// place is where a character reference stands: the rules differ.
type place bool

const (
	inText      place = false
	inAttribute place = true
)

// unescaped is a piece of the page with its character references resolved.
func (s *scanner) unescaped(start, end int) string {
	if !s.holdsAmp(start, end) {
		return s.src[start:end]
	}
	return s.references.unescape(s.src[start:end], inText)
}

// unescapedVisible is unescaped where NULs become visible, too.
func (s *scanner) unescapedVisible(start, end int) string {
	if !s.nul {
		return s.unescaped(start, end)
	}
	return s.references.unescape(replaceNUL(s.src[start:end]), inText)
}

// holdsAmp reports whether a piece of the page holds a '&'. Pieces are asked
// after in the order of the page, so it is searched for them once.
func (s *scanner) holdsAmp(start, end int) bool {
	if s.amp < start {
		s.amp = len(s.src)
		if i := strings.IndexByte(s.src[start:], '&'); i >= 0 {
			s.amp = start + i
		}
	}
	return s.amp < end
}

// references resolves character references such as "&amp;" and "&#8217;".
//
// Which names exist and what they stand for is asked of x/net, whose table is
// not exported: its UnescapeString is given one reference alone. What it said
// is remembered for the rest of the page.
type references struct {
	known map[string]string
	out   strings.Builder // the strings made so far lie in it one after the other
}

const (
	longestName     = 40 // the longest name has 32 bytes with its '&' and ';'
	mostKnown       = 512
	unescapedAtOnce = 4096
)

// unescape resolves all references of a text.
func (r *references) unescape(s string, at place) string {
	i := strings.IndexByte(s, '&')
	if i < 0 {
		return s
	}
	// A reference can be shorter than what it stands for, though hardly ever:
	// then the builder grows by copying, and what was taken from it stays valid.
	if r.out.Cap()-r.out.Len() < len(s) {
		r.out = strings.Builder{}
		r.out.Grow(max(len(s), unescapedAtOnce))
	}
	start := r.out.Len()
	for i >= 0 {
		r.out.WriteString(s[:i])
		s = s[i+r.resolve(s[i:], at):]
		i = strings.IndexByte(s, '&')
	}
	r.out.WriteString(s)
	return r.out.String()[start:]
}

// resolve writes what the reference at the start of s stands for and says how
// long it was. A '&' that begins none stands for itself.
func (r *references) resolve(s string, at place) int {
	if len(s) > 1 && s[1] == '#' {
		return r.resolveNumber(s)
	}
	end := 1
	for end < len(s) && isAlphanumeric(s[end]) {
		end++
	}
	if end < len(s) && s[end] == ';' {
		end++
	}
	name := s[:end]
	if at == inText {
		r.out.WriteString(r.ask(name))
		return end
	}
	meaning := name
	if name[end-1] == ';' || end == len(s) || s[end] != '=' {
		if asked := r.ask(name); isWhole(name, asked) {
			meaning = asked
		}
	}
	r.out.WriteString(meaning)
	return end
}

// isWhole reports whether all of a name was resolved, and not only a beginning
// of it, which in an attribute does not count. What is left over of a name is
// its last byte at least.
func isWhole(name, meaning string) bool {
	if name[len(name)-1] == ';' {
		return meaning == ";" || !strings.HasSuffix(meaning, ";")
	}
	return len(name) > 1 && utf8.RuneCountInString(meaning) == 1
}

// resolveNumber does so for references like "&#39;" and "&#x27;". Numbers that
// stand for something else than the character of that number are rare.
func (r *references) resolveNumber(s string) int {
	end, base := len("&#"), rune(10)
	if end < len(s) && s[end]|0x20 == 'x' {
		end, base = end+1, 16
	}
	digits, c := end, rune(0)
	for end < len(s) {
		d := digit(s[end])
		if d >= base {
			break
		}
		if c <= utf8.MaxRune {
			c = c*base + d
		}
		end++
	}
	if end == digits {
		r.out.WriteByte('&')
		return 1
	}
	if end < len(s) && s[end] == ';' {
		end++
	}
	if c == 0 || 0x80 <= c && c < 0xa0 || !utf8.ValidRune(c) {
		r.out.WriteString(r.ask(s[:end]))
	} else {
		r.out.WriteRune(c)
	}
	return end
}

// ask gives what a reference in a text is resolved to.
func (r *references) ask(reference string) string {
	if len(reference) > longestName {
		return html.UnescapeString(reference)
	}
	if meaning, ok := r.known[reference]; ok {
		return meaning
	}
	meaning := html.UnescapeString(reference)
	if r.known == nil {
		r.known = make(map[string]string)
	}
	if len(r.known) < mostKnown {
		r.known[reference] = meaning
	}
	return meaning
}

func isAlphanumeric(c byte) bool {
	return charKinds[c]&letter != 0 || '0' <= c && c <= '9'
}

// digit is the value of a digit up to 'f'; of other bytes a value past that.
func digit(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return 16
}
