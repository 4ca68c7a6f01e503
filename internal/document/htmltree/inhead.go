package htmltree

import "golang.org/x/net/html/atom"

// inHead is the mode inside <head>. Other modes use it for what belongs there.
func (p *parser) inHead() bool {
	switch p.tok.kind {
	case text:
		if p.keepLeadingSpace() {
			return true
		}
	case comment:
		p.insertComment()
		return true
	case doctype:
		return true
	case startTag:
		if done, known := p.startInHead(); known {
			return done
		}
	case endTag:
		switch p.tok.atom {
		case atom.Head:
			p.open.pop()
			p.mode = afterHead
			return true
		case atom.Body, atom.Html, atom.Br:
		case atom.Template:
			p.closeTemplate()
			return true
		default:
			return true
		}
	}
	p.imply(endTag, atom.Head)
	return false
}

func (p *parser) startInHead() (done, known bool) {
	switch p.tok.atom {
	case atom.Html:
		return p.inBody(), true
	case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta:
		p.insertVoid()
	case atom.Noscript, atom.Script, atom.Title, atom.Noframes, atom.Style:
		p.insertRaw()
	case atom.Head:
	case atom.Template:
		p.openTemplate()
	default:
		return false, false
	}
	return true, true
}

// openTemplate begins a template. Like the oracle, which does not follow the
// standard there, it gives up on a page with a template inside SVG or MathML.
func (p *parser) openTemplate() {
	for _, e := range p.open.elements {
		if e.class&foreign != 0 {
			p.mode = ignoring
			return
		}
	}
	p.insertElement()
	p.mark()
	p.framesetOK = false
	p.mode = inTemplate
	p.templateModes = append(p.templateModes, inTemplate)
}

// closeTemplate ends the innermost template, if there is one.
func (p *parser) closeTemplate() bool {
	if !p.open.contains(atom.Template) {
		return false
	}
	p.open.closeImplied(0)
	for i := len(p.open.elements) - 1; i >= 0; i-- {
		if e := p.open.elements[i]; e.atom == atom.Template && e.class&foreign == 0 {
			p.open.cut(i)
			break
		}
	}
	p.clearFormatting()
	if n := len(p.templateModes); n > 0 {
		p.templateModes = p.templateModes[:n-1]
	}
	p.resetMode()
	return true
}

// inTemplate is the mode directly inside a template, until its content shows
// what it is a piece of.
func (p *parser) inTemplate() bool {
	switch p.tok.kind {
	case text, comment, doctype:
		return p.inBody()
	case startTag:
		if p.tok.tag.start == startHead {
			return p.inHead()
		}
		p.switchTemplate(templateContent(p.tok.atom))
		return false
	case endTag:
		if p.tok.atom == atom.Template {
			return p.inHead()
		}
		return true
	}
	return !p.closeTemplate()
}

// templateContent is the mode for a template that begins with such an element.
func templateContent(name atom.Atom) mode {
	switch name {
	case atom.Caption, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead:
		return inTable
	case atom.Col:
		return inColumnGroup
	case atom.Tr:
		return inTableBody
	case atom.Td, atom.Th:
		return inRow
	}
	return inBody
}

func (p *parser) switchTemplate(m mode) {
	if n := len(p.templateModes); n > 0 {
		p.templateModes[n-1] = m
	}
	p.mode = m
}
