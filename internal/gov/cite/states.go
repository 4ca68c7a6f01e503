package cite

import (
	"regexp"
	"sort"
	"strings"
)

// MarylandArticles are the articles of the Maryland Code by the code the
// legislature uses for them; the names serve titles, the short forms citations.
var MarylandArticles = map[string]string{
	"gag": "Agriculture", "gab": "Alcoholic Beverages", "gbo": "Business Occupations and Professions",
	"gbr": "Business Regulation", "gcl": "Commercial Law", "gca": "Corporations and Associations",
	"gcs": "Correctional Services", "gcj": "Courts and Judicial Proceedings", "gcr": "Criminal Law",
	"gcp": "Criminal Procedure", "gec": "Economic Development", "ged": "Education", "gel": "Election Law",
	"gen": "Environment", "get": "Estates and Trusts", "gfl": "Family Law", "gfi": "Financial Institutions",
	"ggp": "General Provisions", "ghg": "Health - General", "gho": "Health Occupations",
	"ghs": "Housing and Community Development", "ghu": "Human Services", "gin": "Insurance",
	"gle": "Labor and Employment", "glu": "Land Use", "glg": "Local Government", "gnr": "Natural Resources",
	"gps": "Public Safety", "gpu": "Public Utilities", "grp": "Real Property", "gsf": "State Finance and Procurement",
	"gsg": "State Government", "gsp": "State Personnel and Pensions", "gtg": "Tax - General", "gtp": "Tax - Property",
	"gtr": "Transportation",
}

// marylandShort are the abbreviations lawyers use, without spaces and stops.
var marylandShort = map[string]string{
	"realprop": "grp", "cts&judproc": "gcj", "cts&jud": "gcj", "ctsandjudproc": "gcj", "cjp": "gcj", "crimlaw": "gcr",
	"crimproc": "gcp", "famlaw": "gfl", "lab&empl": "gle", "laborandempl": "gle", "pubsafety": "gps", "est&trusts": "get",
	"estatesandtrusts": "get", "eleclaw": "gel", "busocc&prof": "gbo", "busreg": "gbr", "comlaw": "gcl", "corps&assns": "gca",
	"educ": "ged", "envir": "gen", "fininst": "gfi", "health-gen": "ghg", "healthgen": "ghg", "ins": "gin", "transp": "gtr",
	"stategovt": "gsg", "statefin&proc": "gsf", "taxgen": "gtg", "taxprop": "gtp", "natres": "gnr",
}

func stateRules() []rule {
	rules := []rule{
		compile("dccode|dcofficial", `d\.? ?c\.? (?:official )?code(?: ann\.?)? ?(?:\(?\d{4}\)? ?)?`+mark+`(\d+[a-z]?(?:-|:)\d+[a-z]*(?:[-.]\d+[a-z]*)*)`, plain("dc")),
		compile("columbiacode|dccode", `(?:district of columbia|washington,? d\.?c\.?) code ?`+mark+`(\d+[a-z]?(?:-|:)\d+[a-z]*(?:[-.]\d+[a-z]*)*)`, plain("dc")),
		compile("dclaw|dcact", `d\.? ?c\.? (?:law|act) (\d+-\d+)`, plain("dc-law")),
		compile("crs|colorev|coloradorev", `(?:c\.? ?r\.? ?s\.?|colo(?:rado|\.)? rev(?:ised|\.)? stat(?:utes?|\.)?)(?: ann\.?)? ?`+mark+dashed, plain("crs")),
		compile("crs|colorev|coloradorev", mustSec+dashed+`,? (?:c\.? ?r\.? ?s\.?|colo(?:rado|\.)? rev(?:ised|\.)? stat(?:utes?|\.)?)`, plain("crs")),
		compile("alacode|alabamacode|codeofala", `(?:ala(?:bama|\.)? code|code of ala(?:bama|\.)?)(?: ann\.?)?,? ?(?:\(?1975\)?,? ?)?`+mark+`(\d+[a-z]?-\d+[a-z]?-\d+[a-z]*(?:\.\d+)?)`, plain("al")),
		compile("ksa|kanstat|kansasstat", `(?:k\.? ?s\.? ?a\.?|kan(?:sas|\.)? stat(?:utes?|\.)?(?: ann(?:otated|\.)?)?)(?: \d{4} supp\.?)? ?`+mark+dashed, plain("ksa")),
		compile("hrs|hawrev|hawaiirev|hawaiʻirev", `(?:h\.? ?r\.? ?s\.?|haw(?:aii|\.|aiʻi)? rev(?:ised|\.)? stat(?:utes?|\.)?)(?: ann\.?)? ?`+mark+dashed, plain("hrs")),
		compile("rig|rhodeislandgen", `(?:r\.? ?i\.? ?g(?:en|\.)?(?:eral|\.)? ?l(?:aws?|\.)?|rhode island general laws)(?: ann\.?)? ?(?:\d{4} ?)?`+mark+dashed, plain("rigl")),
		compile("sf|sanfrancisco", `(?:s\.? ?f\.?|san francisco) ((?:[a-z]+ ){0,4}?)code,? ?`+mark+`(\d+[a-z]?(?:[.-]\d+[a-z]*)*)`, sanFrancisco),
		compile("spanishfork", `spanish fork (?:city )?(?:mun(?:icipal|\.)? )?code ?`+mark+`(\d+\.\d+(?:\.\d+){1,2})`, plain("spanish-fork")),
		compile("md|maryland", `(?:md\.?|maryland)(?: code)?(?: ann\.?| annotated)?,? ?(?:art\.? |article )?([a-z&.' -]{3,40}?),?(?: article)?,? ?`+mark+`(\d+[a-z]?(?:-\d+[a-z]?)+(?:\.\d+)?)`, maryland),
		compile("mdconst", `md\.? const(?:itution|\.)?,? art(?:icle|\.)? ?([ivx]+|\d+)[-]?([a-z])?,? ?`+mark+`(\d+[a-z]?)`, marylandConstitution),
	}
	return append(rules, otherStateRules()...)
}

func plain(kind string) func(g []string) string {
	return func(g []string) string { return join(kind, strings.ToLower(Section(g[1]))) }
}

func maryland(g []string) string {
	name := strings.Trim(g[1], " .,'")
	if code, ok := MarylandArticle(name); ok {
		return join("md", code, Section(g[2]))
	}
	return ""
}

// MarylandArticle finds the code of an article by its name or abbreviation.
func MarylandArticle(name string) (string, bool) {
	compact := compactName(name)
	if code := marylandShort[compact]; code != "" {
		return code, true
	}
	for code, full := range MarylandArticles {
		if compactName(full) == compact {
			return code, true
		}
	}
	return "", false
}

func compactName(s string) string {
	s = strings.ToLower(s)
	return strings.NewReplacer(" ", "", ".", "", ",", "", "'", "", " - ", "", "-", "").Replace(s)
}

func marylandConstitution(g []string) string {
	n := ordinal(g[1])
	if n == 0 {
		return ""
	}
	return join("md", "c"+itoa(n)+g[2], g[3])
}

// sanFrancisco reads the name of one of the city's codes: "police",
// "campaign and governmental conduct". The first word is its short name.
func sanFrancisco(g []string) string {
	words := strings.Fields(g[1])
	if len(words) == 0 || words[0] == "municipal" && len(words) == 1 {
		return ""
	}
	name := words[0]
	if name == "municipal" {
		name = words[1]
	}
	return join("sf", name, strings.ToLower(g[2]))
}

// states are the abbreviations and names of the states whose codes have no
// rule of their own. The key of such a citation is made of the words written:
// ca/penal/187, ny/penal/35.15, fl/stat/776.012.
var states = map[string]string{
	"ak": `alaska`, "az": `ariz(?:ona|\.)?`, "ar": `ark(?:ansas|\.)?`, "ca": `cal(?:ifornia|\.)?`, "ct": `conn(?:ecticut|\.)?`,
	"de": `del(?:aware|\.)?`, "fl": `fla(?:\.)?|florida`, "ga": `ga\.?|georgia`, "id": `idaho`, "il": `ill(?:inois|\.)?`,
	"in": `ind(?:iana|\.)?`, "ia": `iowa`, "ky": `ky\.?|kentucky`, "la": `la\.|louisiana`, "me": `me\.|maine`,
	"ma": `mass(?:achusetts|\.)?`, "mi": `mich(?:igan|\.)?`, "mn": `minn(?:esota|\.)?`, "ms": `miss(?:issippi|\.)?`,
	"mo": `mo\.|missouri`, "mt": `mont(?:ana|\.)?`, "ne": `neb(?:raska|\.)?`, "nv": `nev(?:ada|\.)?`,
	"nh": `n\.? ?h\.?|new hampshire`, "nj": `n\.? ?j\.?|new jersey`, "nm": `n\.? ?m\.?|new mexico`,
	"ny": `n\.? ?y\.?|new york`, "nc": `n\.? ?c\.?|north carolina`, "nd": `n\.? ?d\.?|north dakota`, "oh": `ohio`,
	"ok": `okla(?:homa|\.)?`, "or": `or\.|oregon`, "pa": `pa\.?|pennsylvania`, "sc": `s\.? ?c\.?|south carolina`,
	"sd": `s\.? ?d\.?|south dakota`, "tn": `tenn(?:essee|\.)?`, "tx": `tex(?:as|\.)?`, "ut": `utah`, "vt": `vt\.?|vermont`,
	"va": `va\.?|virginia`, "wa": `wash(?:ington|\.)?`, "wv": `w\.? ?va\.?|west virginia`, "wi": `wis(?:consin|\.)?`,
	"wy": `wyo(?:ming|\.)?`,
}

// otherStateRules reads "State Name-of-code § section". One pattern finds the
// shape for all states; which one it is, is looked up afterwards.
func otherStateRules() []rule {
	const code = ` ((?:[a-z&.']+ ){0,5}?)(?:code|law|laws|stat(?:utes?|\.)?|rcw|c\.l\.)(?: ann(?:otated|\.)?)?(?: tit(?:le|\.)? (\d+[a-z]?))?,? ?` +
		mark + `(\d+[a-z]*(?:[-.:/]\d+[a-z]*)*)`
	names := make([]string, 0, len(states))
	known := make(map[string]*regexp.Regexp, len(states))
	for state, pattern := range states {
		names = append(names, pattern)
		known[state] = regexp.MustCompile(`^(?:` + pattern + `)$`)
	}
	sort.Strings(names)
	return []rule{
		compile("code|law|stat|rcw|cl", `(`+strings.Join(names, "|")+`)`+code, func(g []string) string { return otherState(known, g) }),
		compile("ilcs|illcomp", `(\d{2,3}) (?:ilcs|ill\. comp\. stat\.) ?(\d+/[\d.a-z-]+)`, func(g []string) string {
			return join("il", "ilcs", g[1]+"-"+strings.ReplaceAll(g[2], "/", "-"))
		}),
		compile("rcw|washrev", `(?:rcw|wash\. rev\. code) ?`+mark+`(\d+[a-z]?\.\d+[a-z]?\.\d+)`, func(g []string) string { return join("wa", "rcw", g[1]) }),
		compile("ors|orrev", `(?:ors|or\. rev\. stat\.) ?`+mark+`(\d+\.\d+)`, func(g []string) string { return join("or", "revised", g[1]) }),
		compile("mgl|massgen", `(?:m\.?g\.?l\.?|mass\. gen\. laws),? ?(?:c(?:h|hapter)?\.? ?)(\d+[a-z]?),? ?`+mark+`(\d+[a-z]?(?:/\d+)?)`, func(g []string) string { return join("ma", "general", g[1]+"-"+g[2]) }),
	}
}

func otherState(known map[string]*regexp.Regexp, g []string) string {
	section := Section(g[4])
	if g[3] != "" {
		section = g[3] + "-" + section
	}
	for state, pattern := range known {
		if pattern.MatchString(g[1]) {
			return join(state, slug(g[2]), section)
		}
	}
	return ""
}

var codeNoise = regexp.MustCompile(`\b(?:the|of|ann|annotated|consolidated|cons)\b`)

// slug makes one word of a code's name; abbreviations of common names are
// written out so that both spellings meet.
func slug(name string) string {
	name = codeNoise.ReplaceAllString(strings.NewReplacer(".", " ", "&", " ", "'", "").Replace(name), " ")
	words := strings.Fields(name)
	for i, w := range words {
		if full := codeWords[w]; full != "" {
			words[i] = full
		}
	}
	if len(words) == 0 {
		return "code"
	}
	return strings.Join(words, "-")
}

var codeWords = map[string]string{
	"civ": "civil", "proc": "procedure", "crim": "criminal", "veh": "vehicle", "lab": "labor", "bus": "business",
	"prof": "professions", "fam": "family", "gov": "government", "govt": "government", "prop": "property", "ins": "insurance",
	"gen": "general", "rev": "revised", "comp": "compiled", "evid": "evidence", "health": "health", "prob": "probate",
	"corp": "corporations", "transp": "transportation", "educ": "education", "real": "real", "occ": "occupations",
	"safe": "safety", "welf": "welfare", "inst": "institutions", "pub": "public", "util": "utilities",
}
