package htmltree

import "golang.org/x/net/html/atom"

// inTable is the mode directly inside a <table>. What does not belong there is
// read by the rules of the body and fostered.
func (p *parser) inTable() bool {
	switch p.tok.kind {
	case text:
		if p.nul {
			p.tok.text = dropNUL(p.tok.text)
		}
		if p.open.top().class&tablePart != 0 && leadingSpace(p.tok.text) == len(p.tok.text) {
			p.insertText(p.tok.text)
			return true
		}
	case startTag:
		if done, known := p.startInTable(); known {
			return done
		}
	case endTag:
		if done, known := p.endInTable(); known {
			return done
		}
	case comment:
		p.insertComment()
		return true
	case doctype:
		return true
	case endOfPage:
		return p.inBody()
	}
	p.fostering = true
	done := p.inBody()
	p.fostering = false
	return done
}

func (p *parser) startInTable() (done, known bool) {
	switch p.tok.atom {
	case atom.Caption:
		p.open.clearTo(ofTable)
		p.mark()
		p.insertElement()
		p.mode = inCaption
	case atom.Colgroup:
		p.open.clearTo(ofTable)
		p.insertElement()
		p.mode = inColumnGroup
	case atom.Tbody, atom.Tfoot, atom.Thead:
		p.open.clearTo(ofTable)
		p.insertElement()
		p.mode = inTableBody
	case atom.Col:
		p.imply(startTag, atom.Colgroup)
		return false, true
	case atom.Td, atom.Th, atom.Tr:
		p.imply(startTag, atom.Tbody)
		return false, true
	case atom.Table:
		return !p.closeTable(), true
	case atom.Style, atom.Script, atom.Template:
		return p.inHead(), true
	case atom.Input:
		if !p.tok.hidden() {
			return false, false
		}
		p.insertVoid()
	case atom.Form:
		if p.form == nil && !p.open.contains(atom.Template) {
			p.insertVoid()
			p.form = p.current().LastChild
		}
	default:
		return false, false
	}
	return true, true
}

func (p *parser) endInTable() (done, known bool) {
	switch p.tok.atom {
	case atom.Table:
		p.closeTable()
		return true, true
	case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead,
		atom.Tr:
		return true, true
	case atom.Template:
		return p.inHead(), true
	}
	return false, false
}

// closeTable ends the innermost table, if there is one.
func (p *parser) closeTable() bool {
	if !p.open.close(tableScope, atom.Table) {
		return false
	}
	p.resetMode()
	return true
}

// inCaption is the mode inside <caption>.
func (p *parser) inCaption() bool {
	switch p.tok.kind {
	case startTag:
		switch p.tok.atom {
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Td, atom.Tfoot, atom.Thead, atom.Tr:
			return !p.closeCaption()
		}
	case endTag:
		switch p.tok.atom {
		case atom.Caption:
			p.closeCaption()
			return true
		case atom.Table:
			return !p.closeCaption()
		case atom.Body, atom.Col, atom.Colgroup, atom.Html, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
			return true
		}
	}
	return p.inBody()
}

func (p *parser) closeCaption() bool {
	if !p.open.close(tableScope, atom.Caption) {
		return false
	}
	p.clearFormatting()
	p.mode = inTable
	return true
}

// inColumnGroup is the mode inside <colgroup>.
func (p *parser) inColumnGroup() bool {
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
		switch p.tok.atom {
		case atom.Html:
			return p.inBody()
		case atom.Col:
			p.insertVoid()
			return true
		case atom.Template:
			return p.inHead()
		}
	case endTag:
		switch p.tok.atom {
		case atom.Colgroup:
			p.closeColumnGroup()
			return true
		case atom.Col:
			return true
		case atom.Template:
			return p.inHead()
		}
	case endOfPage:
		return p.inBody()
	}
	return !p.closeColumnGroup()
}

func (p *parser) closeColumnGroup() bool {
	if p.open.top().atom != atom.Colgroup {
		return false
	}
	p.open.pop()
	p.mode = inTable
	return true
}
