package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A row of cards is several children of one element that look alike, each
// with a link to something else: the hits of a search, the goods of a shop,
// the teasers below an article.

// isCardRow reports whether the children of e are a row of cards.
func (p *page) isCardRow(e *element) bool {
	alike, others := 0, 0
	var tag atom.Atom
	for i := e.at + 1; i < e.end; i = p.els[i].end {
		c := &p.els[i]
		if c.gone || c.text == 0 {
			continue
		}
		if tag == 0 {
			tag = c.node.DataAtom
		}
		if c.node.DataAtom == tag && isCard(c) {
			alike++
		} else {
			others++
		}
	}
	return alike >= 3 && alike > 2*others
}

func isCard(e *element) bool {
	switch e.node.DataAtom {
	case atom.Div, atom.Li, atom.Article, atom.Section, atom.A, atom.Tr, atom.Td, atom.Figure, 0:
	default:
		return false
	}
	if e.links == 0 || e.text < 8 || e.text > 800 || !leadsAway(e.node) {
		return false
	}
	if e.own > 0 { // a line, not a box: nothing but the link may be in it
		return e.link*10 >= e.text*8
	}
	if e.link == 0 && e.text < 250 { // a link without text lies over the whole box
		return true
	}
	return e.link*10 >= e.text*3 || e.first == leadLink
}

// leadsAway reports whether the first link at or below n goes to another page.
// What folds and unfolds is often written as a link, too.
func leadsAway(n *html.Node) bool {
	if n.DataAtom == atom.A {
		return goesElsewhere(n)
	}
	looked := 0
	for d := range n.Descendants() {
		if d.DataAtom == atom.A {
			return goesElsewhere(d)
		}
		if looked++; looked > farInCard {
			return false
		}
	}
	return false
}

// farInCard is how many nodes into a card its link is looked for, so that boxes
// within boxes do not make a page slow.
const farInCard = 300

func goesElsewhere(a *html.Node) bool {
	href := strings.TrimSpace(attr(a, "href"))
	return href != "" && href[0] != '#' && !strings.HasPrefix(href, "javascript:")
}

// cardText is how much of the text below e is in cards.
func (p *page) cardText(e *element) int {
	sum := 0
	for i := e.at; i < e.end; {
		c := &p.els[i]
		if c.gone {
			i = c.end
			continue
		}
		if p.isCardRow(c) {
			sum += c.text
			i = c.end
			continue
		}
		i++
	}
	return sum
}
