package htmltree

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// current is the node that is being filled.
func (p *parser) current() *html.Node {
	if n := p.open.top().node; n != nil {
		return n
	}
	return p.doc
}

// insertElement adds the element of the token to the current node and opens it.
func (p *parser) insertElement() {
	n := p.tokenElement()
	p.insertOpen(element{node: n, atom: p.tok.atom, class: p.tok.tag.class})
}

// insertVoid adds the element of the token, which has no content.
func (p *parser) insertVoid() {
	p.insert(p.tokenElement())
}

func (p *parser) tokenElement() *html.Node {
	n := p.nodes.element(p.tok.atom, p.tok.name)
	n.Attr = p.tok.attributes
	return n
}

// insertOpen adds an element and opens it.
func (p *parser) insertOpen(e element) {
	if len(p.open.elements) >= p.bound {
		p.cover()
	}
	p.insert(e.node)
	p.open.push(e)
}

// insert adds a node to the current node or, where it does not belong into the
// table it stands in, before that table.
func (p *parser) insert(n *html.Node) {
	if p.fostering && p.open.top().class&tablePart != 0 {
		p.foster(n)
		return
	}
	appendChild(p.current(), n)
}

// insertText adds text to the current node, to the text it ends with if it does.
func (p *parser) insertText(s string) {
	if s == "" {
		return
	}
	fostered := p.fostering && p.open.top().class&tablePart != 0
	if !fostered {
		if last := p.current().LastChild; last != nil && last.Type == html.TextNode {
			p.growText(last, s)
			return
		}
	}
	n := p.nodes.take()
	n.Type = html.TextNode
	n.Data = s
	if fostered {
		p.foster(n)
		return
	}
	appendChild(p.current(), n)
}

// growText appends to a text. The whole is made when the page was read, since
// texts may grow often.
func (p *parser) growText(n *html.Node, s string) {
	if p.grown == nil {
		p.grown = make(map[*html.Node][]byte)
	}
	whole, ok := p.grown[n]
	if !ok {
		whole = []byte(n.Data)
	}
	p.grown[n] = append(whole, s...)
}

func (p *parser) insertComment() {
	p.insert(p.commentNode())
}

// commentNode is the node of a comment token.
func (p *parser) commentNode() *html.Node {
	n := p.nodes.take()
	n.Type = html.CommentNode
	n.Data = p.tok.text
	return n
}

// foster adds a node before the innermost table, or to a template inside it.
func (p *parser) foster(n *html.Node) {
	table, template := -1, -1
	for i := len(p.open.elements) - 1; i >= 0 && table < 0 && template < 0; i-- {
		switch p.open.elements[i].atom {
		case atom.Table:
			table = i
		case atom.Template:
			template = i
		}
	}
	if template >= 0 {
		appendChild(p.open.elements[template].node, n)
		return
	}
	if table < 0 {
		p.adopt(p.open.elements[0].node, n, nil)
		return
	}
	before := p.open.elements[table].node
	if before.Parent != nil {
		p.adopt(before.Parent, n, before)
		return
	}
	p.adopt(p.outside(table), n, nil)
}

// outside is the node of the element around the one at that depth.
func (p *parser) outside(depth int) *html.Node {
	if depth == 0 {
		return p.doc
	}
	return p.open.elements[depth-1].node
}

// adopt adds a node before another, at the end if that is nil. Text joins the
// text before it.
func (p *parser) adopt(parent, n, before *html.Node) {
	previous := parent.LastChild
	if before != nil {
		previous = before.PrevSibling
	}
	if previous != nil && previous.Type == html.TextNode && n.Type == html.TextNode {
		p.growText(previous, n.Data)
		return
	}
	parent.InsertBefore(n, before)
}

// appendChild is html.Node.AppendChild for a child known to be free.
func appendChild(parent, child *html.Node) {
	last := parent.LastChild
	if last != nil {
		last.NextSibling = child
	} else {
		parent.FirstChild = child
	}
	parent.LastChild = child
	child.Parent = parent
	child.PrevSibling = last
}

// detach takes a node off its parent, if it has one.
func detach(n *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

// mergeAttributes adds those attributes of the token an element does not have.
func (p *parser) mergeAttributes(n *html.Node) {
	for _, a := range p.tok.attributes {
		if !p.hasAttribute(n, a.Key) {
			n.Attr = append(n.Attr, a)
		}
	}
}

// hasAttribute reports whether an element has an attribute. A page can repeat
// <body> any number of times, each with an attribute more: once there are many
// they are kept as a set, and key counts as had from then on.
func (p *parser) hasAttribute(n *html.Node, key string) bool {
	if len(n.Attr) < manyKeys {
		return hasKey(n.Attr, key)
	}
	keys := p.merged[n]
	if keys == nil {
		keys = make(map[string]bool, 2*len(n.Attr))
		for i := range n.Attr {
			keys[n.Attr[i].Key] = true
		}
		if p.merged == nil {
			p.merged = make(map[*html.Node]map[string]bool)
		}
		p.merged[n] = keys
	}
	had := keys[key]
	keys[key] = true
	return had
}
