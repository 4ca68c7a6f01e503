package cite

import (
	"regexp"
	"slices"
	"strings"
)

// initials are codes known by their letters: "RCW 9A.36.011", "N.J.S.A. 2C:35-10".
// The shape, where given, is what a section of that code looks like; two letters
// alone say too little.
var initials = []struct{ letters, kind, shape string }{
	{"crs", "crs", `-`}, {"ksa", "ksa", `-`}, {"hrs", "hrs", `-`}, {"rigl", "rigl", `-`},
	{"rcw", "wa", `^\d+[a-z]?\.`}, {"rcwa", "wa", `^\d+[a-z]?\.`}, {"ors", "or", `\.`}, {"mcl", "mi", `\.`}, {"mcla", "mi", `\.`}, {"nrs", "nv", `\.`},
	{"ars", "az", `-`}, {"aca", "ar", `-.*-`}, {"ocga", "ga", `-.*-`}, {"tca", "tn", `-.*-`}, {"krs", "ky", `\.`},
	{"rsmo", "mo", `\.`}, {"vams", "mo", `\.`}, {"nmsa", "nm", `-.*-`}, {"uca", "ut", `-`}, {"mca", "mt", `-.*-`},
	{"ncgs", "nc", `-`}, {"ncgsa", "nc", `-`}, {"gs", "nc", `^\d+[a-z]?-\d`}, {"sdcl", "sd", `-`}, {"ndcc", "nd", `-.*-`},
	{"orc", "oh", `^\d{3,4}\.`}, {"rc", "oh", `^\d{4}\.\d{2}`}, {"njsa", "nj", `:`}, {"njs", "nj", `:`}, {"rsa", "nh", `:`}, {"nhrsa", "nh", `:`},
	{"cgs", "ct", `-`}, {"cgsa", "ct", `-`}, {"fs", "fl", `^\d{2,4}\.\d{2,}`}, {"fsa", "fl", `\.`}, {"ws", "wy", `-.*-`},
	{"as", "ak", `^\d{2}\.\d{2}\.\d{3}`}, {"ic", "in", `-.*-.*-`}, {"ica", "ia", `^\d{2,4}[a-z]?\.`}, {"lars", "la/rev", `:`}, {"lsars", "la/rev", `:`},
	{"lacc", "la/civ", ``}, {"ccp", "ca/civ-proc", ``}, {"cvc", "ca/veh", ``},
	{"cplr", "ny/cplr", ``}, {"nycplr", "ny/cplr", ``}, {"nycpl", "ny/cri-proc", `\.`}, {"cpl", "ny/cri-proc", `\.`}, {"nygbl", "ny/gen-bus", ``}, {"gbl", "ny/gen-bus", ``},
	{"rpapl", "ny/rea-prop-act-proc", ``}, {"vtl", "ny/veh-tra", ``}, {"drl", "ny/dom-rel", ``}, {"eptl", "ny/est-pow-tru", `-`}, {"scpa", "ny/sur-cou-proc-act", ``},
	{"nyll", "ny/lab", ``},
}

// initialRules read codes by their letters, with or without full stops and
// spaces, before the section or behind it.
func initialRules() []rule {
	patterns := make([]string, len(initials))
	hints := make([]string, len(initials))
	for i, c := range initials {
		patterns[i], hints[i] = strings.Join(strings.Split(c.letters, ""), `\.? ?`)+`\.?`, "="+c.letters
	}
	hints = append(hints, "=rs", "=cc") // "La. R.S.": not all letters stand alone
	slices.SortFunc(patterns, func(a, b string) int { return len(b) - len(a) })
	letters := `(` + strings.Join(patterns, "|") + `)`
	const sign = `(?:§ ?§? ?|sect?(?:ion)?s?\.? ?|ss?\. ?|arts?\.? ?|articles? )?`
	const between = `(?:,? ann(?:otated|\.)?)?(?:,? \(?(?:19|20)\d\d\)?)?(?: supp\.?)?,? ?`
	return []rule{
		compile(strings.Join(hints, "|"), letters+between+sign+stateSection, func(g []string) string { return initialKey(g[1], g[2]) }),
		compile(strings.Join(hints, "|"), sign+stateSection+paragraphs+`,? (?:of the )?`+letters, func(g []string) string {
			if !strings.ContainsAny(g[1], "-.:/") {
				return ""
			}
			return initialKey(g[2], g[1])
		}),
	}
}

func initialKey(letters, section string) string {
	compact := compactReporter.Replace(letters)
	section = strings.ToLower(Section(section))
	for i, c := range initials {
		if c.letters == compact && initialShapes[i].MatchString(section) {
			return join(c.kind, section)
		}
	}
	return ""
}

var initialShapes = func() []*regexp.Regexp {
	out := make([]*regexp.Regexp, len(initials))
	for i, c := range initials {
		out[i] = regexp.MustCompile(c.shape)
	}
	return out
}()

// titleFirstRules read the codes whose title comes first: "18 Pa. C.S. § 505",
// "17-A M.R.S. § 201", "720 ILCS 5/9-1", and the chapters of Massachusetts.
func titleFirstRules() []rule {
	const title = `(\d{1,3}(?:-?[a-z])?) `
	const ann = `(?: ann(?:otated|\.)?)?,? ?`
	first := func(kind string) func(g []string) string {
		return func(g []string) string { return join(kind, titled(g[1])+"-"+strings.ToLower(Section(g[2]))) }
	}
	ilcs := func(g []string) string { return join("il", g[1]+"-"+strings.ReplaceAll(g[2], "/", "-")) }
	return []rule{
		compile("pacs|pacons", title+`pa\.? ?c(?:ons|\.)?\.? ?s(?:tat|\.)?\.? ?a?\.?`+ann+mark+stateSection, first("pa")),
		compile("ps|pastat", title+`(?:p\. ?s\.?|pa\.? stat\.?)`+ann+mark+stateSection, first("pa/ps")),
		compile("mrs|mestat|merevstat|mainerev", title+`(?:m\.? ?r\.? ?s\.?(?: ?a\.?)?|me\.? (?:rev\. )?stat\.?|maine revised statutes)`+ann+mark+stateSection, first("me")),
		compile("vsa|vtstat", title+`(?:v\.? ?s\.? ?a\.?|vt\.? stat\.?)`+ann+mark+stateSection, first("vt")),
		compile("delc", title+`del(?:aware|\.)? ?c(?:ode|\.)?`+ann+mark+stateSection, first("de")),
		compile("os|oklastat", title+`(?:o\. ?s\.|okla\.? stat\.?)`+ann+mark+stateSection, first("ok")),
		compile("ilcs|illcomp", `(\d{1,3}) (?:ilcs|ill(?:inois|\.)? comp(?:iled|\.)? stat(?:utes?|\.)?)`+ann+mark+`(\d+[a-z]?/[\d.a-z-]*\d[a-z]?(?:-\d+)*)`, ilcs),
		compile("gl|gen", `(?:m\.? ?g\.? ?l\.?(?: ?a\.?)?|g\. ?l\.|mass(?:achusetts|\.)? (?:gen(?:eral|\.)? ?l(?:aws|\.)?|g\.?l\.?)),?`+ann+`(?:c(?:h|hapter)?\.? ?)(\d+[a-z]?),? ?`+mark+`(\d+[a-z]?(?:/\d+)?)`, first("ma")),
	}
}
