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
//	far/52.249-8  dc/22-3302  md/grp/8-203  ca/pen/187  fl/776.012  …
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
func Parse(text string) []Cite {
	q := newQuery(text)
	if !citing.MatchString(q.text) {
		return nil // most questions hold no figure at all
	}
	var all []reading
	for _, r := range rules {
		if r.mayMatch(q) {
			all = append(all, r.find(q.text)...)
		}
	}
	var out []Cite
	for _, r := range longest(all) {
		for _, key := range r.keys {
			out = append(out, Cite{Key: key, Start: r.start, End: r.end})
		}
	}
	return out
}

// reading is what one rule makes of a piece of text: one citation, or several
// that share a title ("42 U.S.C. §§ 1981, 1983").
type reading struct {
	keys       []string
	start, end int
}

// citing matches what every citation has: a figure, or an amendment or article
// in words.
var citing = regexp.MustCompile(`\d|amend|art\.|article`)

// longest drops readings that overlap a longer one; of equals, the first rule wins.
func longest(all []reading) []reading {
	sort.SliceStable(all, func(a, b int) bool { return all[a].end-all[a].start > all[b].end-all[b].start })
	var kept []reading
	for _, r := range all {
		free := true
		for _, k := range kept {
			free = free && (r.end <= k.start || r.start >= k.end)
		}
		if free {
			kept = append(kept, r)
		}
	}
	sort.SliceStable(kept, func(a, b int) bool { return kept[a].start < kept[b].start })
	return kept
}

// Key gives the key of the first citation in a text, or "".
func Key(text string) string {
	if all := Parse(text); len(all) > 0 {
		return all[0].Key
	}
	return ""
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
