package htmltree

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The namespaces of foreign elements, as the tree names them.
const (
	mathNamespace = "math"
	svgNamespace  = "svg"
)

// adjustedCurrent is the current node; of a fragment at its top, the context.
func (p *parser) adjustedCurrent() element {
	if p.context != nil && len(p.open.elements) == 1 {
		return *p.context
	}
	return p.open.top()
}

// isForeign reports whether the token is to be read by the rules of SVG and
// MathML. Inside some foreign elements HTML goes on.
func (p *parser) isForeign() bool {
	if p.open.top().class&foreign == 0 && p.context == nil {
		return false
	}
	current := p.adjustedCurrent()
	if current.class&foreign == 0 || len(p.open.elements) == 0 {
		return false
	}
	switch p.tok.kind {
	case endOfPage:
		return false
	case text:
		return current.class&(mathText|integrates) == 0
	case startTag:
		if current.class&integrates != 0 {
			return false
		}
		if current.class&mathText != 0 {
			return p.tok.atom == atom.Mglyph || p.tok.atom == atom.Malignmark
		}
		svgInMath := p.tok.atom == atom.Svg && current.atom == atom.AnnotationXml && current.node.Namespace == mathNamespace
		return !svgInMath
	}
	return true
}

// inForeign takes a token inside SVG or MathML.
func (p *parser) inForeign() bool {
	switch p.tok.kind {
	case text:
		p.textInForeign()
	case comment:
		p.insertComment()
	case startTag:
		if p.tok.tag.class&breaksOut != 0 || p.isStyledFont() {
			p.breakOut()
			return p.use(p.mode)
		}
		p.insertForeign(p.adjustedCurrent().node.Namespace)
		p.leaveRaw()
	case endTag:
		if !p.closeForeign() {
			return p.use(p.mode)
		}
	}
	return true
}

func (p *parser) textInForeign() {
	s := p.tok.text
	if p.nul {
		s = replaceNUL(s)
	}
	if p.framesetOK && strings.Trim(p.tok.text, " \t\r\n\f\x00") != "" {
		p.framesetOK = false
	}
	p.insertText(s)
}

// isStyledFont reports whether a <font> is one of HTML.
func (p *parser) isStyledFont() bool {
	a := p.tok.attributes
	return p.tok.atom == atom.Font && (hasKey(a, "color") || hasKey(a, "face") || hasKey(a, "size"))
}

// breakOut ends foreign elements up to where HTML goes on.
func (p *parser) breakOut() {
	for i := len(p.open.elements) - 1; i >= 0; i-- {
		c := p.open.elements[i].class
		if c&foreign == 0 || c&(integrates|mathText) != 0 {
			p.open.cut(i + 1)
			return
		}
	}
}

// startForeign begins SVG or MathML in the body of a page.
func (p *parser) startForeign() {
	p.reopenFormatting()
	p.insertForeign(p.tok.name)
}

// insertForeign adds the element of the token to a namespace. There, unlike in
// HTML, a tag may close itself.
func (p *parser) insertForeign(namespace string) {
	if namespace == svgNamespace {
		if name, ok := svgNames[p.tok.name]; ok {
			p.tok.name, p.tok.atom = name, atom.Lookup([]byte(name))
		}
	}
	adjustAttributes(p.tok.attributes, namespace)
	n := p.tokenElement()
	n.Namespace = namespace
	if p.tok.selfClosing {
		p.insert(n)
		return
	}
	p.insertOpen(element{node: n, atom: p.tok.atom, class: foreignClass(n)})
}

// closeForeign closes the innermost element of that name, looking out of the
// foreign elements only as far as the first of HTML.
func (p *parser) closeForeign() bool {
	for i := len(p.open.elements) - 1; i >= 0; i-- {
		if equalFold(p.open.elements[i].node.Data, p.tok.name) {
			p.open.cut(i)
			return true
		}
		if i > 0 && p.open.elements[i-1].class&foreign == 0 {
			break
		}
	}
	return false
}

// foreignClass is the class of an element of SVG or MathML.
func foreignClass(n *html.Node) class {
	c := foreign | tagOf(n.DataAtom).class&namespaceBlind
	switch n.Namespace {
	case mathNamespace:
		switch n.Data {
		case "mi", "mo", "mn", "ms", "mtext":
			c |= special | stopsScope | mathText
		case "annotation-xml":
			c |= special | stopsScope
			if holdsHTML(n) {
				c |= integrates
			}
		}
	case svgNamespace:
		switch n.Data {
		case "foreignObject", "desc", "title":
			c |= special | stopsScope | integrates
		}
	}
	return c
}

// holdsHTML reports whether an annotation says that it is HTML.
func holdsHTML(n *html.Node) bool {
	for i := range n.Attr {
		if n.Attr[i].Key == "encoding" {
			if v := n.Attr[i].Val; equalFold(v, "text/html") || equalFold(v, "application/xhtml+xml") {
				return true
			}
		}
	}
	return false
}

// adjustAttributes restores the capitals and namespaces of foreign attributes.
func adjustAttributes(attributes []html.Attribute, namespace string) {
	for i := range attributes {
		a := &attributes[i]
		switch namespace {
		case svgNamespace:
			if key, ok := svgKeys[a.Key]; ok {
				a.Key = key
			}
		case mathNamespace:
			if a.Key == "definitionurl" {
				a.Key = "definitionURL"
			}
		}
		switch a.Key {
		case "xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title", "xlink:type",
			"xml:lang", "xml:space", "xmlns:xlink":
			a.Namespace, a.Key, _ = strings.Cut(a.Key, ":")
		}
	}
}
