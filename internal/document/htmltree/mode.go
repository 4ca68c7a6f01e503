package htmltree

import "golang.org/x/net/html/atom"

// mode is the insertion mode: where in a page the parser is. Each has a method
// that takes the token and reports whether it is used up; if not, the mode was
// changed and looks at it again.
type mode uint8

const (
	initial mode = iota
	beforeHTML
	beforeHead
	inHead
	afterHead
	inBody
	inRawText
	inTable
	inCaption
	inColumnGroup
	inTableBody
	inRow
	inCell
	inTemplate
	afterBody
	inFrameset
	afterFrameset
	afterAfterBody
	afterAfterFrameset
	ignoring // the rest of the page is given up
)

// use has the token processed by the rules of a mode.
func (p *parser) use(m mode) bool {
	switch m {
	case initial:
		return p.inInitial()
	case beforeHTML:
		return p.inBeforeHTML()
	case beforeHead:
		return p.inBeforeHead()
	case inHead:
		return p.inHead()
	case afterHead:
		return p.inAfterHead()
	case inBody:
		return p.inBody()
	case inRawText:
		return p.inRawText()
	case inTable:
		return p.inTable()
	case inCaption:
		return p.inCaption()
	case inColumnGroup:
		return p.inColumnGroup()
	case inTableBody:
		return p.inTableBody()
	case inRow:
		return p.inRow()
	case inCell:
		return p.inCell()
	case inTemplate:
		return p.inTemplate()
	case afterBody:
		return p.inAfterBody()
	case inFrameset:
		return p.inFrameset()
	case afterFrameset:
		return p.inAfterFrameset()
	case afterAfterBody:
		return p.inAfterAfterBody()
	case afterAfterFrameset:
		return p.inAfterAfterFrameset()
	}
	return true
}

// resetMode finds the mode from the open elements.
func (p *parser) resetMode() {
	for i := len(p.open.elements) - 1; i >= 0; i-- {
		e := p.open.elements[i]
		if i == 0 && p.context != nil {
			e = *p.context
		}
		if m, ok := p.modeInside(e); ok {
			p.mode = m
			return
		}
	}
	p.mode = inBody
}

// modeInside is the mode an open element asks for, if it does.
func (p *parser) modeInside(e element) (mode, bool) {
	switch e.atom {
	case atom.Td, atom.Th:
		return inCell, true
	case atom.Tr:
		return inRow, true
	case atom.Tbody, atom.Thead, atom.Tfoot:
		return inTableBody, true
	case atom.Caption:
		return inCaption, true
	case atom.Colgroup:
		return inColumnGroup, true
	case atom.Table:
		return inTable, true
	case atom.Template:
		if n := len(p.templateModes); n > 0 && e.class&foreign == 0 {
			return p.templateModes[n-1], true
		}
	case atom.Head:
		return inHead, true
	case atom.Body:
		return inBody, true
	case atom.Frameset:
		return inFrameset, true
	case atom.Html:
		if p.head == nil {
			return beforeHead, true
		}
		return afterHead, true
	}
	return inBody, false
}

// inRawText is the mode inside an element whose content is text alone.
func (p *parser) inRawText() bool {
	if p.tok.kind == text {
		s := p.tok.text
		if top := p.open.top(); top.atom == atom.Textarea && top.node.FirstChild == nil {
			s = dropNewline(s)
		}
		p.insertText(s)
		return true
	}
	if p.tok.kind == endTag || p.tok.kind == endOfPage {
		p.open.pop()
	}
	p.mode = p.textMode
	return p.tok.kind == endTag
}

// insertRaw adds an element whose content is text alone.
func (p *parser) insertRaw() {
	p.insertElement()
	p.textMode = p.mode
	p.mode = inRawText
}

// dropNewline drops the line end a <pre> or <textarea> begins with.
func dropNewline(s string) string {
	if s != "" && s[0] == '\r' {
		s = s[1:]
	}
	if s != "" && s[0] == '\n' {
		s = s[1:]
	}
	return s
}
