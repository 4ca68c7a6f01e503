package htmldoc

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// collapse trims s and makes one space of every run of white space.
func collapse(s string) string {
	if isCollapsed(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for word := range strings.FieldsSeq(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}

// isCollapsed reports whether collapse has nothing to do. Only plain ASCII is
// looked at: anything else may hold white space of another kind.
func isCollapsed(s string) bool {
	space := true // as if one stood before the text
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ' ' && space, c < ' ', c >= utf8.RuneSelf:
			return false
		default:
			space = c == ' '
		}
	}
	return !space || s == ""
}

// fingerprint is the same for the same text below two elements, however it is
// laid out, and hardly ever for two texts (FNV-1a of 64 bits).
func fingerprint(n *html.Node) uint64 {
	hash := uint64(14695981039346656037)
	for d := range n.Descendants() {
		if d.Type != html.TextNode {
			continue
		}
		for i := 0; i < len(d.Data); i++ {
			if c := d.Data[i]; c > ' ' {
				hash = (hash ^ uint64(c)) * 1099511628211
			}
		}
	}
	return hash
}

// textOf joins the text below n.
func textOf(n *html.Node) string {
	if c := n.FirstChild; c != nil && c == n.LastChild && c.Type == html.TextNode {
		return c.Data
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func isBlank(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ', '\n', '\t', '\r', '\f':
		case 0xC2: // no-break space
			if i+1 < len(s) && s[i+1] == 0xA0 {
				i++
				continue
			}
			return false
		default:
			return false
		}
	}
	return true
}

// measure counts the characters of a text that are no white space, and the
// marks that end or part sentences. Characters of scripts that write a word
// with one or two of them count double, so that lengths compare.
func measure(s string) (chars, stops int) {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			if c > ' ' {
				chars++
				if c == ',' || c == '.' || c == ';' || c == '!' || c == '?' {
					stops++
				}
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case r == 0xA0 || r >= 0x2000 && r <= 0x200D:
		case r >= 0x2E80 && r < 0xFB00 || r >= 0x20000:
			chars += 2
			if r == '。' || r == '，' || r == '、' {
				stops++
			}
		default:
			chars++
			if r == '،' || r == '।' || r == '۔' || r == '！' || r == '？' {
				stops++
			}
		}
	}
	return chars, stops
}
