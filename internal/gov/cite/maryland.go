package cite

import "strings"

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

// marylandLetters are the two letters by which the legislature and the courts
// know some articles.
var marylandLetters = map[string]string{
	"cj": "gcj", "cjp": "gcj", "cl": "gcl", "cr": "gcr", "cp": "gcp", "rp": "grp", "fl": "gfl", "hg": "ghg", "ho": "gho", "le": "gle",
	"ps": "gps", "sg": "gsg", "sf": "gsf", "tr": "gtr", "tg": "gtg", "tp": "gtp", "et": "get", "ed": "ged", "en": "gen", "el": "gel",
	"bo": "gbo", "br": "gbr", "ca": "gca", "fi": "gfi", "hs": "ghs", "nr": "gnr", "pu": "gpu", "lg": "glg", "lu": "glu", "gp": "ggp",
}

func marylandRules() []rule {
	const state = `(?:md\.?|maryland)`
	const number = `(\d+[a-z]?(?:-\d+[a-z]?)+(?:\.\d+)?)`
	const name = `([a-z][a-z&.', -]{1,48}?)`
	read := func(g []string) string { return marylandSection(g[1], g[2]) }
	turned := func(g []string) string { return marylandSection(g[2], g[1]) }
	return []rule{
		compile("md|maryland", state+`'?s?,? (?:code,? ?)?(?:ann(?:otated|\.)?,? ?)?(?:art(?:icle|\.)? )?`+name+`,? ?(?:article|art\.|code)?,? ?(?:ann(?:otated|\.)?,? ?)?`+mark+number, read),
		compile("md|maryland", mustSec+number+paragraphs+`,? (?:of )?(?:the )?`+state+`,? (?:code,? ?)?(?:ann(?:otated|\.)?,? ?)?`+name+`(?: article| code|$)`, turned),
		compile("md|maryland", mustSec+number+paragraphs+`,? (?:of )?(?:the )?`+name+` article,? (?:of )?(?:the )?`+state+` code`, turned),
		compile("md|maryland", name+`(?: article)?,? ?`+mustSec+number+`,? \(?`+state, read),
		compile("mdconst|marylandconst", state+` const(?:itution|\.)?,? art(?:icle|\.)? ?([ivx]+|\d+)-?([a-z])?,? ?`+mark+`(\d+[a-z]?)`, marylandConstitution),
	}
}

func marylandSection(article, number string) string {
	code, ok := MarylandArticle(article)
	if !ok {
		return ""
	}
	return join("md", code, Section(number))
}

func marylandConstitution(g []string) string {
	n := ordinal(g[1])
	if n == 0 {
		return ""
	}
	return join("md", "c"+itoa(n)+g[2], g[3])
}

// marylandWords are the names of the articles in words.
var marylandWords = func() map[string][]string {
	out := make(map[string][]string, len(MarylandArticles))
	for code, name := range MarylandArticles {
		out[code] = articleWords(name)
	}
	return out
}()

// MarylandArticle finds the code of an article by its name or an abbreviation:
// each word may be cut short, as in "Real Prop." or "Cts. & Jud. Proc."
func MarylandArticle(name string) (string, bool) {
	words := articleWords(name)
	if len(words) == 1 {
		if code := marylandLetters[words[0]]; code != "" {
			return code, true
		}
	}
	found := ""
	for code, full := range marylandWords {
		if !abbreviates(words, full) {
			continue
		}
		if found != "" {
			return "", false // "Tax" may be either
		}
		found = code
	}
	return found, found != ""
}

// articleWords gives the words of an article's name that count.
func articleWords(name string) []string {
	name = strings.NewReplacer(".", " ", ",", " ", "&", " ", "-", " ", "'", "").Replace(strings.ToLower(name))
	var out []string
	for _, w := range strings.Fields(name) {
		switch w {
		case "and", "the", "of", "article", "code":
		default:
			out = append(out, w)
		}
	}
	return out
}

// contracted are abbreviations that leave out letters inside a word.
var contracted = map[string]string{"cts": "courts", "ct": "courts", "assns": "associations", "assn": "associations", "govt": "government", "envt": "environment", "cmty": "community", "dept": "department"}

func abbreviates(short, full []string) bool {
	if len(short) != len(full) {
		return false
	}
	for i, w := range short {
		if long := contracted[w]; long != "" {
			w = long
		}
		if len(w) < 2 || !strings.HasPrefix(full[i], strings.TrimSuffix(w, "s")) {
			return false
		}
	}
	return true
}
