package sitemap

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// What a word is worth by where it stands. The title says what a page is
// about, the last part of a path nearly so; a description mentions more.
const (
	inTitle    = 3.0
	inText     = 2.0 // what others call it
	inLastPart = 2.5
	inPath     = 1.5
	inAbout    = 1.0
	asPrefix   = 0.5 // of a word: "price" in "pricing" counts less than itself
)

// rank orders links by their likeness to a search; those alike stay in their order.
func rank(search string, list []entry) []entry {
	terms := words(search)
	if len(terms) == 0 {
		return list
	}
	scored := make([]scoredEntry, len(list))
	frequency := make([]int, len(terms))
	for i, e := range list {
		scored[i] = scoredEntry{entry: e, hits: weigh(e, terms)}
		for t, hit := range scored[i].hits {
			if hit > 0 {
				frequency[t]++
			}
		}
	}
	for i := range scored {
		for t, hit := range scored[i].hits {
			rarity := math.Log(1 + float64(len(list))/float64(1+frequency[t]))
			scored[i].score += hit * rarity
		}
		depth := strings.Count(scored[i].address, "/")
		scored[i].score -= 0.01 * float64(depth) // of two that say the same, the page nearer to the root
	}
	slices.SortStableFunc(scored, func(a, b scoredEntry) int { return cmp.Compare(b.score, a.score) })
	out := make([]entry, len(list))
	for i, s := range scored {
		out[i] = s.entry
	}
	return out
}

type scoredEntry struct {
	entry
	hits  []float64
	score float64
}

// weigh tells how well each term is met, by the best place it stands in.
func weigh(e entry, terms []string) []float64 {
	path := e.address
	if _, rest, ok := strings.Cut(path, "://"); ok {
		path = rest
	}
	last := path[strings.LastIndexByte(path, '/')+1:]
	places := []struct {
		words  []string
		weight float64
	}{{words(e.title), inTitle}, {words(last), inLastPart}, {words(e.text), inText}, {words(path), inPath}, {words(e.about), inAbout}}
	hits := make([]float64, len(terms))
	for t, term := range terms {
		for _, place := range places {
			hits[t] = max(hits[t], place.weight*likeness(term, place.words))
		}
	}
	return hits
}

func likeness(term string, words []string) float64 {
	best := 0.0
	for _, w := range words {
		switch {
		case w == term:
			return 1
		case len(term) >= 4 && len(w) >= 4 && commonPrefix(w, term) >= max(4, min(len(w), len(term))-2):
			best = asPrefix
		}
	}
	return best
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// words splits text and addresses alike, in lower case and without a plural s.
func words(text string) []string {
	list := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range list {
		if len(w) > 3 {
			list[i] = strings.TrimSuffix(w, "s")
		}
	}
	return list
}
