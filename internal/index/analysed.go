package index

import "slices"

// keyLabel is the label under which a document is found by its key.
func keyLabel(key string) string { return "\x00" + key }

// word is a term and how often it occurs.
type word struct {
	term  string
	count uint32
}

// analysed is a document as words, ready for a builder.
type analysed struct {
	doc        *Doc
	hash       [16]byte
	fields     [][]word
	fieldLen   []int
	passages   [][]word
	passageLen []int
	labels     []string
}

func analyse(a *Analyzer, d *Doc, hash [16]byte, fields int) *analysed {
	out := &analysed{doc: d, hash: hash}
	counts := make(map[string]uint32)
	for f := range fields {
		text := ""
		if f < len(d.Fields) {
			text = d.Fields[f]
		}
		words, n := a.count(text, counts)
		out.fields, out.fieldLen = append(out.fields, words), append(out.fieldLen, n)
	}
	for _, p := range d.Passages {
		words, n := a.count(p.Text, counts)
		out.passages, out.passageLen = append(out.passages, words), append(out.passageLen, n)
	}
	out.labels = append([]string{keyLabel(d.Key)}, d.Labels...)
	slices.Sort(out.labels)
	out.labels = slices.Compact(out.labels)
	return out
}

// count gives the words of a text and how many there are in all. counts is
// working space.
func (a *Analyzer) count(text string, counts map[string]uint32) ([]word, int) {
	clear(counts)
	n := 0
	a.each(text, func(t Token) {
		counts[t.Term]++
		n++
	})
	words := make([]word, 0, len(counts))
	for term, c := range counts {
		words = append(words, word{term, c})
	}
	return words, n
}
