package index

import "strings"

// stem reduces an English word in lower-case ASCII letters to its stem, after
// the algorithm Martin Porter published in 1980. Words with other characters
// (numbers, section numbers) come back as they are.
func stem(word string) string {
	if len(word) < 3 || len(word) > 40 || !isLetters(word) {
		return word
	}
	w := stemmer{b: []byte(word)}
	w.plural()
	w.pastAndGerund()
	w.terminalY()
	w.replaceLongest(doubleSuffixes, 0)
	w.replaceLongest(fullSuffixes, 0)
	w.dropSuffix()
	w.tidyEnd()
	return string(w.b)
}

// Stem reduces one English word, in any case, to the form the index holds.
func Stem(word string) string { return stem(strings.ToLower(word)) }

func isLetters(s string) bool {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

type stemmer struct{ b []byte }

type suffixRule struct{ from, to string }

// The rules of steps 2 and 3; longer suffixes come before the ones they end in.
var (
	doubleSuffixes = []suffixRule{
		{"ational", "ate"}, {"ization", "ize"}, {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"},
		{"tional", "tion"}, {"biliti", "ble"}, {"entli", "ent"}, {"ousli", "ous"}, {"ation", "ate"},
		{"alism", "al"}, {"aliti", "al"}, {"iviti", "ive"}, {"enci", "ence"}, {"anci", "ance"},
		{"izer", "ize"}, {"abli", "able"}, {"alli", "al"}, {"ator", "ate"}, {"eli", "e"}, {"logi", "log"},
	}
	fullSuffixes = []suffixRule{
		{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ness", ""}, {"ful", ""},
	}
	lastSuffixes = []string{
		"ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize",
		"ion", "al", "er", "ic", "ou",
	}
)

func (w *stemmer) consonant(i int) bool {
	switch w.b[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !w.consonant(i-1)
	}
	return true
}

// measure counts the vowel-consonant sequences in the first n letters.
func (w *stemmer) measure(n int) int {
	m, i := 0, 0
	for i < n && w.consonant(i) {
		i++
	}
	for i < n {
		for i < n && !w.consonant(i) {
			i++
		}
		if i == n {
			break
		}
		m++
		for i < n && w.consonant(i) {
			i++
		}
	}
	return m
}

func (w *stemmer) hasVowel(n int) bool {
	for i := range n {
		if !w.consonant(i) {
			return true
		}
	}
	return false
}

func (w *stemmer) ends(suffix string) bool {
	n := len(w.b) - len(suffix)
	return n > 0 && string(w.b[n:]) == suffix
}

func (w *stemmer) cut(suffix, to string) {
	w.b = append(w.b[:len(w.b)-len(suffix)], to...)
}

func (w *stemmer) doubleConsonant() bool {
	n := len(w.b)
	return n > 1 && w.b[n-1] == w.b[n-2] && w.consonant(n-1)
}

// shortEnd says that the first n letters end consonant-vowel-consonant, the
// last not w, x or y: the case in which an e belongs at the end.
func (w *stemmer) shortEnd(n int) bool {
	if n < 3 || !w.consonant(n-1) || w.consonant(n-2) || !w.consonant(n-3) {
		return false
	}
	last := w.b[n-1]
	return last != 'w' && last != 'x' && last != 'y'
}

func (w *stemmer) plural() {
	switch {
	case w.ends("sses"):
		w.cut("es", "")
	case w.ends("ies"):
		w.cut("ies", "i")
	case w.ends("ss"):
	case w.ends("s"):
		w.cut("s", "")
	}
}

func (w *stemmer) pastAndGerund() {
	if w.ends("eed") {
		if w.measure(len(w.b)-3) > 0 {
			w.cut("d", "")
		}
		return
	}
	for _, suffix := range []string{"ed", "ing"} {
		if !w.ends(suffix) || !w.hasVowel(len(w.b)-len(suffix)) {
			continue
		}
		w.cut(suffix, "")
		w.restoreE()
		return
	}
}

func (w *stemmer) restoreE() {
	switch {
	case w.ends("at"), w.ends("bl"), w.ends("iz"):
		w.b = append(w.b, 'e')
	case w.doubleConsonant():
		if last := w.b[len(w.b)-1]; last != 'l' && last != 's' && last != 'z' {
			w.b = w.b[:len(w.b)-1]
		}
	case w.measure(len(w.b)) == 1 && w.shortEnd(len(w.b)):
		w.b = append(w.b, 'e')
	}
}

func (w *stemmer) terminalY() {
	if w.ends("y") && w.hasVowel(len(w.b)-1) {
		w.b[len(w.b)-1] = 'i'
	}
}

func (w *stemmer) replaceLongest(rules []suffixRule, above int) {
	for _, r := range rules {
		if !w.ends(r.from) {
			continue
		}
		if w.measure(len(w.b)-len(r.from)) > above {
			w.cut(r.from, r.to)
		}
		return
	}
}

func (w *stemmer) dropSuffix() {
	for _, suffix := range lastSuffixes {
		if !w.ends(suffix) {
			continue
		}
		n := len(w.b) - len(suffix)
		if w.measure(n) > 1 && (suffix != "ion" || w.b[n-1] == 's' || w.b[n-1] == 't') {
			w.b = w.b[:n]
		}
		return
	}
}

func (w *stemmer) tidyEnd() {
	if w.ends("e") {
		n := len(w.b) - 1
		if m := w.measure(n); m > 1 || m == 1 && !w.shortEnd(n) {
			w.b = w.b[:n]
		}
	}
	if w.doubleConsonant() && w.b[len(w.b)-1] == 'l' && w.measure(len(w.b)) > 1 {
		w.b = w.b[:len(w.b)-1]
	}
}
