package htmltree

import "golang.org/x/net/html/atom"

// skipLeadingSpace takes the white space off the front of a text token. It
// reports whether nothing is left.
func (p *parser) skipLeadingSpace() bool {
	p.tok.text = p.tok.text[leadingSpace(p.tok.text):]
	return p.tok.text == ""
}

// keepLeadingSpace does so too, but adds that white space to the current node.
func (p *parser) keepLeadingSpace() bool {
	n := leadingSpace(p.tok.text)
	if n == 0 {
		return false
	}
	p.insertText(p.tok.text[:n])
	p.tok.text = p.tok.text[n:]
	return p.tok.text == ""
}

// inInitial is the mode before anything: a doctype is expected.
func (p *parser) inInitial() bool {
	switch p.tok.kind {
	case text:
		if p.skipLeadingSpace() {
			return true
		}
	case comment:
		appendChild(p.doc, p.commentNode())
		return true
	case doctype:
		p.mode = beforeHTML
		p.insertDoctype()
		return true
	}
	p.quirks = true
	p.mode = beforeHTML
	return false
}

// inBeforeHTML expects <html>.
func (p *parser) inBeforeHTML() bool {
	switch p.tok.kind {
	case doctype:
		return true
	case text:
		if p.skipLeadingSpace() {
			return true
		}
	case startTag:
		if p.tok.atom == atom.Html {
			p.insertElement()
			p.mode = beforeHead
			return true
		}
	case endTag:
		if !endsProlog(p.tok.atom) {
			return true
		}
	case comment:
		appendChild(p.doc, p.commentNode())
		return true
	}
	p.imply(startTag, atom.Html)
	return false
}

// endsProlog reports whether an end tag counts before there is a body.
func endsProlog(name atom.Atom) bool {
	return name == atom.Head || name == atom.Body || name == atom.Html || name == atom.Br
}

// inBeforeHead expects <head>.
func (p *parser) inBeforeHead() bool {
	switch p.tok.kind {
	case doctype:
		return true
	case text:
		if p.skipLeadingSpace() {
			return true
		}
	case startTag:
		switch p.tok.atom {
		case atom.Head:
			p.insertElement()
			p.head = p.open.top().node
			p.mode = inHead
			return true
		case atom.Html:
			return p.inBody()
		}
	case endTag:
		if !endsProlog(p.tok.atom) {
			return true
		}
	case comment:
		p.insertComment()
		return true
	}
	p.imply(startTag, atom.Head)
	return false
}

// inAfterHead expects <body>.
func (p *parser) inAfterHead() bool {
	switch p.tok.kind {
	case doctype:
		return true
	case comment:
		p.insertComment()
		return true
	case text:
		if p.keepLeadingSpace() {
			return true
		}
	case startTag:
		if done, known := p.startAfterHead(); known {
			return done
		}
	case endTag:
		switch p.tok.atom {
		case atom.Body, atom.Html, atom.Br:
		case atom.Template:
			return p.inHead()
		default:
			return true
		}
	}
	p.imply(startTag, atom.Body)
	p.framesetOK = true
	return p.tok.kind == endOfPage
}

func (p *parser) startAfterHead() (done, known bool) {
	switch p.tok.tag.start {
	case startHTML:
		return p.inBody(), true
	case startBody:
		p.insertElement()
		p.framesetOK = false
		p.mode = inBody
		return true, true
	case startFrameset:
		p.insertElement()
		p.mode = inFrameset
		return true, true
	case startHead:
		return p.inHeadAgain(), true
	}
	return true, p.tok.atom == atom.Head
}

// inHeadAgain puts into the head what belongs there and came after it.
func (p *parser) inHeadAgain() bool {
	head := p.head
	if head == nil {
		return p.inHead()
	}
	p.open.push(element{node: head, atom: atom.Head, class: tagOf(atom.Head).class})
	done := p.inHead()
	if depth := p.open.index(head); depth >= 0 {
		p.closeAt(depth)
	}
	return done
}
