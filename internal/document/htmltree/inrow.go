package htmltree

import "golang.org/x/net/html/atom"

// inTableBody is the mode directly inside <tbody>, <thead> and <tfoot>.
func (p *parser) inTableBody() bool {
	switch p.tok.kind {
	case startTag:
		switch p.tok.atom {
		case atom.Tr:
			p.open.clearTo(ofSection)
			p.insertElement()
			p.mode = inRow
			return true
		case atom.Td, atom.Th:
			p.imply(startTag, atom.Tr)
			return false
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead:
			return !p.closeSection()
		}
	case endTag:
		switch p.tok.atom {
		case atom.Tbody, atom.Tfoot, atom.Thead:
			if p.open.inScope(tableScope, p.tok.atom) >= 0 {
				p.open.clearTo(ofSection)
				p.open.pop()
				p.mode = inTable
			}
			return true
		case atom.Table:
			return !p.closeSection()
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Td, atom.Th, atom.Tr:
			return true
		}
	case comment:
		p.insertComment()
		return true
	}
	return p.inTable()
}

func (p *parser) closeSection() bool {
	if !p.open.closeAny(tableScope, section) {
		return false
	}
	p.mode = inTable
	return true
}

// inRow is the mode directly inside <tr>.
func (p *parser) inRow() bool {
	switch p.tok.kind {
	case startTag:
		switch p.tok.atom {
		case atom.Td, atom.Th:
			p.open.clearTo(ofRow)
			p.insertElement()
			p.mark()
			p.mode = inCell
			return true
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
			return !p.closeRow()
		}
	case endTag:
		switch p.tok.atom {
		case atom.Tr:
			p.closeRow()
			return true
		case atom.Table:
			return !p.closeRow()
		case atom.Tbody, atom.Tfoot, atom.Thead:
			return p.open.inScope(tableScope, p.tok.atom) < 0 || !p.closeRow()
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Td, atom.Th:
			return true
		}
	}
	return p.inTable()
}

func (p *parser) closeRow() bool {
	if p.open.inScope(tableScope, atom.Tr) < 0 {
		return false
	}
	p.open.clearTo(ofRow)
	p.open.pop()
	p.mode = inTableBody
	return true
}

// inCell is the mode inside <td> and <th>.
func (p *parser) inCell() bool {
	switch p.tok.kind {
	case startTag:
		switch p.tok.atom {
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
			if !p.open.closeAny(tableScope, cell) {
				return true
			}
			p.clearFormatting()
			p.mode = inRow
			return false
		}
	case endTag:
		switch p.tok.atom {
		case atom.Td, atom.Th:
			if p.open.close(tableScope, p.tok.atom) {
				p.clearFormatting()
				p.mode = inRow
			}
			return true
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html:
			return true
		case atom.Table, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
			if p.open.inScope(tableScope, p.tok.atom) < 0 {
				return true
			}
			if p.open.closeAny(tableScope, cell) {
				p.clearFormatting()
			}
			p.mode = inRow
			return false
		}
	}
	return p.inBody()
}
