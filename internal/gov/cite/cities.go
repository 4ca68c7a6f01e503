package cite

import "strings"

// cities are the codes of cities by how people name the city. The kind is the
// first part of the key; initials, where there are any, name the code itself.
var cities = []struct{ kind, hints, name, initials string }{
	{"nyc", "nyc|newyorkcity", `n\.? ?y\.? ?c\.?|new york city`, ""},
	{"chicago", "chi", `chi(?:cago|\.)`, ""},
	{"los-angeles", "la|losangeles", `l\.? ?a\.?|los angeles`, `lamc|l\.a\.m\.c\.`},
	{"seattle", "seattle", `seattle`, `smc|s\.m\.c\.`},
	{"philadelphia", "phila", `phila(?:delphia|\.)`, ""},
	{"berkeley", "berkeley", `berkeley`, `bmc|b\.m\.c\.`},
	{"spanish-fork", "spanishfork", `spanish fork`, ""},
	{"boston", "boston", `boston`, ""}, {"denver", "denver", `denver`, ""}, {"houston", "hous", `hous(?:ton|\.)`, ""},
	{"austin", "austin", `austin`, ""}, {"portland", "portland", `portland`, ""}, {"oakland", "oakland", `oakland`, ""},
	{"san-diego", "sandiego", `san diego`, ""}, {"san-jose", "sanjos", `san jos[eé]`, ""}, {"minneapolis", "minneapolis", `minneapolis`, ""},
	{"miami", "miami", `miami`, ""}, {"atlanta", "atlanta", `atlanta`, ""}, {"dallas", "dallas", `dallas`, ""},
}

// cityRules read municipal codes.
func cityRules() []rule {
	const words = `(?: city)?(?: (?:mun(?:icipal|\.)?|admin(?:istrative|\.)?|rev(?:ised|\.)?|code))*?,? (?:code|ordinances?)(?: of ordinances)?,? ?`
	out := []rule{
		compile("sf|sanfrancisco", `(?:s\.? ?f\.?|san francisco)'?s?(?:, cal(?:ifornia|\.)?)?,? ((?:[a-z&.,]+ ){0,6}?)code,? ?`+mark+cityNumber, sanFrancisco),
		compile("sf|sanfrancisco", mustSec+cityNumber+paragraphs+`,? (?:of )?(?:the )?(?:s\.? ?f\.?|san francisco) ((?:[a-z&.,]+ ){0,6}?)code`, func(g []string) string {
			return sanFrancisco([]string{g[0], g[2], g[1]})
		}),
	}
	for _, c := range cities {
		key := func(g []string) string { return join(c.kind, strings.ToLower(Section(g[1]))) }
		out = append(out,
			compile(c.hints, `(?:`+c.name+`)`+words+mark+stateSection, key),
			compile(c.hints, mustSec+stateSection+paragraphs+`,? of (?:the )?(?:`+c.name+`)`+strings.TrimSuffix(words, `,? ?`), key))
		if c.initials != "" {
			out = append(out, compile("mc", `(?:`+c.initials+`),? ?`+mark+stateSection, key))
		}
	}
	return out
}

const cityNumber = `(\d+[a-z]?(?:[.-]\d+[a-z]*)*)`

// sanFranciscoCodes are the city's codes by the word they are known under.
var sanFranciscoCodes = []string{"administrative", "building", "business", "campaign", "elections", "electrical", "environment", "fire", "health",
	"housing", "labor", "mechanical", "municipal", "park", "planning", "plumbing", "police", "port", "public", "subdivision",
	"transportation", "zoning"}

// sanFrancisco reads the name of one of the city's codes: "police", "admin.",
// "campaign and governmental conduct". Its first word tells which.
func sanFrancisco(g []string) string {
	for _, w := range strings.FieldsFunc(g[1], func(r rune) bool { return r == ' ' || r == '.' || r == ',' || r == '&' }) {
		if w == "municipal" || w == "mun" || w == "city" || w == "code" {
			continue
		}
		for _, name := range sanFranciscoCodes {
			if len(w) >= 3 && strings.HasPrefix(name, w) {
				return join("sf", name, strings.ToLower(g[2]))
			}
		}
		return join("sf", w, strings.ToLower(g[2]))
	}
	return ""
}
