package htmldoc

import "golang.org/x/net/html/atom"

// region finds the smallest element that holds nearly all of the text.
func (p *page) region() int {
	at := 0
	if main := p.largest(func(e *element) bool {
		return e.node.DataAtom == atom.Main || attr(e.node, "role") == "main"
	}); main > 0 && p.weight(main)*5 >= p.weight(0)*2 {
		at = main
	}
	for {
		next := p.heaviestChild(at)
		if next < 0 || p.weight(next)*10 < p.weight(at)*8 || !isContainer(p.els[next].node.DataAtom) || p.isOneOfMany(next) {
			return at
		}
		at = next
	}
}

// weight is how much content an element seems to hold.
func (p *page) weight(at int) int {
	e := &p.els[at]
	if p.kind == kindMixed || p.kind == kindListing {
		return e.text
	}
	return e.prose*3 + e.text - e.link
}

func (p *page) heaviestChild(at int) int {
	best := -1
	for i := at + 1; i < p.els[at].end; i = p.els[i].end {
		if !p.els[i].gone && (best < 0 || p.weight(i) > p.weight(best)) {
			best = i
		}
	}
	return best
}

func (p *page) largest(is func(*element) bool) int {
	best := -1
	for i := range p.els {
		if !p.els[i].gone && is(&p.els[i]) && (best < 0 || p.els[i].text > p.els[best].text) {
			best = i
		}
	}
	return best
}

func isContainer(a atom.Atom) bool {
	switch a {
	case atom.Div, atom.Section, atom.Article, atom.Main, atom.Td, atom.Tr, atom.Tbody, atom.Table, atom.Center, atom.Form, 0:
		return true
	}
	return false
}

// isOneOfMany reports whether an element has siblings that look like it and
// hold text: it is then one post of a thread, not the thread.
func (p *page) isOneOfMany(at int) bool {
	e := &p.els[at]
	if e.node.DataAtom == atom.Td {
		return false
	}
	class, alike := attr(e.node, "class"), 0
	for i := p.els[at].parent + 1; i < p.els[e.parent].end; i = p.els[i].end {
		s := &p.els[i]
		if i != at && !s.gone && s.node.DataAtom == e.node.DataAtom && attr(s.node, "class") == class && s.text-s.link >= 30 {
			alike++
		}
	}
	return alike >= 2 && class != "" || alike >= 1 && p.kind == kindForum
}
