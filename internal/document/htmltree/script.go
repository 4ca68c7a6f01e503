package htmltree

import "strings"

// scriptEnd is where the end tag of a script begins, or the end of the page.
// Inside "<!--" a script may hold "<script>…</script>", whose end tag then is
// not the one.
func scriptEnd(src string, i int) int {
	for {
		j := strings.IndexByte(src[i:], '<')
		if j < 0 {
			return len(src)
		}
		i += j + 1
		rest := src[i:]
		switch {
		case strings.HasPrefix(rest, "/"):
			if isEndTag(rest[1:], "script") {
				return i - 1
			}
		case strings.HasPrefix(rest, "!--"):
			end, found := escapedScript(src, i+len("!--"))
			if found {
				return end
			}
			i = end
		}
	}
}

// escapedScript reads on after "<!--". It gives the place of the end tag, or
// the place from which on the script is an ordinary one again: behind "-->",
// and (as the oracle has it, not the standard) at a '<' that begins nothing.
func escapedScript(src string, i int) (end int, found bool) {
	dashes := len("--")
	for i < len(src) {
		c := src[i]
		i++
		switch {
		case c == '-':
			dashes++
			continue
		case c == '>' && dashes >= 2:
			return i, false
		case c == '<' && i < len(src):
			switch k := charKinds[src[i]]; {
			case src[i] == '/':
				if isEndTag(src[i+1:], "script") {
					return i - 1, true
				}
				i++
			case k&letter == 0:
				return i, false
			case isEndTag(src[i:], "script"):
				var again bool
				if i, again = doublyEscapedScript(src, i+len("script>")); !again {
					return i, false
				}
			}
		}
		dashes = 0
	}
	return len(src), false
}

// doublyEscapedScript reads on after a "<script>" inside "<!--". It gives the
// place behind the "</script>" and true, or that behind "-->" and false.
func doublyEscapedScript(src string, i int) (next int, escaped bool) {
	dashes := 0
	for i < len(src) {
		c := src[i]
		i++
		switch {
		case c == '-':
			dashes++
			continue
		case c == '>' && dashes >= 2:
			return i, false
		case c == '<' && i < len(src) && src[i] == '/':
			i++
			if isEndTag(src[i:], "script") {
				return i + len("script>"), true
			}
		}
		dashes = 0
	}
	return len(src), false
}
