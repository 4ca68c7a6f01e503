package gov

import (
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/trawlhq/trawl/internal/gov/publisher"
)

// places are the jurisdictions a query names and where it names them.
type places struct {
	codes  []string
	ranges [][2]int
}

func (p places) covers(start, end int) bool {
	for _, r := range p.ranges {
		if start >= r[0] && end <= r[1] {
			return true
		}
	}
	return false
}

// placeRule is a spelling of a place.
type placeRule struct {
	pattern *regexp.Regexp
	code    string
}

// placeRules are tried in order on the query. Cities come before their states.
var placeRules = buildPlaceRules()

// cities we know by other names than their own.
var cities = map[string]string{
	`san francisco|\bSF\b|\bS\.F\.`: "us-ca-san-francisco",
	`spanish fork(?:,? utah)?`:      "us-ut-spanish-fork",
	`new york city|\bNYC\b`:         "us-ny-new-york-city",
	`los angeles`:                   "us-ca-los-angeles",
	`chicago`:                       "us-il-chicago",
	`seattle`:                       "us-wa-seattle",
	`philadelphia`:                  "us-pa-philadelphia",
	`berkeley`:                      "us-ca-berkeley",
}

func buildPlaceRules() []placeRule {
	var rules []placeRule
	// "the district court" and "district attorney" are not Washington.
	rules = append(rules,
		placeRule{regexp.MustCompile(`(?i)\bwashington,? ?d\.? ?c\b\.?|\bdistrict of columbia\b|\bD\.C\.|\bDC\b`), "us-dc"},
		placeRule{regexp.MustCompile(`\b(?:in|of|for) the District\b(?: (?:of Columbia))?`), "us-dc"},
	)
	for _, pattern := range sortedKeys(cities) {
		rules = append(rules, placeRule{regexp.MustCompile(`(?i)` + strings.ReplaceAll(pattern, `|\b`, `|(?-i:\b`) + strings.Repeat(")", strings.Count(pattern, `|\b`))), cities[pattern]})
	}
	states := publisher.States()
	names := sortedKeys(states)
	sort.SliceStable(names, func(a, b int) bool { return len(names[a]) > len(names[b]) }) // "west virginia" before "virginia"
	for _, name := range names {
		pattern := `(?i)\b` + name + `\b`
		if name == "washington" {
			pattern = `(?i)\bwashington(?: state)?\b`
		}
		rules = append(rules, placeRule{regexp.MustCompile(pattern), "us-" + states[name]})
	}
	return rules
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// notPlaces are phrases in which the name of a place is not one.
var notPlaces = regexp.MustCompile(`(?i)district of columbia circuit|d\.?c\.? circuit|new york times|george washington|washington post`)

// findPlaces reads the jurisdictions named in a query.
func findPlaces(query string) places {
	var p places
	for _, r := range notPlaces.FindAllStringIndex(query, -1) {
		p.ranges = append(p.ranges, [2]int{r[0], r[1]})
	}
	blocked := len(p.ranges)
	for _, rule := range placeRules {
		for _, r := range rule.pattern.FindAllStringIndex(query, -1) {
			if p.covers(r[0], r[1]) || isParty(query, r[0], r[1]) {
				continue
			}
			p.ranges = append(p.ranges, [2]int{r[0], r[1]})
			if !slices.Contains(p.codes, rule.code) {
				p.codes = append(p.codes, rule.code)
			}
		}
	}
	p.ranges = p.ranges[blocked:]
	return p
}

var (
	versusAfter  = regexp.MustCompile(`^,? vs?\b\.?`)
	versusBefore = regexp.MustCompile(`\bvs?\.? $`)
)

// isParty says that a place is the party of a case: "Maryland v. Wilson".
func isParty(query string, start, end int) bool {
	return versusAfter.MatchString(query[end:]) || versusBefore.MatchString(query[:start])
}
