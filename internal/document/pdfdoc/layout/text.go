package layout

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// String is the line's text in reading order.
func (l Line) String() string {
	return spaced(l.Reading())
}

// spaced writes words with a space between each two.
func spaced(words []Word) string {
	size := len(words)
	for i := range words {
		size += len(words[i].Text)
	}
	var b strings.Builder
	b.Grow(size)
	for i := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(words[i].Text)
	}
	return b.String()
}

// Reading gives the words in reading order: from the right where most of the line
// is written from right to left.
func (l Line) Reading() []Word {
	if l.read {
		return l.Words
	}
	rtl, ltr := 0, 0
	for i := range l.Words {
		for _, r := range l.Words[i].Text {
			switch {
			case isRTL(r):
				rtl++
			case unicode.IsLetter(r):
				ltr++
			}
		}
	}
	if rtl == 0 || rtl < ltr {
		return l.Words
	}
	words := slices.Clone(l.Words)
	slices.Reverse(words)
	return keepForeignRuns(words)
}

// keepForeignRuns turns runs of left-to-right words inside reversed text round
// again.
func keepForeignRuns(words []Word) []Word {
	for i := 0; i < len(words); {
		j := i
		for j < len(words) && !hasRTL(words[j].Text) {
			j++
		}
		slices.Reverse(words[i:j])
		i = max(j, i+1)
	}
	return words
}

func hasRTL(s string) bool { return strings.ContainsFunc(s, isRTL) }

// String is the block's text, its lines joined.
func (b Block) String() string {
	if b.Table != nil {
		return b.Table.String()
	}
	return JoinLines(b.Lines)
}

// JoinLines writes lines as one paragraph.
func JoinLines(lines []Line) string {
	var b strings.Builder
	for i := range lines {
		text := lines[i].String()
		if i > 0 {
			text = Continue(&b, text)
		}
		b.WriteString(text)
	}
	return b.String()
}

// Continue says how text goes on after what was written: with a space, or with
// none where a word was broken at the end of a line. In the latter case it takes
// the hyphen away from what was written.
func Continue(written *strings.Builder, text string) string {
	before := written.String()
	if brokenWord(before, text) {
		kept := strings.TrimRight(before, "-\u00ad\u2010")
		written.Reset()
		written.WriteString(kept)
		return text
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(text)
	if isCJK(last) && isCJK(first) && !isHangul(last) || keepsHyphen(before) {
		return text
	}
	return " " + text
}

func isHangul(r rune) bool { return r >= 0xAC00 && r <= 0xD7AF }

// brokenWord says whether a line ends with a word that the next one finishes: a
// hyphen after a letter, and a small letter to go on with.
func brokenWord(before, after string) bool {
	trimmed := strings.TrimRight(before, "-\u00ad\u2010")
	if len(before)-len(trimmed) == 0 || len(before)-len(trimmed) > 3 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(after)
	last, _ := utf8.DecodeLastRuneInString(trimmed)
	if !unicode.IsLower(first) || !unicode.IsLower(last) {
		return false
	}
	// "state-of-the-" goes on with its own hyphen.
	word := trimmed[strings.LastIndexAny(trimmed, " \n")+1:]
	return !strings.Contains(word, "-") && !hyphened[strings.ToLower(word)]
}

// hyphened are the first parts of compounds that English writes with a hyphen.
var hyphened = map[string]bool{"non": true, "self": true, "well": true, "quasi": true, "ex": true}

// keepsHyphen says that a line ends with a hyphen that belongs to the word.
func keepsHyphen(before string) bool {
	if !strings.HasSuffix(before, "-") {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(before[:len(before)-1])
	return unicode.IsLetter(last) || unicode.IsDigit(last)
}
