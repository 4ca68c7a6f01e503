package gov

import (
	"regexp"
	"strings"

	"github.com/trawlhq/trawl/internal/gov/cite"
	"github.com/trawlhq/trawl/internal/index"
)

// understood is what a query asks for.
type understood struct {
	cites         [][]string // the law cited: for each citation the keys to try, best first
	names         []namedLaw
	words         int      // of the query, those counted that names are made of
	jurisdictions []string // those named, as "us-md"
	formal        bool     // cites the Constitution the way lawyers do
	question      bool     // asks what one may or must do, rather than for a text or a case
	asksMeaning   bool     // asks what a word means
	groups        []index.Group
	pointed       map[string]float64 // key of a document → how strongly citation or name points at it
	asked         map[string]float64 // key of a provision → how like its everyday words the query is
	pairs         []neighbours       // words that follow each other in the query
	terms         map[string]float64 // the terms of groups and their weights, for snippets
}

// namedLaw is a name that occurs in the query.
type namedLaw struct {
	name  string
	words int
	keys  []string // what it stands for in the finding list
}

// understand reads a query.
func (r *ranker) understand(query string, a *index.Analyzer, known func(label string) bool) *understood {
	u := &understood{terms: make(map[string]float64), pointed: make(map[string]float64)}
	for _, c := range cite.Parse(query) {
		u.cites = append(u.cites, citationKeys(c.Key))
	}
	place := findPlaces(query)
	u.jurisdictions = place.codes
	words := nameWords(query)
	u.question = isQuestion(query)
	u.asksMeaning = meaningWords.MatchString(query)
	u.words = len(words)
	u.formal = strings.Contains(strings.ToLower(query), "const.")
	u.names = r.namesIn(words, known)
	u.asked = r.asked.like(a, query)
	u.citeActs(query)
	u.groups = r.groups(query, a, u, place)
	return u
}

// namesIn finds the names in a query: the longest first, none inside another.
func (r *ranker) namesIn(words []string, known func(label string) bool) []namedLaw {
	var out []namedLaw
	taken := make([]bool, len(words))
	for n := min(maxNameWords, len(words)); n >= 1; n-- {
		for i := 0; i+n <= len(words); i++ {
			if anyTaken(taken[i : i+n]) {
				continue
			}
			name := strings.Join(words[i:i+n], " ")
			keys := r.listedNames[name]
			if keys == nil && (n < 2 || !known(nameLabel(name))) {
				continue
			}
			for j := i; j < i+n; j++ {
				taken[j] = true
			}
			out = append(out, namedLaw{name: name, words: n, keys: keys})
		}
	}
	return out
}

func anyTaken(taken []bool) bool {
	for _, t := range taken {
		if t {
			return true
		}
	}
	return false
}

// groups makes what the index is asked for: a group per word of the query, with
// what may stand for it. Words questions are made of are asked for only where
// little else is there.
func (r *ranker) groups(query string, a *index.Analyzer, u *understood, place places) []index.Group {
	var groups []index.Group
	seen := make(map[string]bool)
	bridged := r.bridge.expand(query)
	tokens := a.Tokens(query)
	telling := 0
	for _, t := range tokens {
		if !questionWords[strings.ToLower(query[t.Start:t.End])] {
			telling++
		}
	}
	for _, t := range tokens {
		asking := questionWords[strings.ToLower(query[t.Start:t.End])]
		if seen[t.Term] || asking && telling >= tellingWords && bridged[t.Start] == nil {
			continue
		}
		seen[t.Term] = true
		weight := 1.0
		switch {
		case place.covers(t.Start, t.End):
			weight = placeWordWeight
		case asking:
			weight = questionWordWeight
		}
		g := index.Group{{Term: t.Term, Weight: weight}}
		for _, alt := range bridged[t.Start] {
			for _, term := range a.Terms(alt.text) {
				g = append(g, index.Word{Term: term, Weight: weight * alt.weight})
			}
		}
		groups = append(groups, g)
		u.terms[t.Term] = weight
	}
	u.pairs = pairUp(groups)
	for _, g := range bridged[wholeQuery] {
		for _, term := range a.Terms(g.text) {
			if !seen[term] {
				seen[term] = true
				groups = append(groups, index.Group{{Term: term, Weight: g.weight}})
				u.terms[term] = g.weight / 2
			}
		}
	}
	return groups
}

var meaningWords = regexp.MustCompile(`(?i)\b(?:defin|meaning|means\b|mean\b|what is an?\b|considered|counts as)`)

// isQuestion says whether a query is a question of one's own: it opens like one
// or speaks of the person who asks.
func isQuestion(query string) bool {
	words, _ := splitWords(query)
	if len(words) < 4 {
		return false
	}
	if strings.HasSuffix(strings.TrimSpace(query), "?") || openers[words[0]] {
		return true
	}
	for _, w := range words {
		if ownWords[w] {
			return true
		}
	}
	return false
}

var (
	openers  = wordSet(`can could may must should do does did is are am will would how what when where who which why whether`)
	ownWords = wordSet(`i i'm i've my me mine we our us you your`)
)

// Words that say where or how, not what, still count a little: they are right
// where a heading has them.
const (
	placeWordWeight    = 0.3
	questionWordWeight = 0.25
	tellingWords       = 3 // with so many others the words of asking are left out
)

// questionWords are what questions are made of.
var questionWords = wordSet(`can could may might must should shall would will do does did is are was were be am how what when
	where which who whom why whether much many long often big old allowed legal legally illegal law laws rule rules federal
	someone somebody anyone anybody person people guy man woman thing things something get gets getting got go goes going
	make makes made want need needs have has had let lets keep keeps use take say says said tell told ask about after before
	if then than just still even really actually any some all every i my me mine you your we our us they them their he she
	his her it its this that these those there here case decision opinion statute act code section title`)

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
