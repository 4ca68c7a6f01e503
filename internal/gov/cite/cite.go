// Package cite reads legal citations.
//
// A citation in any spelling becomes a key, one string per thing cited:
//
//	usc/42/1983            United States Code, title and section
//	cfr/12/1026.23         Code of Federal Regulations
//	us/384/436             United States Reports, volume and first page
//	docket/14-556          a Supreme Court decision known by its docket number
//	const/us/amendment-4   the Constitution
//	plaw/119-21            public law; stat/139/72 in the Statutes at Large
//	fr/2025-14897          Federal Register document; frpage/90/37775 by page
//	far/52.249-8  dc/22-3302  md/grp/8-203  ca/penal/187  …
//
// Find reads running law text: it is strict and fast. Parse reads what people
// type into a search box: it is lenient. URL gives the official address of a
// key where it follows from the citation.
package cite

import (
	"regexp"
	"sort"
	"strings"
)

// Cite is a citation found in a text.
type Cite struct {
	Key        string
	Start, End int // byte range in the text
}

// Parse finds the citations in a query, in order, in every spelling we know.
// Where two readings overlap the longer one stands.
func Parse(query string) []Cite {
	text := normalize(query)
	if !citing.MatchString(text) {
		return nil // most questions hold no figure at all
	}
	compact := spacesAndStops.Replace(text)
	var all []Cite
	for _, r := range rules {
		if !r.mayMatch(compact) {
			continue
		}
		for _, m := range r.pattern.FindAllStringSubmatchIndex(text, -1) {
			groups := make([]string, len(m)/2)
			for i := range groups {
				if m[2*i] >= 0 {
					groups[i] = text[m[2*i]:m[2*i+1]]
				}
			}
			if key := r.key(groups); key != "" {
				all = append(all, Cite{Key: key, Start: m[0], End: m[1]})
			}
		}
	}
	return longest(all)
}

// citing matches what every citation has: a figure, or an amendment or article
// in words.
var citing = regexp.MustCompile(`\d|amend|art\.|article`)

// longest drops readings that overlap a longer one; of equals, the first rule wins.
func longest(all []Cite) []Cite {
	sort.SliceStable(all, func(a, b int) bool { return all[a].End-all[a].Start > all[b].End-all[b].Start })
	var kept []Cite
	for _, c := range all {
		free := true
		for _, k := range kept {
			free = free && (c.End <= k.Start || c.Start >= k.End)
		}
		if free {
			kept = append(kept, c)
		}
	}
	sort.SliceStable(kept, func(a, b int) bool { return kept[a].Start < kept[b].Start })
	return kept
}

// Key gives the key of the first citation in a text, or "".
func Key(text string) string {
	if all := Parse(text); len(all) > 0 {
		return all[0].Key
	}
	return ""
}

// rule is one way to write one kind of citation.
type rule struct {
	hints   []string
	pattern *regexp.Regexp
	key     func(groups []string) string
}

func (r rule) mayMatch(compact string) bool {
	for _, hint := range r.hints {
		if strings.Contains(compact, hint) {
			return true
		}
	}
	return false
}

var spacesAndStops = strings.NewReplacer(" ", "", ".", "")

// normalize lower-cases a query and evens out dashes, quotes and spaces, byte
// for byte where it matters little that offsets shift. Number words after
// "section" or "title" become figures.
func normalize(query string) string {
	text := strings.ToLower(dashes.Replace(query))
	return spellOut(strings.Join(strings.Fields(text), " "))
}

var dashes = strings.NewReplacer("\u2010", "-", "\u2011", "-", "\u2012", "-", "\u2013", "-", "\u2014", "-",
	"\u2212", "-", "\u00a0", " ", "\u2009", " ", "\u202f", " ", "\u2019", "'", "\u2018", "'")

// Dashes replaces typographic dashes, spaces and apostrophes by plain ones.
func Dashes(s string) string { return dashes.Replace(s) }

// Section brings a section number to its normal form: plain hyphens, no spaces,
// no section mark and no full stop at the end.
func Section(s string) string {
	s = strings.TrimSpace(dashes.Replace(s))
	s = strings.TrimLeft(s, "§ ")
	s = strings.Join(strings.Fields(s), "")
	return strings.Trim(s, ".,;:")
}
