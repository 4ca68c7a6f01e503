package htmldoc

import "golang.org/x/net/html/atom"

// region finds the smallest element that holds nearly all of the text.
func (p *page) region() int {
	flows := p.flows()
	at := max(p.declaredMain(), p.declaredBody(flows))
	for {
		next := p.heaviestChild(at)
		if next < 0 || p.weight(next)*100 < p.weight(at)*p.nearlyAll() {
			next = p.dominant(at, flows)
		}
		if next < 0 || !isContainer(p.els[next].node.DataAtom) || p.isOneOfMany(next) || p.standsInFlow(next) {
			return p.wholeTable(at)
		}
		at = next
	}
}

// standsInFlow reports whether paragraphs follow an element directly: it is then
// a part of their text, a box or a listing in it.
func (p *page) standsInFlow(at int) bool {
	e := &p.els[at]
	for i := e.end; i < p.els[e.parent].end; i = p.els[i].end {
		if s := &p.els[i]; !s.gone && s.node.DataAtom == atom.P && s.isProse() {
			return true
		}
	}
	return false
}

// wholeTable steps out of a table that was entered as if it were layout: rows
// and cells mean nothing without it.
func (p *page) wholeTable(at int) int {
	for at > 0 && isTablePart(p.els[at].node.DataAtom) {
		at = p.els[at].parent
	}
	return at
}

func isTablePart(a atom.Atom) bool { return a == atom.Tbody || a == atom.Tr || a == atom.Thead }

// nearlyAll is the share of the weight, in percent, that a child must hold for
// the rest to be taken as something else. Swept over the web-main sets: 65–87
// for articles, 78–92 for pages of many parts.
func (p *page) nearlyAll() int {
	if p.kind == kindMixed || p.kind == kindListing {
		return 88
	}
	return 78
}

// dominant finds the child that holds the one long text of an article where
// many short ones stand beside it, such as the teasers of other stories.
func (p *page) dominant(at int, flows []int) int {
	if p.kind != kindArticle {
		return -1
	}
	best, second := -1, 0
	for i := at + 1; i < p.els[at].end; i = p.els[i].end {
		switch {
		case p.els[i].gone:
		case p.els[i].isProse():
			second += p.els[i].own // a paragraph of the same text as far as we know
		case best < 0 || flows[i] > flows[best]:
			if best >= 0 {
				second = max(second, flows[best])
			}
			best = i
		default:
			second = max(second, flows[i])
		}
	}
	if best < 0 || flows[best] < 300 || flows[best] < 3*second {
		return -1
	}
	rest := p.els[at].text - p.els[best].text
	if links := p.els[at].link - p.els[best].link; links*4 < rest {
		return -1 // sections of the same text, not other stories
	}
	return best
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

// declaredMain is the heaviest <main> of the page, or the body if none holds a
// good part of the text.
func (p *page) declaredMain() int {
	best := 0
	for i := 1; i < len(p.els); i++ {
		e := &p.els[i]
		if e.gone || e.node.DataAtom != atom.Main && attr(e.node, "role") != "main" {
			continue
		}
		if best == 0 || p.weight(i) > p.weight(best) {
			best = i
		}
	}
	if p.weight(best)*5 < p.weight(0)*2 {
		return 0
	}
	return best
}

// declaredBody is the one element of an article that says it holds the text,
// if the longest run of paragraphs stands in it; else the body.
func (p *page) declaredBody(flows []int) int {
	if p.kind != kindArticle {
		return 0
	}
	found := 0
	for i := 1; i < len(p.els); i++ {
		e := &p.els[i]
		if e.gone || e.sig&sigBody == 0 || found != 0 && i < p.els[found].end {
			continue
		}
		if found != 0 {
			return 0 // several stories, or parts of one
		}
		found = i
	}
	if flows[found] < 300 || flows[found]*10 < flows[0]*9 {
		return 0
	}
	return found
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
