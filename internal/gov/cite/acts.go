package cite

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// actTable says where the sections of well-known acts stand in the Code. Lawyers
// cite the act ("INA § 212", "section 404 of ERISA"), the index knows the Code.
//
//go:embed acts.tsv
var actTable string

// act is a line of the table.
type act struct {
	names  string // a pattern
	hints  string
	title  string
	offset int // added to a section number; zero: the numbers are the Code's own
	places map[string]string
	only   bool // sections without a place of their own are not known
}

// actRules read sections of acts, the act before or behind the section.
func actRules() []rule {
	var out []rule
	for _, a := range readActs(actTable) {
		one := func(sec string) string { return a.key(sec) }
		out = append(out,
			compile(a.hints, `(?:`+a.names+`)(?: act)?,? ?(?:§ ?§? ?|sect?(?:ion)?s?\.? ?|art(?:icle|\.)s? ?)?`+actSection+paragraphs, func(g []string) string { return one(g[1]) }),
			compile(a.hints, `(?:§ ?§? ?|sect?(?:ion)?s?\.? ?|art(?:icle|\.)s? ?)`+actSection+paragraphs+`,? (?:of |under )?(?:the )?(?:`+a.names+`)`, func(g []string) string { return one(g[1]) }))
	}
	return out
}

const actSection = `(\d+[a-z]?(?:-\d+[a-z]?)?)`

// readActs reads the table: names separated by bars, title, offset, and places
// as "212=1182". A line whose offset is a hyphen knows only the places listed.
func readActs(table string) []act {
	var out []act
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		a := act{names: actPattern(cells[0]), hints: actHints(cells[0]), title: cells[1], places: make(map[string]string)}
		if a.only = cells[2] == "-"; !a.only {
			n, err := strconv.Atoi(cells[2])
			if err != nil { // the table is part of the program
				panic(fmt.Sprintf("acts.tsv: %s: offset %q", cells[0], cells[2]))
			}
			a.offset = n
		}
		if len(cells) > 3 {
			for place := range strings.FieldsSeq(cells[3]) {
				from, to, _ := strings.Cut(place, "=")
				a.places[from] = to
			}
		}
		out = append(out, a)
	}
	return out
}

// actPattern makes a pattern of names: initials may have full stops.
func actPattern(names string) string {
	var out []string
	for name := range strings.SplitSeq(names, "|") {
		name = strings.ToLower(strings.TrimSpace(name))
		if strings.ContainsAny(name, " ") {
			out = append(out, regexp.QuoteMeta(name))
			continue
		}
		out = append(out, strings.Join(strings.Split(name, ""), `\.?`)+`\.?`)
	}
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) }) // the longest name first
	return strings.Join(out, "|")
}

// hints are the names as they look without spaces and full stops; initials must
// be words of their own, else ESA would be looked for in "wholesale".
func actHints(names string) string {
	var out []string
	for name := range strings.SplitSeq(strings.ToLower(names), "|") {
		hint := spacesAndStops.Replace(name)
		if !strings.Contains(name, " ") {
			hint = "=" + hint
		}
		out = append(out, hint)
	}
	return strings.Join(out, "|")
}

// key finds a section in the Code.
func (a act) key(sec string) string {
	if place := a.places[sec]; place != "" {
		if title, section, ok := strings.Cut(place, "/"); ok {
			return uscKey(title, section)
		}
		return uscKey(a.title, place)
	}
	if a.only {
		return ""
	}
	if a.offset == 0 {
		return uscKey(a.title, sec)
	}
	n, err := strconv.Atoi(sec)
	if err != nil || n >= a.offset {
		return ""
	}
	return uscKey(a.title, strconv.Itoa(n+a.offset))
}
