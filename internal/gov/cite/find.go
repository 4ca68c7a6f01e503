package cite

import (
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Find finds the citations in running law text: the forms volume, name, number
// of the federal codes and the reporters, and public laws. It makes one pass
// and looks closer only where a number is followed by a known name.
func Find(text string) []Cite {
	var out []Cite
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c >= '0' && c <= '9':
			end := digitsEnd(text, i)
			if found, ok := atNumber(text, i, end); ok {
				out = append(out, found)
				end = found.End
			}
			i = end
		case c == 'P' && strings.HasPrefix(text[i:], "Pub"):
			if found, ok := publicLaw(text, i); ok {
				out = append(out, found)
				i = found.End
				continue
			}
			i++
		default:
			i++
		}
	}
	return out
}

func digitsEnd(text string, i int) int {
	for i < len(text) && text[i] >= '0' && text[i] <= '9' {
		i++
	}
	return i
}

// atNumber reads a citation whose volume or title number stands at start.
func atNumber(text string, start, end int) (Cite, bool) {
	if end-start > 4 || start > 0 && isWordByte(text[start-1]) {
		return Cite{}, false
	}
	volume := text[start:end]
	name, at := reporterName(text, end)
	if name == "" {
		return Cite{}, false
	}
	at = skipMark(text, at)
	numberEnd := digitsEnd(text, at)
	if numberEnd == at {
		return Cite{}, false
	}
	var key string
	switch name {
	case "usc":
		numberEnd = sectionEnd(text, at, false)
		key = uscKey(volume, text[at:numberEnd])
	case "cfr":
		numberEnd = sectionEnd(text, at, true)
		if sec := Section(text[at:numberEnd]); strings.Contains(sec, ".") {
			key = cfrKey(volume, sec)
		}
	case "fr":
		key = join("frpage", volume, text[at:numberEnd])
	case "stat":
		key = join("stat", volume, text[at:numberEnd])
	default:
		key = join(name, volume, text[at:numberEnd])
	}
	return Cite{Key: key, Start: start, End: numberEnd}, key != ""
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '.'
}

// textNames are the names looked for in running text.
var textNames = func() map[string]string {
	names := map[string]string{"usc": "usc", "usca": "usc", "cfr": "cfr", "fr": "fr", "fedreg": "fr", "stat": "stat"}
	for short, key := range reporters {
		if short == "f" || !ambiguous[short] {
			names[short] = key
		}
	}
	return names
}()

// reporterName reads the abbreviation after a volume number; at is where the
// next part begins. A name must end in a full stop or be in capitals.
func reporterName(text string, i int) (name string, at int) {
	if i >= len(text) || text[i] != ' ' && text[i] != 0xC2 {
		return "", 0
	}
	var letters [12]byte
	n := 0
	best, bestAt := "", 0
	for j := i; j < len(text) && j < i+20 && n < len(letters); j++ {
		c := text[j]
		switch {
		case c >= 'A' && c <= 'Z' && (n > 0 || j > i):
			letters[n] = c + 'a' - 'A'
			n++
		case n > 0 && c >= 'a' && c <= 'z' || n > 0 && c >= '2' && c <= '5' && j+1 < len(text) && (text[j+1] == 'd' || text[j+1] == 't'):
			letters[n] = c
			n++
		case c == '.' || c == ' ' || c == 0xA0 || c == 0xC2 && strings.HasPrefix(text[j:], "\u00a0"):
			if key, ok := textNames[string(letters[:n])]; ok && n > 0 {
				best, bestAt = key, j+1
			}
		default:
			return best, bestAt
		}
	}
	return best, bestAt
}

// skipMark passes over spaces, section marks and the word "sec." before a number.
func skipMark(text string, i int) int {
	for i < len(text) {
		switch {
		case text[i] == ' ' || text[i] == '.':
			i++
		case strings.HasPrefix(text[i:], "§") || strings.HasPrefix(text[i:], "\u00a0"):
			i += 2
		case strings.HasPrefix(text[i:], "Sec. ") || strings.HasPrefix(text[i:], "sec. "):
			i += 5
		case strings.HasPrefix(text[i:], "section "):
			i += 8
		default:
			return i
		}
	}
	return i
}

// sectionEnd finds the end of a section number such as 2000e–2 or 1026.23.
func sectionEnd(text string, i int, dots bool) int {
	for i < len(text) {
		c := text[i]
		switch {
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			i++
		case c == '-' && i+1 < len(text) && isAlnum(text[i+1]):
			i++
		case strings.HasPrefix(text[i:], "–") && i+3 < len(text) && isAlnum(text[i+3]):
			i += 3
		case dots && c == '.' && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9':
			i++
		case dots && c == '(' && letterInside(text[i:]) > 0:
			i += letterInside(text[i:])
		default:
			return i
		}
	}
	return i
}

// letterInside gives the length of a bracket that belongs to a number, as in
// 1.401(k)–1: a hyphen and a figure must follow. Else it is a paragraph.
func letterInside(text string) int {
	end := strings.IndexByte(text, ')')
	if end < 2 || end > 4 {
		return 0
	}
	rest := text[end+1:]
	if next := letterInsideAgain(rest); next > 0 {
		return end + 1 + next
	}
	for _, dash := range []string{"-", "–"} {
		if after, ok := strings.CutPrefix(rest, dash); ok && after != "" && after[0] >= '0' && after[0] <= '9' {
			return end + 1
		}
	}
	return 0
}

// letterInsideAgain is for a second bracket right behind the first: 1.401(a)(9)–5.
func letterInsideAgain(rest string) int {
	if !strings.HasPrefix(rest, "(") {
		return 0
	}
	return letterInside(rest)
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// publicLaw reads "Pub. L. 119–21" and "Public Law 119-21".
func publicLaw(text string, i int) (Cite, bool) {
	rest := text[i:]
	at := 0
	for _, lead := range []string{"Pub. L. No. ", "Pub. L. ", "Public Law No. ", "Public Law ", "Pub.L. "} {
		if strings.HasPrefix(rest, lead) {
			at = len(lead)
			break
		}
	}
	if at == 0 {
		return Cite{}, false
	}
	end := digitsEnd(rest, at)
	dash := 1
	if strings.HasPrefix(rest[end:], "–") {
		dash = 3
	} else if !strings.HasPrefix(rest[end:], "-") {
		return Cite{}, false
	}
	last := digitsEnd(rest, end+dash)
	if end == at || last == end+dash {
		return Cite{}, false
	}
	return Cite{Key: join("plaw", rest[at:end]+"-"+rest[end+dash:last]), Start: i, End: i + last}, true
}
