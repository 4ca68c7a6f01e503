package cite

import (
	"regexp"
	"strconv"
	"strings"
)

const (
	usc = `(?:u\.? ?s\.? ?c\.?(?: ?[as]\.?)?|u\.? ?s\.? code(?: ann(?:otated|\.)?)?|united states code)`

	// further sections of the same title: ", 1983", " and 1985(3)"
	more = `((?:(?:,|;|,? and|,? or|,? &) ?§? ?\d+[a-z]{0,6}(?:-\d+[a-z]*)*` + paragraphs + `)*)`
)

// codeRules read the United States Code.
func codeRules() []rule {
	return []rule{
		compileMany("usc|uscode|unitedstatescode", `(\d{1,2}) ?`+usc+`,? ?`+mark+section+paragraphs, uscOne),
		compileMany("usc|uscode|unitedstatescode", `(\d{1,2}) ?`+usc+`,? ?(?:§ ?§ ?|sect?(?:ion)?s\.? ?)`+section+paragraphs+more, uscList),
		compileMany("usc|uscode|unitedstatescode", usc+`,? (?:title )?(\d{1,2}),? `+mark+section, uscOne),
		compileMany("title", `title (\d{1,2}),?(?: of the)?(?: ?`+usc+`)?,? `+mustSec+section, uscOne),
		compileMany("title", mustSec+section+paragraphs+`,? (?:of |under )?title (\d{1,2})(?:,? ?(?:of the )?`+usc+`)?`, uscTurned),
		compileMany("usc|uscode|unitedstatescode", mustSec+section+paragraphs+`,? (?:of |under )(\d{1,2}) ?`+usc, uscTurned),
	}
}

func uscOne(g []string) []string    { return listOf(uscKey(g[1], g[2])) }
func uscTurned(g []string) []string { return listOf(uscKey(g[2], g[1])) }

func listOf(key string) []string {
	if key == "" {
		return nil
	}
	return []string{key}
}

var (
	sectionNumber = regexp.MustCompile(`\d+[a-z]{0,6}(?:-\d+[a-z]*)*`)
	bracketed     = regexp.MustCompile(`\([^)]*\)`)
)

func uscList(g []string) []string {
	keys := uscOne(g)
	if len(keys) == 0 {
		return nil
	}
	others := bracketed.ReplaceAllString(g[3], "")
	for _, sec := range sectionNumber.FindAllString(others, -1) {
		keys = append(keys, uscKey(g[1], sec))
	}
	return keys
}

// uscKey makes the key of a section of the Code. Keys have small letters
// everywhere, so "25D" and "25d" meet.
func uscKey(title, sec string) string {
	n, err := strconv.Atoi(title)
	if err != nil || n < 1 || n > 54 {
		return ""
	}
	return join("usc", strconv.Itoa(n), firstOfRange(strings.ToLower(Section(sec))))
}

// firstOfRange takes the first section of a range such as 1981-1988. A smaller
// figure after the hyphen belongs to the number, as in 1308-1.
func firstOfRange(sec string) string {
	first, last, ok := strings.Cut(sec, "-")
	if !ok {
		return sec
	}
	from, err := strconv.Atoi(first)
	if err != nil {
		return sec
	}
	if to, err := strconv.Atoi(last); err == nil && to > from {
		return first
	}
	return sec
}

// lawRules read public laws and the Statutes at Large.
func lawRules() []rule {
	return []rule{
		compile("pub|pl", `(?:pub(?:lic|\.)? ?l(?:aw|\.)?|p\.? ?l\.?) ?(?:nos?\.? ?|number )?(\d{2,3})[- ](\d{1,4})`, func(g []string) string { return join("plaw", g[1]+"-"+g[2]) }),
		compile("stat", `(\d{1,3}) (?:stat\.?|statutes at large),? (\d+)`, func(g []string) string { return join("stat", g[1], g[2]) }),
		compile("dclaw|dcact|columbialaw|columbiaact", `(?:d\.? ?c\.?|district of columbia) (?:law|act) (?:no\.? ?)?(\d+-\d+)`, func(g []string) string { return join("dc-law", g[1]) }),
	}
}

// documentRules read what agencies and the President publish.
func documentRules() []rule {
	return []rule{
		compile("fr|fedreg|federalreg", `(\d{1,3}) (?:f\.? ?r\.?|fed(?:eral|\.)? ?reg(?:ister|\.)?),? ?(?:at )?(\d[\d,]{2,})`, func(g []string) string {
			return join("frpage", g[1], strings.ReplaceAll(strings.TrimRight(g[2], ","), ",", ""))
		}),
		compile("frdoc|registerdoc", `(?:f\.?r\.?|federal register) doc(?:ument|\.)?s? ?(?:nos?\.? ?|number )?((?:[ec]\d|\d{2,4})-\d{3,6})`, func(g []string) string { return join("fr", g[1]) }),
		compile("20", `(20[0-4]\d-\d{5})`, func(g []string) string { return join("fr", g[1]) }),
		compile("order|eo", `(?:executive order|exec\.? order|e\. ?o\.|eo) ?(?:nos?\.? ?|number )?(\d{1,2},?\d{3})`, func(g []string) string { return join("eo", strings.ReplaceAll(g[1], ",", "")) }),
		compile("procl", `(?:presidential )?procl(?:amation|\.) ?(?:nos?\.? ?|number )?(\d{1,2},?\d{3})`, func(g []string) string {
			return join("proclamation", strings.ReplaceAll(g[1], ",", ""))
		}),
		compile("rev", `rev(?:enue|\.)? ?(proc(?:edure|\.)?|rul(?:ing|\.)?)\.? ?(?:no\.? ?)?(\d{2,4}-\d+)`, revenueDocument),
		compile("notice", `(?:irs )?notice (\d{4}-\d+)`, func(g []string) string { return join("irs", "notice-"+g[1]) }),
		compile("800-53|nist|control", `(?:nist (?:sp )?800-53|(?:sp )?800-53|nist|control),? ?(?:r(?:ev(?:ision|\.)?)? ?\d,?)? ?(?:security )?(?:controls? )?([a-z]{2}-\d{1,2}(?:\.\d+)?)(?: ?\((\d+)\))?`, nistControl),
		compile("-", `^([a-z]{2}-\d{1,2}(?:\.\d+)?)(?: ?\((\d+)\))?$`, nistControl),
		compile("bva|boardofveterans|citationnr", `(?:bva|board of veterans'? appeals|citation nr\.?:?)(?: decision)?(?: citation)?(?: (?:nr|no)\.?:?)? ?(\d{7})`, func(g []string) string { return join("bva", g[1]) }),
	}
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
		key += "(" + g[2] + ")"
	}
	return key
}
