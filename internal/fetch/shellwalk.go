package fetch

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// shellWalk reads the tokens of a page for a shell.
type shellWalk struct {
	*shell
	z       *html.Tokenizer
	raw     string // the element whose text is not for readers: script, style, …
	script  bool   // that text is code that runs
	open    candidate
	inProse int
	inBody  bool
}

// candidate is an element that may turn out to be empty.
type candidate struct {
	name, id string
	depth    int  // elements of that name open inside it
	textAt   int  // text of the page before it
	heading  bool // it has a heading: whoever wrote one wrote a page
}

// isMount knows the ids that the common frameworks and their templates render into.
func isMount(id string) bool {
	switch id {
	case "root", "app", "__next", "__nuxt", "___gatsby", "q-app", "svelte", "app-root", "react-root", "application", "main-app", "mount", "vue-app", "spa":
		return true
	}
	return false
}

// next takes one token; false at the end.
func (w *shellWalk) next() bool {
	kind := w.z.Next()
	switch kind {
	case html.ErrorToken:
		return false
	case html.TextToken:
		w.sawText(w.z.Raw())
	case html.StartTagToken, html.SelfClosingTagToken:
		name, more := w.z.TagName()
		w.sawStart(tagName(name), more, kind == html.SelfClosingTagToken)
	case html.EndTagToken:
		name, _ := w.z.TagName()
		w.sawEnd(tagName(name))
	}
	return true
}

// tagName is string(name) without a copy for the names HTML knows.
func tagName(name []byte) string {
	if known := atom.Lookup(name); known != 0 {
		return known.String()
	}
	return string(name)
}

func (w *shellWalk) sawText(text []byte) {
	switch {
	case w.raw == "noscript":
		w.notice = w.notice || bytes.Contains(bytes.ToLower(text), []byte("javascript"))
	case w.raw == "script":
		if w.script {
			w.inline = append(w.inline, string(text))
		}
	case w.raw != "" || !w.inBody:
	default:
		n := visible(text)
		w.text += n
		w.prose = w.prose || n > 0 && w.inProse > 0
	}
}

func (w *shellWalk) sawStart(name string, more, selfClosing bool) {
	attrs := w.attributes(name, more)
	switch name {
	case "script":
		w.raw, w.script = name, runs(attrs.kind)
		if w.script {
			w.scripts++
		}
		return
	case "style", "noscript", "template", "title", "textarea", "svg", "select":
		if !selfClosing {
			w.raw = name
		}
		return
	case "frameset", "iframe", "embed", "object":
		w.leads = w.leads || name == "frameset" || attrs.source
	case "meta":
		w.leads = w.leads || strings.EqualFold(attrs.httpEquiv, "refresh")
	case "body":
		w.inBody = true
	}
	if w.raw != "" {
		return
	}
	if isProse(name) {
		w.inProse++
	}
	w.inBody = w.inBody || isContainer(name)
	w.remember(name, attrs.id)
}

// remember watches the outermost mount, or else the innermost container with a
// name: a loader inside a mount does not make it full.
func (w *shellWalk) remember(name, id string) {
	if w.open.name != "" && isMount(w.open.id) {
		if name == w.open.name {
			w.open.depth++
		}
		w.open.heading = w.open.heading || len(name) == 2 && name[0] == 'h' && name != "hr"
		return
	}
	if isContainer(name) {
		w.open = candidate{name: name, id: id, textAt: w.text}
	}
}

func (w *shellWalk) sawEnd(name string) {
	if w.raw != "" {
		if name == w.raw {
			w.raw, w.script = "", false
		}
		return
	}
	if isProse(name) && w.inProse > 0 {
		w.inProse--
	}
	if name != w.open.name {
		return
	}
	if w.open.depth > 0 {
		w.open.depth--
		return
	}
	w.conclude(w.open)
	w.open = candidate{}
}

func (w *shellWalk) conclude(c candidate) {
	words := w.text - c.textAt
	switch {
	case isMount(c.id) && words < noWords && !c.heading:
		w.mount = c.id
	case words == 0 && strings.Contains(c.name, "-"):
		w.custom = c.name
	case words == 0 && c.id != "":
		w.empty = append(w.empty, c.id)
	}
}

// attributes are those of a tag that decide something.
type attributes struct {
	id, kind, httpEquiv string
	source              bool
}

func (w *shellWalk) attributes(name string, more bool) (a attributes) {
	if w.raw != "" {
		return a
	}
	for more {
		var key, value []byte
		key, value, more = w.z.TagAttr()
		switch string(key) {
		case "id":
			a.id = string(value)
		case "type":
			a.kind = string(value)
		case "http-equiv":
			a.httpEquiv = string(value)
		case "src", "data":
			a.source = true
		}
	}
	return a
}

func isContainer(name string) bool {
	switch name {
	case "div", "main", "section", "article", "ul", "ol", "table", "tbody", "p", "span", "pre":
		return true
	}
	return strings.Contains(name, "-")
}

func isProse(name string) bool {
	switch name {
	case "p", "li", "td", "th", "pre", "blockquote", "dd", "h1", "h2", "h3", "h4", "h5", "h6":
		return true
	}
	return false
}

// runs says whether a script of this type is code; the others carry data.
func runs(kind string) bool {
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "", "module", "text/javascript", "application/javascript", "text/babel", "text/jsx":
		return true
	}
	return false
}
