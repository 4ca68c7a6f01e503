package htmltree

import "golang.org/x/net/html/atom"

// ofSelect reports whether the page is a fragment of a <select>.
func (p *parser) ofSelect() bool {
	return p.context != nil && p.context.atom == atom.Select
}

func (p *parser) startInput() {
	if p.ofSelect() {
		return
	}
	p.open.close(anyScope, atom.Select)
	p.reopenFormatting()
	p.insertVoid()
	if !p.tok.hidden() {
		p.framesetOK = false
	}
}

// startSelect begins a <select>. Inside another it only ends that one.
func (p *parser) startSelect() {
	if p.ofSelect() || p.open.close(anyScope, atom.Select) {
		return
	}
	p.reopenFormatting()
	p.insertElement()
	p.framesetOK = false
}

// startOption begins an <option> or <optgroup>, which ends those before it.
func (p *parser) startOption(except atom.Atom) {
	if p.open.inScope(anyScope, atom.Select) >= 0 {
		p.open.closeImplied(except)
	} else if p.open.top().atom == atom.Option {
		p.open.pop()
	}
	p.reopenFormatting()
	p.insertElement()
}

// endForm ends the form begun last, even if it is not the current node.
func (p *parser) endForm() {
	i := p.open.inScope(anyScope, atom.Form)
	if p.open.contains(atom.Template) {
		if i >= 0 {
			p.open.closeImplied(0)
			p.open.close(anyScope, atom.Form)
		}
		return
	}
	form := p.form
	p.form = nil
	if form == nil || i < 0 || p.open.elements[i].node != form {
		return
	}
	p.open.closeImplied(0)
	p.closeAt(i)
}
