package textdoc

import (
	"bytes"
	"mime"
	"strings"
)

// mediaType reads what a part says it is. Programs get the parameters wrong in
// many ways; the type itself and the line between parts are taken all the same.
func mediaType(value string) (kind string, params map[string]string) {
	kind, params, err := mime.ParseMediaType(value)
	if err == nil && strings.Contains(kind, "/") {
		return kind, params
	}
	kind, rest, _ := strings.Cut(value, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	if !strings.Contains(kind, "/") {
		return "text/plain", nil
	}
	params = map[string]string{}
	for param := range strings.SplitSeq(rest, ";") {
		name, v, ok := strings.Cut(param, "=")
		name = strings.ToLower(strings.TrimSpace(name))
		if _, twice := params[name]; ok && !twice {
			params[name] = strings.Trim(strings.TrimSpace(v), `"`)
		}
	}
	return kind, params
}

// withoutEnvelope drops the line that mailboxes put before each message.
func withoutEnvelope(body []byte) []byte {
	line, rest, found := bytes.Cut(body, []byte("\n"))
	if found && (bytes.HasPrefix(line, []byte("From ")) || bytes.HasPrefix(line, []byte(">From "))) {
		return rest
	}
	return body
}
