// Package field reads the instructions of fields, which Word files, RTF and the
// older binary format write alike.
package field

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hyperlink reads the address out of a HYPERLINK instruction; other
// instructions give "".
func Hyperlink(instr string) string {
	rest, ok := cutWord(instr, "HYPERLINK")
	if !ok {
		return ""
	}
	href, anchor := "", ""
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		var word string
		word, rest = nextWord(rest)
		switch word {
		case `\l`:
			anchor, rest = nextWord(strings.TrimSpace(rest))
		case `\o`, `\t`:
			_, rest = nextWord(strings.TrimSpace(rest))
		case `\m`, `\n`:
		default:
			if href == "" {
				href = word
			}
		}
	}
	if anchor != "" {
		href += "#" + anchor
	}
	return href
}

func cutWord(s, word string) (rest string, ok bool) {
	s = strings.TrimSpace(s)
	if len(s) < len(word) || !strings.EqualFold(s[:len(word)], word) {
		return "", false
	}
	rest = s[len(word):]
	if r, _ := utf8.DecodeRuneInString(rest); unicode.IsLetter(r) {
		return "", false // another word
	}
	return rest, true
}

// nextWord takes one word or one quoted text off the front.
func nextWord(s string) (word, rest string) {
	if s == "" {
		return "", ""
	}
	if s[0] == '"' {
		word, rest, _ = strings.Cut(s[1:], `"`)
		return word, rest
	}
	if i := strings.IndexAny(s, " \t\""); i > 0 {
		return s[:i], s[i:]
	}
	return s, ""
}
