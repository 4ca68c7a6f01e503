package htmltree

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// charKind says what a byte means to the scanner.
type charKind uint8

const (
	space     charKind = 1 << iota // white space, as the standard counts it
	endsName                       // ends the name of a tag: space, '/' and '>'
	endsKey                        // ends an attribute's key: as above and '='
	irregular                      // A to Z and NUL, which names do not keep
	letter                         // A to Z and a to z
	opens                          // makes a '<' before it the start of markup: letters, '/', '!' and '?'
)

var charKinds = func() (kinds [256]charKind) {
	for _, c := range " \t\n\f\r" {
		kinds[c] = space | endsName | endsKey
	}
	kinds['/'] = endsName | endsKey | opens
	kinds['>'] = endsName | endsKey
	kinds['='] = endsKey
	kinds['!'], kinds['?'] = opens, opens
	for c := 'a'; c <= 'z'; c++ {
		kinds[c] = letter | opens
		kinds[c-'a'+'A'] = letter | opens | irregular
	}
	kinds[0] = irregular
	return kinds
}()

// skipSpace is the first place from i on that holds no white space.
func skipSpace(s string, i int) int {
	for i < len(s) && charKinds[s[i]]&space != 0 {
		i++
	}
	return i
}

// leadingSpace is the length of the white space a text begins with.
func leadingSpace(s string) int {
	for i := range len(s) {
		if charKinds[s[i]]&space == 0 {
			return i
		}
	}
	return len(s)
}

// onlySpace keeps the white space of a text.
func onlySpace(s string) string {
	return strings.Map(func(c rune) rune {
		if c < 0x80 && charKinds[byte(c)]&space != 0 {
			return c
		}
		return -1
	}, s)
}

// regular is a name with its capitals lowered and its NULs replaced.
func regular(name string) string {
	return lower(replaceNUL(name))
}

// lower lowers the capitals of ASCII and no others. Common names are not made
// anew.
func lower(s string) string {
	lowered := []byte(s)
	for i, c := range lowered {
		if 'A' <= c && c <= 'Z' {
			lowered[i] = c + 'a' - 'A'
		}
	}
	return atom.String(lowered)
}

func replaceNUL(s string) string {
	return strings.ReplaceAll(s, "\x00", "\ufffd")
}

func dropNUL(s string) string {
	return strings.ReplaceAll(s, "\x00", "")
}

// equalFold spares the common case of different lengths the full comparison.
// Folding may change a length (U+212A is a K of three bytes), hence the margin.
func equalFold(s, t string) bool {
	return len(s) <= 3*len(t) && len(t) <= 3*len(s) && strings.EqualFold(s, t)
}
