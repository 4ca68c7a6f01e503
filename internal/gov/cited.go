package gov

import (
	"regexp"
	"strings"

	"github.com/trawlhq/trawl/internal/gov/publisher"
	"github.com/trawlhq/trawl/internal/index"
)

// citationKeys are the keys under which a citation may be found, best first.
// Only where the first is not in the index the next is tried.
func citationKeys(key string) []string {
	kind, rest, _ := strings.Cut(key, "/")
	switch kind {
	case "const":
		if !strings.Contains(rest, "-section-") {
			return []string{key, key + "-section-1"} // whole amendments are split where they have sections
		}
		whole, _, _ := strings.Cut(key, "-section-")
		return []string{key, whole}
	case "usc":
		return append([]string{key}, shorter(key)...)
	case "cfr-part":
		return append([]string{key}, firstSections(rest)...)
	case "cfr":
		if section, ok := strings.CutPrefix(rest, "48/"); ok {
			return []string{key, "far/" + section}
		}
	case "docket":
		if !strings.Contains(rest, "/") {
			return append([]string{key}, appeals(rest)...)
		}
	case "ksa":
		if m := lostComma.FindStringSubmatch(rest); m != nil {
			return []string{key, "ksa/" + m[1] + "," + m[2]}
		}
	}
	return []string{key}
}

// circuits are the courts of appeals as they stand in the keys of their dockets.
var circuits = []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "district", "federal", "court"}

// appeals are the keys of a docket number in the courts of appeals.
func appeals(number string) []string {
	var out []string
	for _, c := range circuits {
		out = append(out, "docket/"+c+"/"+number)
	}
	return out
}

// lostComma matches Kansas sections typed without their comma: 79-32110.
var lostComma = regexp.MustCompile(`^(\d+-\d{2})(\d{3}[a-z]?)$`)

// suffix matches what may be a paragraph or the end of a range glued to a
// section number: 401k for 401(k), 1961-68.
var suffix = regexp.MustCompile(`^(.*/\d+)(?:[a-z]{1,2}|-\d+)$`)

func shorter(key string) []string {
	if m := suffix.FindStringSubmatch(key); m != nil {
		return []string{m[1]}
	}
	return nil
}

// firstSections are where a part of the CFR usually begins.
func firstSections(part string) []string {
	var out []string
	for _, n := range []string{"1", "0", "2", "3", "5", "10", "100", "101"} {
		out = append(out, "cfr/"+part+"."+n)
	}
	return out
}

// lookUpFirst gives the documents of the first key that is in the index.
func lookUpFirst(rd *index.Reader, keys []string) (key string, found []index.Hit, err error) {
	for _, key := range keys {
		found, err := lookUp(rd, key)
		if err != nil || len(found) > 0 {
			return key, found, err
		}
	}
	return "", nil, nil
}

// actKeys are the keys of a section of an act that is printed by itself, one for
// each name of the act: act/toxic substances control act/306.
func actKeys(u *publisher.Unit) []string {
	_, section, ok := strings.Cut(u.Citation, " § ")
	if u.Type != "statute-compilation" || !ok {
		return nil
	}
	var out []string
	for _, name := range u.Names {
		for _, label := range nameLabels(name) {
			out = append(out, actKey(strings.TrimPrefix(label, nameLabel("")), section))
		}
	}
	return out
}

func actKey(name, section string) string { return "act/" + name + "/" + strings.ToLower(section) }

// sectionAsked matches the section in a query that names an act.
var sectionAsked = regexp.MustCompile(`(?i)(?:§ ?§?|\bsect?(?:ion)?s?\.?) ?(\d+[a-z]{0,2}(?:-\d+[a-z]?)?)\b`)

// citeActs adds the sections of the acts named.
func (u *understood) citeActs(query string) {
	m := sectionAsked.FindStringSubmatch(query)
	if m == nil {
		return
	}
	for _, n := range u.names {
		u.cites = append(u.cites, []string{actKey(n.name, m[1])})
	}
}
