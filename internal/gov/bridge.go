package gov

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/internal/index"
)

// bridgeTable is the vocabulary bridge: everyday words and the words the law
// uses for the same thing. A line is a phrase, a tab, the legal words separated
// by commas, and optionally a tab and a weight.
//
//go:embed bridge.tsv
var bridgeTable string

// bridge finds everyday phrases in queries.
type bridge struct {
	phrases map[string][]alternative // by the stems of the phrase
	longest int                      // in words
}

// alternative is what may stand for a word.
type alternative struct {
	text   string
	weight float64
}

// wholeQuery is the place of alternatives that belong to a phrase of several
// words: they stand beside the query's own words, not for one of them.
const wholeQuery = -1

// defaultBridgeWeight is how much a bridged word counts against the word asked.
const defaultBridgeWeight = 0.5

func newBridge() (*bridge, error) {
	b := &bridge{phrases: make(map[string][]alternative)}
	for i, line := range strings.Split(bridgeTable, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) < 2 {
			return nil, fmt.Errorf("bridge.tsv line %d: no tab", i+1)
		}
		weight := defaultBridgeWeight
		if len(cells) > 2 {
			var err error
			if weight, err = strconv.ParseFloat(cells[2], 64); err != nil {
				return nil, fmt.Errorf("bridge.tsv line %d: %w", i+1, err)
			}
		}
		for _, phrase := range strings.Split(cells[0], " | ") {
			for _, legal := range strings.Split(cells[1], ",") {
				key := stems(phrase)
				b.phrases[key] = append(b.phrases[key], alternative{strings.TrimSpace(legal), weight})
				b.longest = max(b.longest, strings.Count(key, " ")+1)
			}
		}
	}
	return b, nil
}

// stems brings a phrase to the form in which phrases are compared.
func stems(phrase string) string {
	words, _ := splitWords(phrase)
	for i, w := range words {
		words[i] = index.Stem(w)
	}
	return strings.Join(words, " ")
}

// expand gives the alternatives for a query by the place of the word they stand
// for, or under wholeQuery.
func (b *bridge) expand(query string) map[int][]alternative {
	words, starts := splitWords(query)
	for i, w := range words {
		words[i] = index.Stem(w)
	}
	out := make(map[int][]alternative)
	for i := range words {
		for n := min(b.longest, len(words)-i); n >= 1; n-- {
			alts := b.phrases[strings.Join(words[i:i+n], " ")]
			if alts == nil {
				continue
			}
			for _, alt := range alts {
				at := wholeQuery
				if n == 1 && !strings.ContainsAny(alt.text, " -") {
					at = starts[i]
				}
				out[at] = append(out[at], alt)
			}
		}
	}
	return out
}

// splitWords gives the words of a query in small letters, with plural and
// possessive endings as they are, and where they begin.
func splitWords(query string) (words []string, starts []int) {
	begin := -1
	flush := func(end int) {
		if begin >= 0 {
			w := strings.ToLower(query[begin:end])
			words = append(words, strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s"))
			starts = append(starts, begin)
			begin = -1
		}
	}
	for i, r := range query {
		inside := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || (r == '\'' || r == '’') && begin >= 0
		switch {
		case inside && begin < 0:
			begin = i
		case !inside:
			flush(i)
		}
	}
	flush(len(query))
	return words, starts
}
