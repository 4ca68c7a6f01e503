package htmltree

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// inAfterBody is the mode after </body>.
func (p *parser) inAfterBody() bool {
	switch p.tok.kind {
	case endOfPage:
		return true
	case text:
		if leadingSpace(p.tok.text) == len(p.tok.text) {
			return p.inBody()
		}
	case startTag:
		if p.tok.atom == atom.Html {
			return p.inBody()
		}
	case endTag:
		if p.tok.atom == atom.Html {
			if !p.fragment {
				p.mode = afterAfterBody
			}
			return true
		}
	case comment:
		appendChild(p.outermost(), p.commentNode())
		return true
	}
	p.mode = inBody
	return false
}

// outermost is the <html> of the page.
func (p *parser) outermost() *html.Node {
	if len(p.open.elements) == 0 {
		return p.doc
	}
	return p.open.elements[0].node
}

// inAfterAfterBody is the mode after </html>.
func (p *parser) inAfterAfterBody() bool {
	switch p.tok.kind {
	case endOfPage:
		return true
	case text:
		if leadingSpace(p.tok.text) == len(p.tok.text) {
			return p.inBody()
		}
	case startTag:
		if p.tok.atom == atom.Html {
			return p.inBody()
		}
	case comment:
		appendChild(p.doc, p.commentNode())
		return true
	case doctype:
		return p.inBody()
	}
	p.mode = inBody
	return false
}

// inFrameset is the mode inside <frameset>.
func (p *parser) inFrameset() bool {
	switch p.tok.kind {
	case comment:
		p.insertComment()
	case text:
		p.insertText(onlySpace(p.tok.text))
	case startTag:
		switch p.tok.atom {
		case atom.Html:
			return p.inBody()
		case atom.Frameset:
			p.insertElement()
		case atom.Frame:
			p.insertVoid()
		case atom.Noframes:
			return p.inHead()
		}
	case endTag:
		if p.tok.atom == atom.Frameset && p.open.top().atom != atom.Html {
			p.open.pop()
			if p.open.top().atom != atom.Frameset {
				p.mode = afterFrameset
			}
		}
	}
	return true
}

// inAfterFrameset is the mode after </frameset>.
func (p *parser) inAfterFrameset() bool {
	switch p.tok.kind {
	case comment:
		p.insertComment()
	case text:
		p.insertText(onlySpace(p.tok.text))
	case startTag:
		switch p.tok.atom {
		case atom.Html:
			return p.inBody()
		case atom.Noframes:
			return p.inHead()
		}
	case endTag:
		if p.tok.atom == atom.Html {
			p.mode = afterAfterFrameset
		}
	}
	return true
}

// inAfterAfterFrameset is the mode after </html> of a frameset page.
func (p *parser) inAfterAfterFrameset() bool {
	switch p.tok.kind {
	case comment:
		appendChild(p.doc, p.commentNode())
	case text:
		p.tok.text = onlySpace(p.tok.text)
		return p.inBody()
	case startTag:
		switch p.tok.atom {
		case atom.Html:
			return p.inBody()
		case atom.Noframes:
			return p.inHead()
		}
	}
	return true
}
