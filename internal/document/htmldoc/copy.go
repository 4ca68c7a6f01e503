package htmldoc

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// copy makes a tree of the elements at roots and what was kept below them,
// with absolute addresses. The outline lists elements in the order of the
// walk, so it is followed beside the tree: what it does not hold was invisible.
func (o *outline) copy(base *url.URL, roots ...int) *html.Node {
	c := &copier{o: o, base: base}
	doc := &html.Node{Type: html.DocumentNode}
	for _, at := range roots {
		if at == 0 {
			c.children(doc, 0)
			continue
		}
		c.element(doc, at)
	}
	return doc
}

type copier struct {
	o     *outline
	base  *url.URL
	nodes []html.Node // allocated in one piece, handed out one by one
}

func (c *copier) node(from *html.Node) *html.Node {
	if len(c.nodes) == 0 {
		c.nodes = make([]html.Node, 256)
	}
	n := &c.nodes[0]
	c.nodes = c.nodes[1:]
	n.Type, n.Data, n.DataAtom, n.Namespace, n.Attr = from.Type, from.Data, from.DataAtom, from.Namespace, from.Attr
	return n
}

// element copies the element at that index below parent.
func (c *copier) element(parent *html.Node, at int) {
	e := &c.o.els[at]
	if e.gone || isFurniture(e) {
		return
	}
	n := c.node(e.node)
	switch n.DataAtom {
	case atom.Noscript:
		n.DataAtom, n.Data = atom.Div, "div"
	case atom.A:
		if isPermalink(e) {
			return
		}
		n.Attr = c.linkAttributes(n.Attr)
	case atom.Img:
		attrs, ok := c.imageAttributes(e.node)
		if !ok {
			return
		}
		n.Attr = attrs
	}
	parent.AppendChild(n)
	c.children(n, at)
}

// children copies what lies below the element at that index.
func (c *copier) children(to *html.Node, at int) {
	next := at + 1
	end := c.o.els[at].end
	for child := c.o.els[at].node.FirstChild; child != nil; child = child.NextSibling {
		switch child.Type {
		case html.TextNode:
			to.AppendChild(c.node(child))
		case html.ElementNode:
			if next < end && c.o.els[next].node == child {
				c.element(to, next)
				next = c.o.els[next].end
			} else if isMathScript(child) {
				c.script(to, child)
			}
		}
	}
}

// script keeps the source of a formula.
func (c *copier) script(to, from *html.Node) {
	n := c.node(from)
	to.AppendChild(n)
	for t := range from.ChildNodes() {
		n.AppendChild(c.node(t))
	}
}

// isFurniture reports whether an element shows nothing that can be read:
// fields, and links around nothing.
func isFurniture(e *element) bool {
	switch e.node.DataAtom {
	case atom.Input:
		return attr(e.node, "type") != "checkbox"
	case atom.Select, atom.Textarea, atom.Progress, atom.Meter, atom.Audio, atom.Video, atom.Source, atom.Param, atom.Track:
		return true
	}
	return false
}

// isPermalink reports whether a link has nothing to click but a sign, as the
// ones beside headings, or nothing at all.
func isPermalink(e *element) bool {
	if !has(e.node, "href") {
		return false // a place to link to
	}
	for d := range e.node.Descendants() {
		switch {
		case d.Type == html.TextNode && !isBlank(d.Data):
			s := strings.TrimSpace(d.Data)
			if len(s) > 4 || strings.Trim(s, "#¶§🔗↩︎∞⚓") != "" {
				return false
			}
			href := attr(e.node, "href")
			if !strings.Contains(href, "#") {
				return false
			}
		case d.DataAtom == atom.Img, d.DataAtom == atom.Math, d.DataAtom == atom.Picture:
			return false
		}
	}
	return true
}

// linkAttributes makes the address absolute. A link that runs a script leads
// nowhere and loses it.
func (c *copier) linkAttributes(attrs []html.Attribute) []html.Attribute {
	for i := range attrs {
		if attrs[i].Key != "href" {
			continue
		}
		out := make([]html.Attribute, len(attrs))
		copy(out, attrs)
		href := strings.TrimSpace(attrs[i].Val)
		if len(href) >= 11 && strings.EqualFold(href[:11], "javascript:") {
			return append(out[:i], out[i+1:]...)
		}
		out[i].Val = absolute(c.base, href)
		return out
	}
	return attrs
}

// absolute resolves an address against the page. One that cannot be parsed
// stays as it is.
func absolute(base *url.URL, ref string) string {
	ref = strings.TrimSpace(ref)
	if isAbsolute(ref) {
		return ref
	}
	if strings.HasPrefix(ref, "//") && base.Scheme != "" {
		return base.Scheme + ":" + ref
	}
	u, err := base.Parse(ref)
	if err != nil {
		return ref
	}
	return u.String()
}

func isAbsolute(ref string) bool {
	for i := 0; i < len(ref); i++ {
		switch c := ref[i]; {
		case c == ':':
			return i > 0
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9' && i > 0, c == '+' || c == '-' || c == '.':
		default:
			return false
		}
	}
	return false
}
