package htmldoc

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// outline is the body of a page as a list of its elements in document order,
// each with what was measured below it. The descendants of an element follow
// it directly, up to its end, so a subtree is a slice and no step of finding
// the content has to walk the tree again.
type outline struct {
	els        []element
	size       int      // characters on the whole page
	withHidden bool     // elements that are hidden at first are listed too
	hides      bool     // some were not
	notes      []string // large parts that were left out, and why
}

// element is one element of the page and what is known of it.
type element struct {
	node   *html.Node
	at     int // own index
	parent int // index of the parent; the body is its own
	end    int // index after the last descendant
	depth  int

	own     int // characters of text in this block itself, through inline elements
	ownLink int // of those, in links
	stops   int // marks in own that end or part sentences

	text   int  // characters below, own included
	link   int  // of those, in links
	prose  int  // characters in blocks that read as sentences
	paras  int  // number of such blocks
	links  int  // number of links
	items  int  // list items, rows and similar
	fields int  // input fields
	first  lead // what the text below begins with

	sig  signals
	gone bool
}

// lead says whether the text of an element begins with a link.
type lead byte

const (
	leadNone lead = iota
	leadText
	leadLink
)

// newOutline measures the tree below body.
func newOutline(body *html.Node) *outline {
	o := outlineOf(body, false)
	if o.size >= enough {
		return o
	}
	// Some pages come hidden and are shown by a script. Where next to nothing
	// can be seen, what cannot be seen is the page.
	if all := outlineOf(body, true); all.size > 3*o.size {
		return all
	}
	return o
}

func outlineOf(body *html.Node, withHidden bool) *outline {
	o := &outline{els: make([]element, 0, 1024), withHidden: withHidden}
	o.add(body, 0, 0, 0, 0)
	o.size = o.els[0].text
	return o
}

// add appends n and everything below it. block is the element whose own text
// the text below n belongs to; inLink counts the links around n.
func (o *outline) add(n *html.Node, parent, block, inLink, depth int) {
	at := len(o.els)
	o.els = append(o.els, element{node: n, at: at, parent: parent, depth: depth, sig: signalsOf(n)})
	if at == 0 || !isInline(n.DataAtom) {
		block = at
	}
	if n.DataAtom == atom.A {
		inLink++
		o.els[at].links++
	}
	if depth < maxDepth {
		o.addChildren(n, at, block, inLink, depth)
	}
	e := &o.els[at]
	e.end = len(o.els)
	if block == at {
		e.text += e.own
		e.link += e.ownLink
		if e.isProse() {
			e.prose += e.own
			e.paras++
		}
	}
	switch n.DataAtom {
	case atom.Li, atom.Tr, atom.Dt:
		e.items++
	case atom.Input, atom.Select, atom.Textarea:
		if attr(n, "type") != "hidden" {
			e.fields++
		}
	}
	if at != 0 {
		o.els[parent].gather(e)
	}
}

// maxDepth bounds recursion; what lies deeper is not looked at.
const maxDepth = 520

func (o *outline) addChildren(n *html.Node, at, block, inLink, depth int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			chars, stops := measure(c.Data)
			b := &o.els[block]
			b.own += chars
			b.stops += stops
			if e := &o.els[at]; chars > 0 && e.first == leadNone {
				e.first = leadText
				if inLink > 0 {
					e.first = leadLink
				}
			}
			if inLink > 0 {
				b.ownLink += chars
			}
		case html.ElementNode:
			switch {
			case neverShown(c):
			case o.withHidden || !isHidden(c) || isPanel(c):
				o.add(c, at, block, inLink, depth+1)
			default:
				o.hides = true
			}
		}
	}
}

// gather adds what was measured in a child.
func (e *element) gather(c *element) {
	e.text += c.text
	e.link += c.link
	e.prose += c.prose
	e.paras += c.paras
	e.links += c.links
	e.items += c.items
	e.fields += c.fields
	if e.first == leadNone {
		e.first = c.first
	}
}

// isProse reports whether the block's own text reads as sentences: long enough
// or with marks in it, and not mainly links.
func (e *element) isProse() bool {
	if e.node.DataAtom == atom.Pre {
		return e.own > 0
	}
	free := e.own - e.ownLink
	if free*2 < e.own {
		return false
	}
	return free >= 80 || free >= 35 && e.stops >= 1
}

// linkDensity is the share of the text that is in links.
func (e *element) linkDensity() float64 {
	if e.text == 0 {
		return 0
	}
	return float64(e.link) / float64(e.text)
}

// drop takes an element out of the page, with everything below it, and what it
// held out of everything above it.
func (o *outline) drop(at int, why string) {
	e := &o.els[at]
	if e.gone {
		return
	}
	if e.text*12 > o.size {
		o.notes = append(o.notes, fmt.Sprintf("left out %s as %s (%d characters)", describe(e.node), why, e.text))
	}
	for i := at; i < e.end; i++ {
		o.els[i].gone = true
	}
	for up := e.parent; at != 0; up = o.els[up].parent {
		a := &o.els[up]
		a.text -= e.text
		a.link -= e.link
		a.prose -= e.prose
		a.paras -= e.paras
		a.links -= e.links
		a.items -= e.items
		a.fields -= e.fields
		if up == 0 {
			break
		}
	}
}

// isInline reports whether text in an element belongs to the block around it.
func isInline(a atom.Atom) bool {
	switch a {
	case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Br, atom.Cite, atom.Code, atom.Data, atom.Del, atom.Dfn,
		atom.Em, atom.Font, atom.I, atom.Img, atom.Ins, atom.Kbd, atom.Label, atom.Mark, atom.Q, atom.S, atom.Samp, atom.Small,
		atom.Span, atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U, atom.Var, atom.Wbr, atom.Nobr,
		atom.Ruby, atom.Rt, atom.Math:
		return true
	}
	return false
}

// isInvisible reports whether nothing in an element can be seen on the page.
func isInvisible(n *html.Node) bool { return neverShown(n) || isHidden(n) }

// neverShown reports whether an element holds no text for people at all.
func neverShown(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Head, atom.Link, atom.Meta, atom.Title, atom.Object,
		atom.Embed, atom.Applet, atom.Canvas, atom.Datalist, atom.Map, atom.Svg, atom.Iframe, atom.Frame, atom.Frameset, atom.Noframes:
		return !isMathScript(n)
	case atom.Noscript: // text that was not worth parsing
		return n.FirstChild == nil || n.FirstChild == n.LastChild && n.FirstChild.Type == html.TextNode
	}
	return false
}

// isHidden reports whether an element is not shown until something happens.
func isHidden(n *html.Node) bool {
	if n.DataAtom == atom.Dialog {
		return !has(n, "open")
	}
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "hidden":
			return n.Attr[i].Val != "until-found"
		case "style":
			if hidesByStyle(n.Attr[i].Val) {
				return true
			}
		}
	}
	return false
}

func isMathScript(n *html.Node) bool {
	return n.DataAtom == atom.Script && strings.HasPrefix(attr(n, "type"), "math/tex")
}

// hidesByStyle reads display:none and visibility:hidden out of a style.
func hidesByStyle(style string) bool {
	if len(style) < 12 {
		return false
	}
	for rest := style; ; {
		decl, more, ok := strings.Cut(rest, ";")
		name, value, _ := strings.Cut(decl, ":")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "display":
			if strings.HasPrefix(strings.ToLower(strings.TrimSpace(value)), "none") {
				return true
			}
		case "visibility":
			if strings.HasPrefix(strings.ToLower(strings.TrimSpace(value)), "hidden") {
				return true
			}
		}
		if !ok {
			return false
		}
		rest = more
	}
}

// describe names an element for a person.
func describe(n *html.Node) string {
	s := "<" + n.Data
	if id := attr(n, "id"); id != "" {
		s += " id=" + id
	}
	if class := attr(n, "class"); class != "" {
		s += " class=" + class
	}
	return s + ">"
}
