package gov

import (
	"fmt"

	"github.com/trawlhq/trawl/internal/index"
)

// closeLook is how many of the best candidates are read for how near to each
// other the words asked for stand. Reading one costs a fifth of a
// millisecond, and a document further down does not come up by it.
const closeLook = 12

// neighbours are two words that follow each other in the query, each with what
// may stand for it.
type neighbours struct {
	first, second map[string]bool
	weight        float64
}

// pairUp makes neighbours of the words of a query in their order.
func pairUp(groups []index.Group) []neighbours {
	var out []neighbours
	for i := 0; i+1 < len(groups); i++ {
		a, b := groups[i], groups[i+1]
		out = append(out, neighbours{termsOf(a), termsOf(b), min(a[0].Weight, b[0].Weight)})
	}
	return out
}

func termsOf(g index.Group) map[string]bool {
	set := make(map[string]bool, len(g))
	for _, w := range g {
		set[w.Term] = true
	}
	return set
}

// closeness says how near to each other the words of a query stand in a text: 1
// where each pair of neighbours is a phrase, 0 where none is within a sentence.
func closeness(a *index.Analyzer, pairs []neighbours, text string) float64 {
	if len(pairs) == 0 {
		return 0
	}
	tokens := a.Tokens(text)
	sum, all := 0.0, 0.0
	for _, p := range pairs {
		sum += p.weight * p.near(tokens)
		all += p.weight
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// How far apart two words may stand to count as a phrase, as close, and as said
// in one breath; and what that is worth.
const (
	phraseApart, phraseWorth = 1, 1.0
	closeApart, closeWorth   = 3, 0.6
	breathApart, breathWorth = 10, 0.25
)

// near gives the worth of the closest meeting of the two words.
func (p neighbours) near(tokens []index.Token) float64 {
	best := 0.0
	lastFirst, lastSecond := -breathApart-1, -breathApart-1
	for _, t := range tokens {
		if p.second[t.Term] {
			best = max(best, worth(t.Pos-lastFirst, true))
			lastSecond = t.Pos
		}
		if p.first[t.Term] {
			best = max(best, worth(t.Pos-lastSecond, false))
			lastFirst = t.Pos
		}
	}
	return best
}

// worth of two words so far apart. Turned round they are no phrase.
func worth(apart int, inOrder bool) float64 {
	switch {
	case apart <= 0:
		return 0
	case apart <= phraseApart && inOrder:
		return phraseWorth
	case apart <= closeApart:
		return closeWorth
	case apart <= breathApart:
		return breathWorth
	}
	return 0
}

// lookClosely adds what phrases and nearness give to the first candidates, in
// the heading or in the best passage, whichever is better.
func (r *ranker) lookClosely(rd *index.Reader, a *index.Analyzer, u *understood, ranked []scored, top float64) error {
	if len(u.pairs) == 0 || r.weights.closeness == 0 {
		return nil
	}
	for i := range ranked[:min(closeLook, len(ranked))] {
		c := &ranked[i]
		near := closeness(a, u.pairs, c.Title)
		if len(c.Passages) > 0 {
			text, err := rd.PassageText(c.Passages[0])
			if err != nil {
				return fmt.Errorf("read passage of %s: %w", c.Key, err)
			}
			near = max(near, closeness(a, u.pairs, text))
		}
		c.final += top * r.weights.closeness * near
	}
	return nil
}
