package htmltree

import "golang.org/x/net/html/atom"

// inBody is the mode inside <body>, where pages spend nearly all their bytes.
// Most other modes use it for what they have no rule of their own for.
func (p *parser) inBody() bool {
	switch p.tok.kind {
	case text:
		p.textInBody()
	case startTag:
		return p.startInBody()
	case endTag:
		return p.endInBody()
	case comment:
		p.insertComment()
	case endOfPage:
		if len(p.templateModes) > 0 {
			p.mode = inTemplate
			return false
		}
	}
	return true
}

func (p *parser) textInBody() {
	s := p.tok.text
	top := p.open.top()
	if (top.atom == atom.Pre || top.atom == atom.Listing) && top.node.FirstChild == nil {
		s = dropNewline(s)
	}
	if p.nul {
		s = dropNUL(s)
	}
	if s == "" {
		return
	}
	p.reopenFormatting()
	p.insertText(s)
	if p.framesetOK && leadingSpace(s) < len(s) {
		p.framesetOK = false
	}
}

// startInBody is one line per rule of rules.go.
func (p *parser) startInBody() bool {
	switch p.tok.tag.start {
	case startOther:
		p.reopenFormatting()
		p.insertElement()
	case startIgnored:
	case startBlock:
		p.open.closeParagraph()
		p.insertElement()
	case startHeading:
		p.startHeading()
	case startPre:
		p.open.closeParagraph()
		p.insertElement()
		p.framesetOK = false
	case startForm:
		p.startForm()
	case startListItem, startDefinition:
		p.startItem()
	case startButton:
		p.startButton()
	case startAnchor:
		p.startAnchor()
	case startFormatting:
		p.reopenFormatting()
		p.insertFormatting()
	case startNobr:
		p.startNobr()
	case startVoid:
		p.reopenFormatting()
		p.insertVoid()
		p.framesetOK = false
	case startBareVoid:
		p.insertVoid()
	case startHead:
		return p.inHead()
	case startImage:
		p.tok.rename(atom.Img)
		return false
	default:
		p.startSeldom()
	}
	return true
}

// startSeldom is startInBody for what is not met on every page.
func (p *parser) startSeldom() {
	switch p.tok.tag.start {
	case startMarked:
		p.reopenFormatting()
		p.insertElement()
		p.mark()
		p.framesetOK = false
	case startTable:
		p.startTable()
	case startInput:
		p.startInput()
	case startLine:
		p.startLine()
	case startTextarea, startXmp, startIframe, startRaw:
		p.startRaw()
	case startSelect:
		p.startSelect()
	case startOption:
		p.startOption(atom.Optgroup)
	case startOptgroup:
		p.startOption(0)
	case startRubyBase:
		p.startRuby(0)
	case startRubyText:
		p.startRuby(atom.Rtc)
	case startForeign:
		p.startForeign()
	case startHTML, startBody:
		p.startAgain()
	case startFrameset:
		p.startFrameset()
	}
}

func (p *parser) startHeading() {
	p.open.closeParagraph()
	if p.open.top().class&heading != 0 {
		p.open.pop()
	}
	p.insertElement()
}

func (p *parser) startForm() {
	templated := p.open.contains(atom.Template)
	if p.form != nil && !templated {
		return
	}
	p.open.closeParagraph()
	p.insertElement()
	if !templated {
		p.form = p.open.top().node
	}
}

// startItem begins an item of a list, which ends the one before it: <li> a
// <li>, <dd> and <dt> each other.
func (p *parser) startItem() {
	p.framesetOK = false
	for i := len(p.open.elements) - 1; i >= 0; i-- {
		e := p.open.elements[i]
		if p.tok.tag.start == itemRule(e.atom) {
			p.open.cut(i)
			break
		}
		if e.class&special != 0 && e.class&listSkips == 0 {
			break
		}
	}
	p.open.closeParagraph()
	p.insertElement()
}

// itemRule is the rule of an item's name, startOther for all else.
func itemRule(name atom.Atom) startRule {
	switch name {
	case atom.Li:
		return startListItem
	case atom.Dd, atom.Dt:
		return startDefinition
	}
	return startOther
}

func (p *parser) startButton() {
	if p.open.inScope(anyScope, atom.Button) >= 0 {
		p.open.closeImplied(0)
		p.open.close(anyScope, atom.Button)
	}
	p.reopenFormatting()
	p.insertElement()
	p.framesetOK = false
}

// startAnchor begins a link, which ends one that is still open.
func (p *parser) startAnchor() {
	if i := p.activeNamed(atom.A); i >= 0 {
		unfinished := p.formatting[i].node
		p.closeFormatting(atom.A)
		if depth := p.open.index(unfinished); depth >= 0 {
			p.closeAt(depth)
		}
		if i := p.activeIndex(unfinished); i >= 0 {
			p.forget(i)
		}
	}
	p.reopenFormatting()
	p.insertFormatting()
}

func (p *parser) startNobr() {
	p.reopenFormatting()
	if p.open.inScope(anyScope, atom.Nobr) >= 0 {
		p.closeFormatting(atom.Nobr)
		p.reopenFormatting()
	}
	p.insertFormatting()
}

func (p *parser) startTable() {
	if !p.quirks {
		p.open.closeParagraph()
	}
	p.insertElement()
	p.framesetOK = false
	p.mode = inTable
}

// startLine begins and ends <hr>.
func (p *parser) startLine() {
	if p.open.inScope(buttonScope, atom.P) >= 0 {
		p.open.closeImplied(atom.P)
		p.open.close(anyScope, atom.P)
	}
	if p.open.inScope(anyScope, atom.Select) >= 0 {
		p.open.closeImplied(0)
	}
	p.insertVoid()
	p.framesetOK = false
}

// startRaw begins an element with raw text inside.
func (p *parser) startRaw() {
	switch p.tok.tag.start {
	case startXmp:
		p.open.closeParagraph()
		p.reopenFormatting()
		p.framesetOK = false
	case startTextarea, startIframe:
		p.framesetOK = false
	}
	p.insertRaw()
}

func (p *parser) startRuby(except atom.Atom) {
	if p.open.inScope(anyScope, atom.Ruby) >= 0 {
		p.open.closeImplied(except)
	}
	p.insertElement()
}

// startAgain adds attributes of a second <html> or <body> to the first.
func (p *parser) startAgain() {
	if p.open.contains(atom.Template) || len(p.open.elements) == 0 {
		return
	}
	if p.tok.tag.start == startHTML {
		p.mergeAttributes(p.open.elements[0].node)
		return
	}
	if body, ok := p.openBody(); ok {
		p.framesetOK = false
		p.mergeAttributes(body.node)
	}
}

// openBody is the <body> of the page, while it is open.
func (p *parser) openBody() (element, bool) {
	if len(p.open.elements) < 2 || p.open.elements[1].atom != atom.Body {
		return element{}, false
	}
	return p.open.elements[1], true
}

// startFrameset replaces the body by a frameset, if it has nothing to show yet.
func (p *parser) startFrameset() {
	body, ok := p.openBody()
	if !ok || !p.framesetOK {
		return
	}
	detach(body.node)
	p.open.cut(1)
	p.insertElement()
	p.mode = inFrameset
}
