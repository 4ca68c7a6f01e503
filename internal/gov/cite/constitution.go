package cite

import "fmt"

// constitutionRules read the federal Constitution, and those of the states so
// that they are not taken for it.
func constitutionRules() []rule {
	const number = `([ivx]{1,6}|\d{1,2}(?:st|nd|rd|th)?|(?:twenty[- ])?(?:first|second|third|fourth|fifth|sixth|seventh)|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth)`
	const inside = `(?:,? ?(?:§|section|sec\.?) ?(\d{1,2}))?`
	const us = `(?:u\.? ?s\.?|united states|federal)`
	const lead = `(?:` + us + ` ?const(?:itution|\.)?,? ?)`
	amendment := func(g []string) string { return constKey("amendment", g[1], g[2], amendments) }
	article := func(g []string) string { return constKey("article", g[1], g[2], articles) }
	turned := func(kind string, last int) func(g []string) string {
		return func(g []string) string { return constKey(kind, g[2], g[1], last) }
	}
	return []rule{
		compile("amend", lead+`?amend(?:ment|\.)? ?`+number+inside, amendment),
		compile("amend", lead+`?`+number+` amend(?:ment|\.)?`+inside, amendment),
		compile("amend", `(?:§|section|sec\.?) ?(\d{1,2})`+paragraphs+` of (?:the )?`+number+` amendment`, turned("amendment", amendments)),
		compile("amend", `(?:§|section|sec\.?) ?(\d{1,2})`+paragraphs+` of (?:the )?amendment `+number, turned("amendment", amendments)),
		compile("const", lead+`art(?:icle|\.)? ?`+number+inside, article),
		compile("const", `art(?:icle|\.) ?`+number+inside+`(?:,? cl(?:ause|\.)? ?\d{1,2})?,? (?:of )?(?:the )?(?:`+us+` )?constitution`, article),
		compile("art", `art(?:icle|\.) ?([ivx]+|\d),? ?(?:§|section|sec\.?) ?(\d{1,2})`, article),
		compile("article", `^(?:the )?article ([ivx]+|\d)()$`, article),
		compile("article", `(?:§|section|sec\.?) ?(\d{1,2}) of article `+number, turned("article", articles)),
		compile("const", `(`+stateNames+`)'?s? const(?:itution|\.)?,? (?:art(?:icle|\.)? ?)`+number+`(?:-[a-z])?`+inside, stateConstitution),
	}
}

// How many there are.
const (
	amendments = 27
	articles   = 7
)

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

func stateConstitution(g []string) string {
	n := ordinal(g[2])
	state := stateOf(g[1])
	if n == 0 || state == "" || state == "md" { // Maryland's is in the files of its code
		return ""
	}
	key := fmt.Sprintf("const/%s/article-%d", state, n)
	if g[3] != "" {
		key += "-section-" + g[3]
	}
	return key
}
