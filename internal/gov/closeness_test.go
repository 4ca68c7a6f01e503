package gov

import (
	"testing"

	"github.com/trawlhq/trawl/internal/index"
)

func TestWordsTogetherCountMoreThanWordsApart(t *testing.T) {
	a := index.NewAnalyzer()
	pairs := pairUp([]index.Group{{{Term: a.Terms("security")[0], Weight: 1}}, {{Term: a.Terms("deposit")[0], Weight: 1}, {Term: a.Terms("escrow")[0], Weight: 0.5}}})
	texts := []string{ // from the best to the worst
		"The landlord holds the security deposit of the tenant.",
		"A deposit given as security.",
		"Security is given by every tenant before moving in, by deposit.",
		"Security of the house is a matter for its owner, who shall see to doors, windows and gates. Nobody has to make a deposit.",
	}
	last := 2.0
	for _, text := range texts {
		got := closeness(a, pairs, text)
		if got >= last {
			t.Errorf("%q = %v, want less than %v", text, got, last)
		}
		last = got
	}
	if last != 0 {
		t.Errorf("words of two sentences count %v", last)
	}
	if got := closeness(a, pairs, "security escrow"); got != 1 {
		t.Errorf("what stands for a word counts %v", got)
	}
	if got := closeness(a, pairUp([]index.Group{{{Term: "alone", Weight: 1}}}), "alone"); got != 0 {
		t.Errorf("one word has no neighbour, yet counts %v", got)
	}
}
