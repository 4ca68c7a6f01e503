package gov

import (
	"strings"

	"github.com/trawlhq/trawl/internal/gov/finding"
	"github.com/trawlhq/trawl/internal/index"
)

// asked knows the everyday words of the finding list phrase by phrase. In the
// index they count word by word, and an entry with many phrases looks long;
// here one phrase that says what the query says is enough.
type asked struct {
	phrases []phrase
	with    map[string][]int // term → phrases that have it
}

// phrase is one everyday way to ask for a provision.
type phrase struct {
	terms int
	key   string
}

func newAsked(entries []finding.Entry) *asked {
	k := &asked{with: make(map[string][]int)}
	a := index.NewAnalyzer()
	for i := range entries {
		for _, words := range entries[i].Words {
			terms := tellingTerms(a, words)
			for term := range terms {
				k.with[term] = append(k.with[term], len(k.phrases))
			}
			k.phrases = append(k.phrases, phrase{terms: len(terms), key: entries[i].Keys[0]})
		}
	}
	return k
}

// tellingTerms are the terms of a text without those that questions are made of.
func tellingTerms(a *index.Analyzer, text string) map[string]bool {
	terms := make(map[string]bool)
	for _, t := range a.Tokens(text) {
		if !questionWords[strings.ToLower(text[t.Start:t.End])] {
			terms[t.Term] = true
		}
	}
	return terms
}

// Two words in common say little, and so does half of a phrase or of the query.
const (
	askedWords = 2
	askedShare = 0.5
)

// like finds the provisions that are asked for in words like those of the query,
// and how like: the share of the phrase that is in the query times that of the
// query that is in the phrase.
func (k *asked) like(a *index.Analyzer, query string) map[string]float64 {
	terms := tellingTerms(a, query)
	common := make(map[int]int)
	for term := range terms {
		for _, i := range k.with[term] {
			common[i]++
		}
	}
	found := make(map[string]float64)
	for i, n := range common {
		p := k.phrases[i]
		likeness := float64(n) / float64(p.terms) * float64(n) / float64(len(terms))
		if n >= askedWords && likeness >= askedShare {
			found[p.key] = max(found[p.key], likeness)
		}
	}
	return found
}
