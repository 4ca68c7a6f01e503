package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Token is a word of a text after analysis, with where it stood.
type Token struct {
	Term       string // what the index holds
	Start, End int    // byte range in the text
	Pos        int    // which word it is, stop words counted
}

// Analyzer turns text into terms: words in lower case without accents, letters
// with full stops between them joined ("U.S.C." is usc), possessives dropped,
// stop words left out, the rest reduced to stems. It remembers stems it has
// made, so one goroutine uses one Analyzer.
type Analyzer struct {
	stems map[string]string
	word  []byte
}

// maxStems bounds the memory of an Analyzer; past it the memory starts over.
const maxStems = 200_000

// NewAnalyzer gives an Analyzer.
func NewAnalyzer() *Analyzer { return &Analyzer{stems: make(map[string]string)} }

// Tokens analyses a text.
func (a *Analyzer) Tokens(text string) []Token {
	var out []Token
	a.each(text, func(t Token) { out = append(out, t) })
	return out
}

// Terms gives just the terms of a text.
func (a *Analyzer) Terms(text string) []string {
	var out []string
	a.each(text, func(t Token) { out = append(out, t.Term) })
	return out
}

// each calls f for every term in order.
func (a *Analyzer) each(text string, f func(Token)) {
	for i, pos := 0, 0; i < len(text); pos++ {
		start, end := nextWord(text, i)
		if start == end {
			return
		}
		i = end
		if term := a.term(text[start:end]); term != "" {
			f(Token{Term: term, Start: start, End: end, Pos: pos})
		}
	}
}

// nextWord finds the next run of letters and digits from i on. Single letters
// with full stops between them are one word, and an apostrophe inside a word
// belongs to it.
func nextWord(text string, i int) (start, end int) {
	for i < len(text) {
		r, size := decode(text[i:])
		if wordRune(r) {
			break
		}
		i += size
	}
	start = i
	letters := 0 // since the last full stop
	for i < len(text) {
		r, size := decode(text[i:])
		switch {
		case wordRune(r):
			letters++
		case (r == '\'' || r == '’') && letters > 0 && followsWord(text[i+size:]):
		case r == '.' && letters == 1 && unicode.IsLetter(rune(text[i-1])) && followsLetterStop(text[i+1:]):
			letters = 0
		default:
			return start, i
		}
		i += size
	}
	return start, i
}

func decode(s string) (rune, int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	return utf8.DecodeRuneInString(s)
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func followsWord(s string) bool {
	if s == "" {
		return false
	}
	r, _ := decode(s)
	return unicode.IsLetter(r)
}

// followsLetterStop says that s goes on with one letter and a full stop, or
// with one letter and the end of the word.
func followsLetterStop(s string) bool {
	if s == "" || !unicode.IsLetter(rune(s[0])) {
		return false
	}
	if len(s) == 1 {
		return true
	}
	r, _ := decode(s[1:])
	return !wordRune(r)
}

// term normalises one word; empty for a stop word.
func (a *Analyzer) term(word string) string {
	a.word = a.word[:0]
	ascii := true
	for i := range len(word) {
		c := word[i]
		switch {
		case c >= utf8.RuneSelf:
			ascii = false
		case c >= 'A' && c <= 'Z':
			a.word = append(a.word, c+'a'-'A')
		case c != '.':
			a.word = append(a.word, c)
		}
	}
	if !ascii {
		a.word = append(a.word[:0], fold(word)...)
	}
	return a.stemmed(trimApostrophe(a.word))
}

func (a *Analyzer) stemmed(w []byte) string {
	if s, ok := a.stems[string(w)]; ok {
		return s
	}
	word := string(w)
	s := ""
	if !stopWords[word] && len(word) <= maxTerm {
		s = stem(word)
	}
	if len(a.stems) >= maxStems {
		clear(a.stems)
	}
	a.stems[word] = s
	return s
}

// maxTerm is the longest word kept: longer ones are not language.
const maxTerm = 64

// fold writes a word in lower case without accents and with a plain apostrophe.
func fold(word string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(word) {
		switch {
		case r == '’':
			b.WriteByte('\'')
		case unicode.Is(unicode.Mn, r) || r == '.':
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// trimApostrophe drops a possessive ending and any apostrophe left inside.
func trimApostrophe(w []byte) []byte {
	n := len(w)
	if n > 2 && w[n-2] == '\'' && w[n-1] == 's' {
		return w[:n-2]
	}
	kept := w[:0]
	for _, c := range w {
		if c != '\'' {
			kept = append(kept, c)
		}
	}
	return kept
}

// stopWords carry no meaning of their own in a query or a text. The list is
// short on purpose: "no", "not", "against" and "without" do carry some.
var stopWords = setOf(`a an and are as at be been being but by do does for from had has have he her his i if in into
	is it its me my of on or our she so such that the their them there these they this those to was we were what
	when which who whom will with would you your`)

func setOf(words string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
