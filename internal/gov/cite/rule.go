package cite

import (
	"regexp"
	"strings"
)

// rule is one way to write one kind of citation.
type rule struct {
	hints   []string
	pattern *regexp.Regexp
	keys    func(groups []string) []string
}

// Pieces of patterns. Text is lower case with plain dashes and single spaces.
const (
	mark    = `(?:§ ?§? ?|sect?(?:ion)?s?\.? ?|ss?\. ?)?` // an optional section mark
	mustSec = `(?:§ ?§? ?|sect?(?:ion)?s?\.? ?)`          // one that must be there

	section = `(\d+[a-z]{0,6}(?:-\d+[a-z]*)*)` // 1983, 2000e-2, 78u-6, 25d

	// 1026.23, 240.10b5-1, 1.61-1, 1.401(k)-1: letters in brackets belong to the
	// number only where a hyphen and a figure follow, else they are a paragraph.
	dotted = `(\d+[a-z]{0,2}\.\d+(?:[a-z]{1,3}\d{0,3}[a-z]?)?(?:(?:\([a-z0-9]{1,3}\))*-\d+[a-z]*\d*)*)`

	// Sections of state and city codes: 187, 22-3302, 13a-3-23, 28:2-207, 235-12.5,
	// 79-32,110, 198-a, 34:11-56a4, 630:1-a, 9a.36.011.
	stateSection = `(\d+[a-z]{0,2}(?:-\d+,\d{3}[a-z]{0,2}|[-.:/]\d+[a-z]{0,3}\d{0,3}[a-z]?|-[a-z]{1,2})*)`

	paragraphs = `(?: ?\([a-z0-9]{1,5}\))*` // (a)(1)(B)
)

// compile makes a rule. hints are separated by bars: without one of them in the
// text, spaces and full stops left out, the pattern cannot match and is not tried.
// A hint that begins with an equals sign must be a word of its own.
func compile(hints, pattern string, key func(g []string) string) rule {
	return compileMany(hints, pattern, func(g []string) []string {
		if k := key(g); k != "" {
			return []string{k}
		}
		return nil
	})
}

// compileMany makes a rule for citations of several things at once.
func compileMany(hints, pattern string, keys func(g []string) []string) rule {
	end := `\b`
	if strings.HasSuffix(pattern, "$") || strings.HasSuffix(pattern, `\))?`) {
		end = "" // the end of the text, or of a bracket, is one by itself
	}
	return rule{hints: strings.Split(hints, "|"), pattern: regexp.MustCompile(`(?:^|[^\w])(?:` + pattern + `)` + end), keys: keys}
}

// mayMatch says whether one of the hints occurs: anywhere, or as a word of its
// own where it begins with an equals sign.
func (r rule) mayMatch(q query) bool {
	for _, hint := range r.hints {
		word, whole := strings.CutPrefix(hint, "=")
		if whole && q.words[word] || !whole && strings.Contains(q.compact, hint) {
			return true
		}
	}
	return false
}

// query is a text ready to be read.
type query struct {
	text    string          // in normal form
	compact string          // without spaces and full stops
	words   map[string]bool // without full stops; initials written apart count as one word, too
}

func newQuery(raw string) query {
	q := query{text: normalize(raw), words: make(map[string]bool)}
	q.compact = spacesAndStops.Replace(q.text)
	initials := ""
	for w := range strings.FieldsFuncSeq(q.text, func(r rune) bool { return strings.ContainsRune(" ,;:()§&'\"?/", r) }) {
		w = strings.ReplaceAll(w, ".", "")
		q.words[w] = true
		if len(w) != 1 || w[0] < 'a' {
			initials = ""
			continue
		}
		initials += w
		q.words[initials] = true
	}
	return q
}

// find gives the readings of a text under the rule.
func (r rule) find(text string) []reading {
	var all []reading
	for _, m := range r.pattern.FindAllStringSubmatchIndex(text, -1) {
		groups := make([]string, len(m)/2)
		for i := range groups {
			if m[2*i] >= 0 {
				groups[i] = text[m[2*i]:m[2*i+1]]
			}
		}
		if keys := r.keys(groups); len(keys) > 0 {
			all = append(all, reading{keys: keys, start: m[0], end: m[1]})
		}
	}
	return all
}

func join(kind string, parts ...string) string { return kind + "/" + strings.Join(parts, "/") }

// rules are all spellings. The order only matters between readings of equal length.
var rules = buildRules()

func buildRules() []rule {
	var all []rule
	for _, group := range [][]rule{
		codeRules(), regulationRules(), actRules(), lawRules(), documentRules(), courtRules(), constitutionRules(),
		reporterRules(), marylandRules(), cityRules(), stateRules(),
	} {
		all = append(all, group...)
	}
	return all
}
