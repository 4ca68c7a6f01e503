package cite

import (
	"regexp"
	"slices"
	"strings"
)

// state is a state (or the District) and how the citations of its law look.
type state struct {
	code string // as in "ca"
	name string // a pattern for its name and abbreviations
	kind string // first part of the keys; empty: the code itself
	many bool   // has several codes, told apart by their names
}

// states in an order that puts longer names before those they contain.
var states = []state{
	{code: "wv", name: `w\.? ?va\.?|west virginia|wv`}, {code: "dc", name: `d\.? ?c\.?|district of columbia|washington,? d\.?c\.?`},
	{code: "ak", name: `alaska|ak`}, {code: "al", name: `ala(?:bama|\.)?|al`}, {code: "az", name: `ariz(?:ona|\.)?|az`},
	{code: "ar", name: `ark(?:ansas|\.)?|ar`}, {code: "ca", name: `cal(?:ifornia|if\.|\.)?|ca`, many: true},
	{code: "co", name: `colo(?:rado|\.)?|co`, kind: "crs"}, {code: "ct", name: `conn(?:ecticut|\.)?|ct`}, {code: "de", name: `del(?:aware|\.)?|de`},
	{code: "fl", name: `fla(?:\.)?|florida|fl`}, {code: "ga", name: `ga\.?|georgia`},
	{code: "hi", name: `haw(?:aii|\.|ai'i)?|hi`, kind: "hrs"}, {code: "id", name: `idaho`}, {code: "il", name: `ill(?:inois|\.)?|il`},
	{code: "in", name: `ind(?:iana|\.)?`}, {code: "ia", name: `iowa|ia`}, {code: "ks", name: `kan(?:sas|\.)?|ks`, kind: "ksa"},
	{code: "ky", name: `ky\.?|kentucky`}, {code: "la", name: `la\.?|louisiana`, many: true}, {code: "me", name: `me\.|maine`},
	{code: "ma", name: `mass(?:achusetts|\.)?|ma`}, {code: "mi", name: `mich(?:igan|\.)?|mi`}, {code: "mn", name: `minn(?:esota|\.)?|mn`},
	{code: "ms", name: `miss(?:issippi|\.)?|ms`}, {code: "mo", name: `mo\.?|missouri`}, {code: "mt", name: `mont(?:ana|\.)?|mt`},
	{code: "ne", name: `neb(?:raska|\.)?|ne`}, {code: "nv", name: `nev(?:ada|\.)?|nv`}, {code: "nh", name: `n\.? ?h\.?|new hampshire`},
	{code: "nj", name: `n\.? ?j\.?|new jersey`}, {code: "nm", name: `n\.? ?m\.?|new mexico`}, {code: "ny", name: `n\.? ?y\.?|new york`, many: true},
	{code: "nc", name: `n\.? ?c\.?|north carolina`}, {code: "nd", name: `n\.? ?d\.?|north dakota`}, {code: "oh", name: `ohio|oh`},
	{code: "ok", name: `okla(?:homa|\.)?`}, {code: "or", name: `or\.|ore(?:gon|\.)`}, {code: "pa", name: `pa\.?|pennsylvania`},
	{code: "ri", name: `r\.? ?i\.?|rhode island`, kind: "rigl"}, {code: "sc", name: `s\.? ?c\.?|south carolina`},
	{code: "sd", name: `s\.? ?d\.?|south dakota`}, {code: "tn", name: `tenn(?:essee|\.)?|tn`}, {code: "tx", name: `tex(?:as|\.)?|tx`, many: true},
	{code: "ut", name: `utah|ut`}, {code: "vt", name: `vt\.?|vermont`}, {code: "va", name: `va\.?|virginia`},
	{code: "wa", name: `wash(?:ington|\.)?|wa`}, {code: "wi", name: `wis(?:consin|\.|c\.)?|wi`}, {code: "wy", name: `wyo(?:ming|\.)?|wy`},
	{code: "md", name: `md\.?|maryland`, many: true},
}

// stateNames is one pattern for all of them.
var stateNames = func() string {
	var names []string
	for _, s := range states {
		names = append(names, s.name)
	}
	return strings.Join(names, "|")
}()

var stateByName = func() map[string]*regexp.Regexp {
	known := make(map[string]*regexp.Regexp, len(states))
	for _, s := range states {
		known[s.code] = regexp.MustCompile(`^(?:` + s.name + `)$`)
	}
	return known
}()

// stateOf gives the code of a state by its name or abbreviation.
func stateOf(name string) string {
	for _, s := range states {
		if stateByName[s.code].MatchString(name) {
			return s.code
		}
	}
	return ""
}

// stateRules read "State Name-of-code § section" in its turns. One pattern
// finds the shape for all states; which one it is, is looked up afterwards.
func stateRules() []rule {
	const (
		// Between the state and the section: "Rev. Stat. Ann. tit. 17-A,", "Code of Civil Procedure".
		codeName = `((?:[a-z&.'-]+,? ){0,6}?)(code|codes|codified laws|laws?|l\.?|stats?\.?|statutes?|st\.?)` +
			`(?: (?:of )?((?:civ(?:il|\.)?|crim(?:inal|\.)?) ?proc(?:edure|\.)?))?(?:,? ann(?:otated|\.)?)?`
		title = `(?:,? tit(?:le|\.)? (\d+(?:-?[a-z])?))?`
		year  = `(?:,? \(?(?:19|20)\d\d\)?)?(?: supp\.?)?`
		sign  = `(?:§ ?§? ?|sect?(?:ion)?s?\.? ?|ss?\. ?|arts?\.? ?|articles? )`
	)
	names := `(` + stateNames + `)`
	const hints = "code|law|stat|=l|=st"
	forward := func(g []string) []string { return listOf(stateKey(g[1], g[2]+" "+g[4], g[3], g[5], g[7], g[6] != "")) }
	out := []rule{
		compileMany(hints, names+`'?s?,? `+codeName+title+year+`,? ?(`+sign+`)?`+stateSection, forward),
		compileMany("codeof|statutesof|lawsof", `(code|statutes|laws) of (?:the state of )?`+names+`(?:,? ann(?:otated|\.)?)?`+title+year+`,? ?(`+sign+`)?`+stateSection, func(g []string) []string {
			return listOf(stateKey(g[2], "", g[1], g[3], g[5], g[4] != ""))
		}),
		compileMany(hints, sign+stateSection+paragraphs+`,? (?:of |under )?(?:the )?`+names+`'?s? `+codeName, func(g []string) []string {
			return listOf(stateKey(g[2], g[3]+" "+g[5], g[4], "", g[1], true))
		}),
		compileMany("codeof|statutesof|lawsof", sign+stateSection+paragraphs+`,? (?:of |under )(?:the )?(code|statutes|laws) of (?:the state of )?`+names, func(g []string) []string {
			return listOf(stateKey(g[3], "", g[2], "", g[1], true))
		}),
		compileMany("code|law", `((?:[a-z&.]+ ){1,4}?)(code|law),? ?`+sign+`?`+stateSection+paragraphs+`,? \(?(?:in |of )?`+names, func(g []string) []string {
			return listOf(stateKey(g[4], g[1], g[2], "", g[3], true))
		}),
	}
	return append(append(out, initialRules()...), titleFirstRules()...)
}

// stateKey makes the key of a section. name is what stands before the word
// "code" or "law"; signed says that a section mark stood before the number.
func stateKey(place, name, word, title, section string, signed bool) string {
	i := slices.IndexFunc(states, func(s state) bool { return stateByName[s.code].MatchString(place) })
	if i < 0 {
		return ""
	}
	s := states[i]
	section = strings.ToLower(Section(section))
	if title != "" {
		section = titled(title) + "-" + section
	}
	kind := s.kind
	if kind == "" {
		kind = s.code
	}
	if s.many {
		slug := slug(name)
		if s.code == "la" && (slug == "" || slug == "rev") {
			slug = "rev"
		}
		if slug == "" || s.code == "md" || strings.HasPrefix(word, "law") && s.code != "ny" {
			return "" // Maryland has rules of its own
		}
		return join(kind, slug, section)
	}
	if !signed && !strings.ContainsAny(section, "-.:/") {
		return "" // "Ohio law 18 years" is no citation
	}
	return join(kind, section)
}

// titled brings a title to one form: 17-A and 17A are the same.
func titled(title string) string { return strings.ReplaceAll(strings.ToLower(title), "-", "") }

var codeNoise = map[string]bool{"the": true, "of": true, "and": true, "ann": true, "annotated": true, "consolidated": true, "cons": true,
	"mckinney": true, "mckinneys": true, "vernon": true, "vernons": true, "west": true, "wests": true, "state": true, "code": true}

// slug makes one word of a code's name from the beginnings of its words, so that
// "Bus. & Prof." and "Business and Professions" meet. Three letters are enough,
// but for words in pro-: probate, procedure, professions, property.
func slug(name string) string {
	name = strings.NewReplacer(".", " ", "&", " ", "'", "", ",", " ", "-", " ").Replace(name)
	var parts []string
	for _, w := range strings.Fields(name) {
		if codeNoise[w] {
			continue
		}
		n := 3
		if strings.HasPrefix(w, "pro") {
			n = 4
		}
		parts = append(parts, w[:min(n, len(w))])
	}
	return strings.Join(parts, "-")
}
