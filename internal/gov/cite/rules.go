package cite

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Pieces of patterns. Text is lower case with plain dashes and single spaces.
const (
	mark    = `(?:§ ?§?|sections?|secs?\.?|s\.)? ?`      // an optional section mark
	mustSec = `(?:§ ?§?|sections?|secs?\.?) ?`           // one that must be there
	section = `(\d+[a-z]{0,6}(?:-\d+[a-z]*)*)`           // 1983, 2000e-2, 78u-6, 25d
	dotted  = `(\d+[a-z]?\.\d+[a-z]*(?:-\d+[a-z]*)*)`    // 1026.23, 1.401(k)-1 without its letters
	dashed  = `(\d+[a-z]?-\d+[a-z]*(?:[-.,]\d+[a-z]*)*)` // 22-3302, 42-4-1301, 13a-3-23, 235-12.5, 79-32,110
	usc     = `u\.? ?s\.? ?c\.?(?: ?a\.?| ?s\.)?`
)

// rules are all spellings. The order only matters between readings of equal length.
var rules = buildRules()

func buildRules() []rule {
	all := federalRules()
	all = append(all, constitutionRules()...)
	all = append(all, reporterRules()...)
	all = append(all, stateRules()...)
	return all
}

// compile makes a rule. hints are separated by bars: without one of them in the
// text, spaces and full stops left out, the pattern cannot match and is not tried.
func compile(hints, pattern string, key func(g []string) string) rule {
	end := `\b`
	if strings.HasSuffix(pattern, `\))?`) {
		end = "" // what ends in a bracket ends there
	}
	return rule{hints: strings.Split(hints, "|"), pattern: regexp.MustCompile(`(?:^|[^\w])` + pattern + end), key: key}
}

func join(kind string, parts ...string) string { return kind + "/" + strings.Join(parts, "/") }

func uscKey(title, sec string) string {
	n, err := strconv.Atoi(title)
	if err != nil || n < 1 || n > 54 {
		return ""
	}
	return join("usc", title, uscCase(sec))
}

// uscCase restores the letter case of section numbers: "25d" of title 26 and
// the like are printed with capitals, "2000e-2" and "552a" with small letters.
// The key keeps small letters everywhere, so both spellings meet.
func uscCase(sec string) string { return strings.ToLower(Section(sec)) }

func cfrKey(title, sec string) string {
	n, err := strconv.Atoi(title)
	if err != nil || n < 1 || n > 50 {
		return ""
	}
	sec = strings.ToLower(Section(sec))
	if n == 48 && !strings.HasPrefix(sec, "2") || n == 48 && len(strings.Split(sec, ".")[0]) <= 2 {
		return join("far", sec)
	}
	return join("cfr", title, sec)
}

func federalRules() []rule {
	return []rule{
		compile("usc|uscode|unitedstatescode", `(\d{1,2}) ?(?:`+usc+`|us code|united states code),? ?`+mark+section, func(g []string) string { return uscKey(g[1], g[2]) }),
		compile("title", `title (\d{1,2}),?(?: of the)?(?: ?`+usc+`| united states code| us code)?,? `+mustSec+section, func(g []string) string { return uscKey(g[1], g[2]) }),
		compile("title", mustSec+section+`(?: ?\([a-z0-9]+\))*,? (?:of )?title (\d{1,2})(?:,? ?(?:of the )?(?:`+usc+`|united states code|us code))?`, func(g []string) string { return uscKey(g[2], g[1]) }),
		compile("irc|revenuecode|taxcode", `(?:i\.? ?r\.? ?c\.?|internal revenue code|tax code) ?`+mark+section, func(g []string) string { return uscKey("26", g[1]) }),
		compile("irc|revenuecode|taxcode", mustSec+section+`(?: ?\([a-z0-9]+\))* of the (?:i\.?r\.?c\.?|internal revenue code|tax code)`, func(g []string) string { return uscKey("26", g[1]) }),
		compile("bankruptcycode", `bankruptcy code ?`+mark+section, func(g []string) string { return uscKey("11", g[1]) }),
		compile("cfr|codeoffederal", `(\d{1,2}) ?(?:c\.? ?f\.? ?r\.?|code of federal regulations),? ?(?:parts? )?`+mark+dotted, func(g []string) string { return cfrKey(g[1], g[2]) }),
		compile("cfr", `(\d{1,2}) ?(?:c\.? ?f\.? ?r\.?),? ?(?:parts?|pt\.?)? ?(\d+)`, func(g []string) string { return join("cfr-part", g[1], g[2]) }),
		compile("cfr|codeoffederal", `title (\d{1,2}),?(?: of the)? (?:c\.?f\.?r\.?|code of federal regulations),? `+mark+dotted, func(g []string) string { return cfrKey(g[1], g[2]) }),
		compile("treas", `treas(?:ury|\.)? reg(?:ulation|s|\.)?\.? ?`+mark+dotted, func(g []string) string { return cfrKey("26", g[1]) }),
		compile("reg", `reg(?:ulation|\.)? ([a-z]{1,2}),? ?`+mark+dotted, regulationSection),
		compile("far", `(?:48 c\.?f\.?r\.? )?far ?(?:clause |subpart |part )?`+mark+dotted, func(g []string) string { return join("far", g[1]) }),
		compile("pub|pl", `(?:pub(?:lic|\.)? ?l(?:aw|\.)?|p\.? ?l\.?) ?(?:no\.? ?)?(\d{2,3})-(\d{1,4})`, func(g []string) string { return join("plaw", g[1]+"-"+g[2]) }),
		compile("fr|fedreg|federalreg", `(\d{1,3}) (?:f\.? ?r\.?|fed(?:eral|\.)? ?reg(?:ister|\.)?) ?(\d[\d,]{2,})`, func(g []string) string { return join("frpage", g[1], strings.ReplaceAll(g[2], ",", "")) }),
		compile("frdoc|registerdoc", `(?:fr|federal register) doc(?:ument|\.)? ?(?:no\.? ?)?((?:e\d|\d{2,4})-\d{3,6})`, func(g []string) string { return join("fr", g[1]) }),
		compile("20", `(20[012]\d-\d{5})`, func(g []string) string { return join("fr", g[1]) }),
		compile("order|eo", `(?:executive order|exec\. order|e\.? ?o\.?) ?(?:no\.? ?)?(\d{4,5})`, func(g []string) string { return join("eo", g[1]) }),
		compile("stat", `(\d{1,3}) stat\.? (\d+)`, func(g []string) string { return join("stat", g[1], g[2]) }),
		compile("fed", `(?:fed(?:eral|\.)? ?r(?:ules?|\.)? ?(?:of )?)(civ(?:il|\.)?|crim(?:inal|\.)?|evid(?:ence|\.)?|app(?:ellate|\.)?|bankr(?:uptcy|\.)?) ?(?:p(?:rocedure|\.)?)? ?(?:rule )?(\d+(?:\.\d+)?)`, ruleOfCourt),
		compile("frcp|frcrp|fre|frap|frbp", `(frcp|frcrp|fre|frap|frbp) ?(?:rule )?(\d+(?:\.\d+)?)`, func(g []string) string { return join(g[1], g[2]) }),
		compile("rev", `rev(?:enue|\.)? ?(proc(?:edure|\.)?|rul(?:ing|\.)?)\.? ?(\d{2,4}-\d+)`, revenueDocument),
		compile("notice", `(?:irs )?notice (\d{4}-\d+)`, func(g []string) string { return join("irs", "notice-"+g[1]) }),
		compile("800-53", `(?:(?:nist )?(?:sp )?800-53,? ?(?:r(?:ev(?:ision|\.)?)? ?\d)?,? ?(?:control )?)([a-z]{2}-\d{1,2}(?:\.\d+)?)(?: ?\((\d+)\))?`, nistControl),
		compile("bva|boardofveterans", `(?:bva|board of veterans'? appeals)(?: citation)?(?: (?:nr|no)\.?:?)? ?(\d{7})`, func(g []string) string { return join("bva", g[1]) }),
	}
}

// regulationParts are the parts of title 12 behind the letters of the banking
// regulations, as they stand since their transfer to the consumer bureau.
var regulationParts = map[string]string{
	"b": "1002", "c": "1003", "e": "1005", "f": "1006", "g": "1007", "h": "1008", "i": "1009", "j": "1010",
	"k": "1011", "l": "1012", "m": "1013", "n": "1014", "o": "1015", "p": "1016", "v": "1022", "x": "1024",
	"z": "1026", "dd": "1030", "cc": "229", "d": "204", "q": "217", "u": "221", "t": "220", "w": "223", "y": "225",
}

func regulationSection(g []string) string {
	part, _, _ := strings.Cut(g[2], ".")
	known := regulationParts[g[1]]
	switch {
	case known == "":
		return ""
	case part == known:
		return join("cfr", "12", g[2])
	case len(part) == 3: // the numbering of the Federal Reserve, e.g. 226.23
		_, rest, _ := strings.Cut(g[2], ".")
		return join("cfr", "12", known+"."+rest)
	}
	return ""
}

// RegulationPart gives the CFR part behind a lettered banking regulation.
func RegulationPart(letters string) (part string, ok bool) {
	part, ok = regulationParts[strings.ToLower(letters)]
	return part, ok
}

func ruleOfCourt(g []string) string {
	for prefix, kind := range map[string]string{"civ": "frcp", "crim": "frcrp", "evid": "fre", "app": "frap", "bankr": "frbp"} {
		if strings.HasPrefix(g[1], prefix) {
			return join(kind, g[2])
		}
	}
	return ""
}

func revenueDocument(g []string) string {
	kind := "rev-proc"
	if strings.HasPrefix(g[1], "rul") {
		kind = "rev-rul"
	}
	return join("irs", kind+"-"+g[2])
}

func nistControl(g []string) string {
	key := join("nist80053", strings.ToUpper(g[1]))
	if g[2] != "" {
		key += fmt.Sprintf("(%s)", g[2])
	}
	return key
}

func constitutionRules() []rule {
	const number = `([ivx]{1,6}|\d{1,2}(?:st|nd|rd|th)?|(?:twenty-)?(?:first|second|third|fourth|fifth|sixth|seventh)|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth)`
	const inside = `(?:,? (?:§|section|sec\.?) ?(\d{1,2}))?`
	const lead = `(?:u\.? ?s\.? ?const(?:itution|\.)?,? ?)`
	return []rule{
		compile("amend", lead+`?amend(?:ment|\.)? ?`+number+inside, func(g []string) string { return constKey("amendment", g[1], g[2], 27) }),
		compile("amend", number+` amendment`+inside, func(g []string) string { return constKey("amendment", g[1], g[2], 27) }),
		compile("const", lead+`art(?:icle|\.)? ?`+number+inside, func(g []string) string { return constKey("article", g[1], g[2], 7) }),
		compile("article", `article ([ivx]+|\d),? (?:§|section|sec\.?) ?(\d{1,2})(?:,? (?:of the )?(?:u\.?s\.? )?constitution)?`, func(g []string) string { return constKey("article", g[1], g[2], 7) }),
	}
}

func constKey(kind, number, sec string, last int) string {
	n := ordinal(number)
	if n < 1 || n > last {
		return ""
	}
	key := fmt.Sprintf("const/us/%s-%d", kind, n)
	if sec != "" {
		key += "-section-" + sec
	}
	return key
}
