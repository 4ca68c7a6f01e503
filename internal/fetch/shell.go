package fetch

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/net/html"
)

// A page is an empty shell when what a reader would see is made by its scripts.
// Two mistakes are possible: a false alarm costs the time of a browser, a miss
// costs the content. So a page with this much text of its own is never a shell,
// and the fewer words there are, the weaker a sign needs to be. Judged on the
// shapes in shell_test.go.
const (
	enoughText = 800 // visible characters without spaces: about two paragraphs
	fewWords   = 200 // a heading and a sentence
	noWords    = 40  // "Loading, please wait…"
)

// NeedsScripts says whether a page is an empty shell that a browser has to fill,
// and by which sign.
func NeedsScripts(page *Page) (needed bool, reason string) {
	if page.Engine == EngineBrowser || page.NotModified || !looksLikeHTML(page) || hasText(page.Body, enoughText) {
		return false, ""
	}
	s := readShell(page.Body)
	if s.text >= enoughText || s.scripts == 0 || s.leads {
		return false, ""
	}
	switch {
	case s.mount != "":
		return true, fmt.Sprintf("empty #%s", s.mount)
	case s.filled() != "" && s.text < enoughText:
		return true, fmt.Sprintf("script fills #%s", s.filled())
	case s.text < fewWords && s.notice:
		return true, "asks for JavaScript"
	case s.text < fewWords && s.custom != "":
		return true, fmt.Sprintf("empty <%s>", s.custom)
	case s.text < noWords && !s.prose:
		return true, "scripts and hardly any text"
	}
	return false, ""
}

func looksLikeHTML(page *Page) bool {
	kind, _, _ := strings.Cut(strings.ToLower(page.ContentType), ";")
	switch strings.TrimSpace(kind) {
	case "text/html", "application/xhtml+xml":
		return true
	case "":
		return bytes.HasPrefix(bytes.TrimSpace(page.Body), []byte("<"))
	}
	return false
}

// shell is what the signs are read from.
type shell struct {
	text    int      // visible characters without spaces
	scripts int      // that run: not data, not templates
	prose   bool     // text inside a heading, paragraph, list item or cell
	notice  bool     // <noscript> speaks of JavaScript
	leads   bool     // frames, or a refresh to elsewhere: content that no script makes
	mount   string   // id of an empty element that frameworks render into
	custom  string   // name of an empty custom element
	empty   []string // ids of empty containers
	inline  []string // scripts of the page itself
}

// filled names an empty container that a script of the page speaks of.
func (s *shell) filled() string {
	for _, id := range s.empty {
		for _, code := range s.inline {
			if mentions(code, id) && writesDOM(code) {
				return id
			}
		}
	}
	return ""
}

func mentions(code, id string) bool {
	for _, form := range []string{`"` + id + `"`, `'` + id + `'`, "`" + id + "`", `#` + id + `"`, `#` + id + `'`, "#" + id + "`"} {
		if strings.Contains(code, form) {
			return true
		}
	}
	return false
}

func writesDOM(code string) bool {
	for _, way := range []string{"innerHTML", "textContent", "innerText", "appendChild", "append(", "insertAdjacent", "replaceChildren", "render(", "mount(", ".html("} {
		if strings.Contains(code, way) {
			return true
		}
	}
	return false
}

// readShell walks the tokens until there is enough text to be sure.
func readShell(body []byte) *shell {
	s := &shell{}
	w := shellWalk{shell: s, z: html.NewTokenizer(bytes.NewReader(body))}
	for s.text < enoughText && w.next() {
	}
	return s
}
