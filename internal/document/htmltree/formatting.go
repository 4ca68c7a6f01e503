package htmltree

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// active is an entry of the list of active formatting elements: a <b>, <a> or
// the like that was begun and not ended. A block that closes such elements has
// them reopened inside the next. A marker, an entry without a node, keeps
// formatting from leaking into a table cell and the like.
type active struct {
	element
	depth int // where in the stack it is, if it is open
}

func (a active) isMarker() bool {
	return a.node == nil
}

// mostEqual is how often the same tag with the same attributes may be active.
const mostEqual = 3

func (p *parser) mark() {
	p.formatting = append(p.formatting, active{})
}

// clearFormatting forgets what was begun since the last marker, and that.
func (p *parser) clearFormatting() {
	for n := len(p.formatting); n > 0; n = len(p.formatting) {
		last := p.formatting[n-1]
		p.formatting = p.formatting[:n-1]
		if last.isMarker() {
			return
		}
	}
}

// insertFormatting adds the element of the token and remembers it as active.
func (p *parser) insertFormatting() {
	sortAttributes(p.tok.attributes) // as the oracle does, which compares them so
	p.insertElement()
	p.forgetEqual(p.tok.atom, p.tok.attributes)
	p.formatting = append(p.formatting, active{element: p.open.top(), depth: len(p.open.elements) - 1})
}

// forgetEqual makes room in the list for one more: of equal elements only the
// last few stay, and of different ones not more than could be open.
func (p *parser) forgetEqual(name atom.Atom, attributes []html.Attribute) {
	equal, i := 0, len(p.formatting)-1
	for ; i >= 0 && !p.formatting[i].isMarker(); i-- {
		e := &p.formatting[i]
		if e.atom != name || !slices.Equal(e.node.Attr, attributes) {
			continue
		}
		if equal++; equal >= mostEqual {
			p.forget(i)
		}
	}
	if len(p.formatting)-(i+1) > maxOpen {
		p.forget(i + 1)
	}
}

// forget takes an entry off the list.
func (p *parser) forget(i int) {
	p.formatting = slices.Delete(p.formatting, i, i+1)
}

// reopenFormatting opens again what is active and no longer open. How often a
// page may have that done is bounded by its size: a few hundred formatting
// elements in a few thousand paragraphs would make millions.
func (p *parser) reopenFormatting() {
	i := len(p.formatting)
	for i > 0 && !p.formatting[i-1].isMarker() && !p.isOpen(i-1) {
		i--
	}
	for ; i < len(p.formatting); i++ {
		if p.reopened--; p.reopened < 0 {
			p.formatting = p.formatting[:i]
			return
		}
		e := p.clone(p.formatting[i].element)
		p.insertOpen(e)
		p.formatting[i] = active{element: e, depth: len(p.open.elements) - 1}
	}
}

// isOpen reports whether an active element is open.
func (p *parser) isOpen(i int) bool {
	a := &p.formatting[i]
	return a.depth < len(p.open.elements) && p.open.elements[a.depth].node == a.node
}

// closeAt closes one element, wherever it is in the stack.
func (p *parser) closeAt(depth int) {
	p.open.remove(depth)
	for i := range p.formatting {
		if p.formatting[i].depth > depth {
			p.formatting[i].depth--
		}
	}
}

// openAt opens an element anywhere in the stack.
func (p *parser) openAt(depth int, e element) {
	p.open.insert(depth, e)
	for i := range p.formatting {
		if p.formatting[i].depth >= depth {
			p.formatting[i].depth++
		}
	}
}

// clone is a new element with the name and the attributes of another.
func (p *parser) clone(e element) element {
	n := p.nodes.element(e.atom, e.node.Data)
	n.Attr = p.attributes.copyOf(e.node.Attr)
	return element{node: n, atom: e.atom, class: e.class}
}

// activeNamed is the place of the last active element of that name, or -1.
func (p *parser) activeNamed(name atom.Atom) int {
	for i := len(p.formatting) - 1; i >= 0 && !p.formatting[i].isMarker(); i-- {
		if p.formatting[i].atom == name {
			return i
		}
	}
	return -1
}

// activeIndex is the place of an element, or -1 if it is not active.
func (p *parser) activeIndex(n *html.Node) int {
	for i := len(p.formatting) - 1; i >= 0; i-- {
		if p.formatting[i].node == n {
			return i
		}
	}
	return -1
}

// sortAttributes sorts by key: by insertion, as they are few.
func sortAttributes(attributes []html.Attribute) {
	if len(attributes) > manyKeys {
		slices.SortFunc(attributes, compareAttributes)
		return
	}
	for i := 1; i < len(attributes); i++ {
		for j := i; j > 0 && compareAttributes(attributes[j], attributes[j-1]) < 0; j-- {
			attributes[j], attributes[j-1] = attributes[j-1], attributes[j]
		}
	}
}

func compareAttributes(a, b html.Attribute) int {
	if c := strings.Compare(a.Key, b.Key); c != 0 {
		return c
	}
	return strings.Compare(a.Val, b.Val)
}
