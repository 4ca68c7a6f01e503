package gov

import (
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/trawlhq/trawl/internal/gov/finding"
	"github.com/trawlhq/trawl/internal/index"
)

// ranker holds what ranking knows beside the index.
type ranker struct {
	weights     weights
	bridge      *bridge
	asked       *asked
	listedNames map[string][]string // names of the finding list → keys
	plainNames  map[string]bool     // of them, single words that are ordinary words as well
}

func newRanker(entries []finding.Entry) (*ranker, error) {
	b, err := newBridge()
	if err != nil {
		return nil, err
	}
	r := &ranker{weights: defaultWeights(), bridge: b, asked: newAsked(entries), listedNames: make(map[string][]string), plainNames: make(map[string]bool)}
	for i := range entries {
		e := &entries[i]
		names := e.Names
		if e.Type == "opinion" {
			names = append([]string{e.Heading}, names...)
		}
		for _, name := range names {
			plain := isPlainWord(name)
			for _, label := range nameLabels(name) {
				name := strings.TrimPrefix(label, nameLabel(""))
				r.listedNames[name] = append(r.listedNames[name], e.Keys[0])
				r.plainNames[name] = plain
			}
		}
	}
	return r, nil
}

func (r *ranker) query(u *understood) index.Query {
	w := &r.weights
	q := index.Query{
		Groups:      u.groups,
		Fields:      make([]index.Weight, fieldCount),
		Body:        index.Weight{Times: 1, B: w.bodyB},
		About:       index.Weight{Times: w.about, B: w.aboutB},
		BestPassage: w.bestPassage,
		BestAbout:   w.bestAbout,
		Limit:       w.candidates,
		Common:      w.common,
	}
	q.Fields[fieldHeading] = index.Weight{Times: w.heading, B: w.headingB, Apart: true}
	q.Fields[fieldNames] = index.Weight{Times: w.names, B: 0.5}
	q.Fields[fieldPath] = index.Weight{Times: w.path, B: 0.5}
	q.Fields[fieldCitation] = index.Weight{Times: w.citation, B: 0.5}
	for _, code := range u.jurisdictions {
		q.Boosts = append(q.Boosts, index.Boost{Label: jurisdictionLabel(code), Times: w.inPlace})
	}
	switch {
	case u.question && len(u.jurisdictions) > 0:
		q.Boosts = append(q.Boosts, index.Boost{Label: typeLabel("opinion"), Times: w.opinionElsewhere})
	case u.question:
		q.Boosts = append(q.Boosts, index.Boost{Label: typeLabel("opinion"), Times: w.opinionForQuestion})
	}
	return q
}

// scored is a candidate with its final score.
type scored struct {
	index.Hit
	meta
	final float64
}

// rerank scores the candidates with what only a closer look shows.
func (r *ranker) rerank(rd *index.Reader, a *index.Analyzer, u *understood, hits []index.Hit) ([]scored, error) {
	out := make([]scored, 0, len(hits))
	for _, h := range hits {
		c := scored{Hit: h}
		if err := json.Unmarshal(h.Meta, &c.meta); err != nil {
			return nil, fmt.Errorf("read meta of %s: %w", h.Key, err)
		}
		if c.URL != "" {
			out = append(out, c)
		}
	}
	top := 0.0
	for i := range out {
		out[i].final = out[i].Score * r.placeFactor(u, out[i].Jurisdiction) * r.typeFactor(out[i].Type)
		if !u.asksMeaning && isDefinitions(out[i].Title) {
			out[i].final *= r.weights.definitions
		}
		top = max(top, out[i].final)
	}
	for i := range out {
		c := &out[i]
		c.final += top * r.weights.coverage * c.Covered
		c.final += top * r.weights.authority * math.Log2(1+float64(rd.Count(citesLabel(c.Key))))
		c.final += top * u.pointed[c.Key]
		c.final += top * r.weights.asked * u.asked[c.Key] * r.placeFactor(u, c.Jurisdiction)
	}
	byRank := func(a, b int) bool { return out[a].before(&out[b]) }
	sort.SliceStable(out, byRank)
	if err := r.lookClosely(rd, a, u, out, top); err != nil {
		return nil, err
	}
	sort.SliceStable(out, byRank)
	return out, nil
}

// isPlainWord says that a name is one word in small letters: "venue", not "FOIA"
// or "Medicaid". In a longer query it is most likely just that word.
func isPlainWord(name string) bool {
	for _, r := range name {
		if r < 'a' || r > 'z' {
			return false
		}
	}
	return name != ""
}

// listedStrength says how strongly a name of the finding list points at what it
// stands for. A name of many provisions says less about each of them.
func (r *ranker) listedStrength(n namedLaw, u *understood) float64 {
	strength := r.weights.named * u.brevity() / math.Sqrt(float64(len(n.keys)))
	if r.plainNames[n.name] {
		strength *= float64(n.words) / float64(max(u.words, 1))
	}
	return strength
}

// nameStrength says how strongly a name points at the documents that bear it:
// the more of the query it is, the more.
func (r *ranker) nameStrength(n namedLaw, u *understood) float64 {
	share := float64(n.words) / float64(max(u.words, 1))
	return (r.weights.bearsName + (r.weights.named-r.weights.bearsName)*share) * u.brevity()
}

// A query of this many words still asks for the law it names; a longer one is a
// sentence that mentions it.
const briefWords = 6

// brevity is 1 for a brief query and falls with its length.
func (u *understood) brevity() float64 {
	return min(1, float64(briefWords)/float64(max(u.words, 1)))
}

// inPassing says that a citation is only a mention: "the Fourth Amendment" in
// the middle of a sentence, as against "U.S. Const. amend. IV".
func (u *understood) inPassing(key string) bool {
	return strings.HasPrefix(key, "const/") && u.words > briefWords && !u.formal
}

// before is the order of results: score, then the newer document, then address.
func (c *scored) before(d *scored) bool {
	if c.final != d.final {
		return c.final > d.final
	}
	if c.Date != d.Date {
		return c.Date > d.Date
	}
	return c.URL < d.URL
}

// placeFactor weighs a document's jurisdiction against those named.
func (r *ranker) placeFactor(u *understood, j string) float64 {
	if len(u.jurisdictions) == 0 {
		switch strings.Count(j, "-") {
		case 0:
			return 1
		case 1:
			return r.weights.stateUnasked
		}
		return r.weights.localUnasked
	}
	for _, named := range u.jurisdictions {
		if j == named || strings.HasPrefix(named, j+"-") || strings.HasPrefix(j, named+"-") {
			return 1 // boosted in the index
		}
	}
	if j == "us" {
		return 1
	}
	return r.weights.elsewhere
}

func (r *ranker) typeFactor(t string) float64 {
	switch t {
	case "federal-register", "agency-decision", "statute-compilation", "public-law", "session-law":
		return r.weights.minorTypes
	}
	return 1
}

// isDefinitions says that a section does nothing but define words. Such a
// section speaks of everything its chapter is about, and so matches too easily.
func isDefinitions(title string) bool {
	title = strings.ToLower(title)
	i := strings.Index(title, "definition")
	return i >= 0 && len(title)-i < len("definitions and rules of construction.")
}
