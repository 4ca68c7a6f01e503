package htmldoc

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// collapse trims s and makes one space of every run of white space.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

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
