package htmltree

import "golang.org/x/net/html/atom"

// endInBody is one line per rule of rules.go.
func (p *parser) endInBody() bool {
	switch p.tok.tag.end {
	case endOther:
		p.closeOther(p.tok.atom, p.tok.name)
	case endBlock:
		p.endBlock()
	case endParagraph:
		p.endParagraph()
	case endFormatting:
		p.closeFormatting(p.tok.atom)
	case endListItem:
		p.open.close(listScope, atom.Li)
	case endDefinition:
		p.open.close(anyScope, p.tok.atom)
	case endHeading:
		p.open.closeAny(anyScope, heading)
	case endForm:
		p.endForm()
	case endMarked:
		if p.open.close(anyScope, p.tok.atom) {
			p.clearFormatting()
		}
	case endBreak:
		p.tok.kind = startTag // "</br>" is read as "<br>"
		return false
	case endTemplate:
		return p.inHead()
	case endBody, endHTML:
		return p.endBody()
	}
	return true
}

func (p *parser) endBlock() {
	if p.open.inScope(anyScope, p.tok.atom) < 0 {
		return
	}
	p.open.closeImplied(0)
	p.open.close(anyScope, p.tok.atom)
}

// endParagraph ends a paragraph; if none is open, an empty one.
func (p *parser) endParagraph() {
	if p.open.inScope(buttonScope, atom.P) < 0 {
		p.imply(startTag, atom.P)
	}
	p.open.close(buttonScope, atom.P)
}

// endBody ends the body. "</html>" does so on its way to what it means itself.
func (p *parser) endBody() bool {
	open := p.open.inScope(anyScope, atom.Body) >= 0
	if open {
		p.mode = afterBody
	}
	return p.tok.tag.end == endBody || !open
}

// closeOther closes the innermost element of that name, unless a special
// element is open inside it.
func (p *parser) closeOther(name atom.Atom, data string) {
	for i := len(p.open.elements) - 1; i >= 0; i-- {
		e := &p.open.elements[i]
		if e.atom == name && e.class&foreign == 0 && (name != 0 || e.node.Data == data) {
			p.open.cut(i)
			return
		}
		if e.class&special != 0 {
			return
		}
	}
}
