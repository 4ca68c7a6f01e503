package htmldoc

import (
	"encoding/json"
	"html"
	"strings"

	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// JSONLD reads the JSON-LD blocks of a page, in document order; a block that
// holds a list gives its members. Blocks that cannot be read even leniently
// are left out: a page is not wrong for a broken script.
func JSONLD(root *nethtml.Node) []any {
	var found []any
	for n := range root.Descendants() {
		if n.DataAtom != atom.Script || n.FirstChild == nil || !isJSONLD(attr(n, "type")) {
			continue
		}
		value, ok := parseLenient(n.FirstChild.Data)
		if !ok {
			continue
		}
		if list, isList := value.([]any); isList {
			found = append(found, list...)
		} else if value != nil {
			found = append(found, value)
		}
	}
	return found
}

func isJSONLD(contentType string) bool {
	mediaType, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(mediaType), "application/ld+json")
}

// parseLenient parses JSON, and if that fails, what people write instead.
func parseLenient(s string) (any, bool) {
	var value any
	if json.Unmarshal([]byte(s), &value) == nil {
		return value, true
	}
	if json.Unmarshal(repairJSON(s), &value) == nil {
		return value, true
	}
	if unescaped := html.UnescapeString(s); unescaped != s {
		if json.Unmarshal(repairJSON(unescaped), &value) == nil {
			return value, true
		}
	}
	return nil, false
}

// repairJSON drops comments and the comma before a closing bracket, and writes
// control characters inside strings the way JSON wants them.
func repairJSON(s string) []byte {
	s = unwrapJSON(s)
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '"':
			end := stringEnd(s, i)
			out = appendString(out, s[i:end])
			i = end
		case c == '/' && strings.HasPrefix(s[i:], "//"):
			i += lineLength(s[i:])
		case c == '/' && strings.HasPrefix(s[i:], "/*"):
			if end := strings.Index(s[i:], "*/"); end >= 0 {
				i += end + 2
			} else {
				i = len(s)
			}
		case c == ']' || c == '}':
			out = append(trimComma(out), c)
			i++
		default:
			out = append(out, c)
			i++
		}
	}
	return []byte(strings.TrimRight(string(out), "; \t\r\n"))
}

// unwrapJSON takes off what hid scripts from old browsers.
func unwrapJSON(s string) string {
	s = strings.TrimSpace(s)
	for _, wrap := range [][2]string{{"<!--", "-->"}, {"//<![CDATA[", "//]]>"}, {"<![CDATA[", "]]>"}, {"/*<![CDATA[*/", "/*]]>*/"}} {
		if rest, ok := strings.CutPrefix(s, wrap[0]); ok {
			s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), wrap[1]))
		}
	}
	return s
}

// stringEnd is the index after the string that begins at i.
func stringEnd(s string, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

func appendString(out []byte, s string) []byte {
	const hex = "0123456789abcdef"
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n':
			out = append(out, `\n`...)
		case c == '\t':
			out = append(out, `\t`...)
		case c == '\r':
			out = append(out, `\r`...)
		case c < 0x20:
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		case c == '\\' && i+1 < len(s) && strings.IndexByte(`"\/bfnrtu`, s[i+1]) < 0:
			out = append(out, `\\`...)
		case c == '\\' && i+1 < len(s):
			out = append(out, c, s[i+1])
			i++
		default:
			out = append(out, c)
		}
	}
	return out
}

func lineLength(s string) int {
	if end := strings.IndexByte(s, '\n'); end >= 0 {
		return end
	}
	return len(s)
}

func trimComma(out []byte) []byte {
	end := len(out)
	for end > 0 && strings.IndexByte(" \t\r\n", out[end-1]) >= 0 {
		end--
	}
	if end > 0 && out[end-1] == ',' {
		return out[:end-1]
	}
	return out
}
