package cite

import (
	"strconv"
	"strings"
)

const cfr = `(?:c\.? ?f\.? ?r\.?|code of federal regulations)`

// regulationRules read the Code of Federal Regulations, its lettered
// regulations, and the acquisition regulations of title 48.
func regulationRules() []rule {
	return []rule{
		compile("cfr|codeoffederal", `(\d{1,2}) ?`+cfr+`,? ?(?:parts? |pt\.? )?`+mark+dotted+paragraphs, func(g []string) string { return cfrKey(g[1], g[2]) }),
		compile("cfr|codeoffederal", `(\d{1,2}) ?`+cfr+`,? ?(?:parts? )?`+mark+`(\d+\.\d+[a-z]?)(?: ?- ?| to | through )\d+\.\d+[a-z]?`, func(g []string) string { return cfrKey(g[1], g[2]) }),
		compile("cfr|codeoffederal", `title (\d{1,2}),?(?: of the)? `+cfr+`,? ?`+mark+dotted, func(g []string) string { return cfrKey(g[1], g[2]) }),
		compile("cfr|codeoffederal", cfr+`,? title (\d{1,2}),? ?`+mark+dotted, func(g []string) string { return cfrKey(g[1], g[2]) }),
		compile("title", mustSec+dotted+paragraphs+`,? (?:of |under )title (\d{1,2})(?:,? ?(?:of the )?`+cfr+`)?`, func(g []string) string { return cfrKey(g[2], g[1]) }),
		compile("cfr|codeoffederal", mustSec+dotted+paragraphs+`,? (?:of |under )(\d{1,2}) ?`+cfr, func(g []string) string { return cfrKey(g[2], g[1]) }),
		compile("cfr|codeoffederal", `(\d{1,2}) ?`+cfr+`,? ?(?:parts?|pts?\.?)? ?(\d+)`, func(g []string) string { return join("cfr-part", g[1], g[2]) }),
		compile("part", `part (\d+) of title (\d{1,2})(?:,? ?(?:of the )?`+cfr+`)?`, func(g []string) string { return join("cfr-part", g[2], g[1]) }),
		compile("treas", `treas(?:ury|\.)? ?reg(?:ulation|\.)?s?\.? ?`+mark+dotted+paragraphs, func(g []string) string { return cfrKey("26", g[1]) }),
		compile("reg", `reg(?:ulation|\.)? ([a-z]{1,2}),? ?(?:12 ?`+cfr+`,? ?)?`+mark+dotted, regulationSection),
		compile("dfars|defensefederalacq", `(?:48 ?`+cfr+` )?(?:dfars|defense federal acquisition regulation supplement),? ?(?:clause |subpart |part )?`+mark+dotted, func(g []string) string { return join("cfr", "48", g[1]) }),
		compile("far|federalacquisition", `(?:48 ?`+cfr+` )?(?:f\.? ?a\.? ?r\.?|federal acquisition regulations?),? ?(?:clause |subpart |part )?`+mark+dotted+paragraphs, func(g []string) string { return join("far", g[1]) }),
	}
}

// farParts is the first part of title 48 that is not the Federal Acquisition
// Regulation itself but a supplement of an agency.
const farParts = 200

func cfrKey(title, sec string) string {
	n, err := strconv.Atoi(title)
	if err != nil || n < 1 || n > 50 {
		return ""
	}
	sec = strings.ToLower(Section(sec))
	part, _, _ := strings.Cut(sec, ".")
	if p, err := strconv.Atoi(part); err == nil && n == 48 && p < farParts {
		return join("far", sec)
	}
	return join("cfr", strconv.Itoa(n), sec)
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
