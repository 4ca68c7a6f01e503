package field

import "strings"

// Ruby gives the text below the small one that a field sets above it, which is
// how older programs write the reading of Chinese characters:
//
//	EQ \* jc2 \o\ad(\s\up 9(reading),text)
//
// Such a field has no result; other instructions give "".
func Ruby(instr string) string {
	rest, ok := cutWord(instr, "EQ")
	if !ok {
		return ""
	}
	at := strings.Index(rest, `\o`)
	if at < 0 || !strings.Contains(rest[at:], `\up`) {
		return ""
	}
	rest = strings.TrimSpace(rest[at:])
	comma := strings.LastIndexAny(rest, ",;") // a semicolon where the comma separates decimals
	if comma < 0 {
		return ""
	}
	text, ok := strings.CutSuffix(rest[comma+1:], ")")
	if !ok {
		return ""
	}
	return text
}
