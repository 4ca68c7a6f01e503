package cite

import "strings"

// ruleSets are the federal rules of court by the words and initials people use.
var ruleSets = []struct{ kind, words, initials string }{
	{"frcp", `civ(?:il|\.)? ?p(?:roc(?:edure|\.)?|\.)?`, `f\.?r\.?c\.?p\.?|f\.? ?r\.? ?civ\.? ?p\.?`},
	{"frcrp", `crim(?:inal|\.)? ?p(?:roc(?:edure|\.)?|\.)?`, `f\.?r\.?cr(?:im)?\.? ?p\.?`},
	{"fre", `evid(?:ence|\.)?`, `f\.?r\.?e\.?|f\.? ?r\.? ?evid\.?`},
	{"frap", `app(?:ellate|\.)? ?p(?:roc(?:edure|\.)?|\.)?`, `f\.?r\.?a\.?p\.?`},
	{"frbp", `bankr(?:uptcy|\.)? ?p(?:roc(?:edure|\.)?|\.)?`, `f\.?r\.?b\.?p\.?`},
}

// courtRules read the federal rules of procedure and evidence, and the
// sentencing guidelines.
func courtRules() []rule {
	const number = `(\d{1,4}(?:\.\d+)?)`
	var out []rule
	for _, set := range ruleSets {
		key := func(g []string) string { return join(set.kind, g[1]) }
		name := `(?:fed(?:eral|\.)? ?r(?:ules?|\.)? ?(?:of )?` + set.words + `|` + set.initials + `)`
		out = append(out,
			compile("fed|fr", name+`,? ?(?:rules? |r\. )?`+number+paragraphs, key),
			compile("fed|fr", `rule `+number+paragraphs+`,? ?(?:of )?(?:the )?`+name, key))
	}
	return append(out, compile("ussg|sentencingguid", `(?:u\.?s\.?s\.?g\.?|(?:u\.?s\.? |federal )?sentencing guidelines?) ?(?:manual )?`+mark+`(\d[a-z]\d{1,2}\.\d{1,2})`, func(g []string) string {
		return join("ussg", strings.ToLower(g[1]))
	}))
}
