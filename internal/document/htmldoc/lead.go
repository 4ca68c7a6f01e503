package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// withLead gives the parts that make up the content: the region, what carries
// it on beside it, and before it the lines between the headline and the text.
// The headline itself is the title of the page, which the metadata has.
func (p *page) withLead(region int) []int {
	all := p.kin(region)
	region = all[0]
	head := p.headline(region)
	if head < 0 {
		return all
	}
	var lead []int
	for i := p.els[head].end; i < region; {
		e := &p.els[i]
		if !e.gone && e.end > region { // around the region
			i++
			continue
		}
		if !e.gone && p.isLead(e) {
			lead = append(lead, i)
		}
		i = e.end
	}
	return append(lead, all...)
}

// isLead reports whether an element between headline and text is a few
// sentences, as opposed to a picture, a byline or a menu.
func (p *page) isLead(e *element) bool {
	return e.prose > 0 && e.text < 1200 && e.linkDensity() < 0.3 && e.sig&(sigCaption|sigByline) == 0 &&
		e.node.DataAtom != atom.Figcaption && !p.holds(e, atom.Img) && !p.holds(e, atom.Figcaption)
}

// kin lists the region with those of its siblings that carry the same text on:
// they share a class with it and hold prose.
func (p *page) kin(region int) []int {
	if region == 0 {
		return []int{0}
	}
	var all []int
	up := p.els[region].parent
	for i := up + 1; i < p.els[up].end; i = p.els[i].end {
		e := &p.els[i]
		if i == region || !e.gone && e.prose > 100 && e.linkDensity() < 0.25 && sharesClass(e.node, p.els[region].node) {
			all = append(all, i)
		}
	}
	return all
}

func sharesClass(a, b *html.Node) bool {
	other := " " + attr(b, "class") + " "
	for class := range strings.FieldsSeq(attr(a, "class")) {
		if len(class) > 3 && strings.Contains(other, " "+class+" ") {
			return true
		}
	}
	return false
}

// headline finds the last <h1> before the region, if it has none inside and is
// not far from it.
func (p *page) headline(region int) int {
	if p.holds(&p.els[region], atom.H1) {
		return -1
	}
	found := -1
	for i := 1; i < region; i++ {
		if e := &p.els[i]; e.node.DataAtom == atom.H1 && !e.gone && e.text > 0 {
			found = i
		}
	}
	if found < 0 || p.textBetween(found, region) > farAway {
		return -1
	}
	return found
}

// farAway is the number of characters that no headline has below it before its
// text begins.
const farAway = 3000

// textBetween counts the text that stands after one element and before another.
func (p *page) textBetween(from, to int) int {
	sum := 0
	for i := p.els[from].end; i < to; {
		e := &p.els[i]
		if e.end > to {
			i++
			continue
		}
		if !e.gone {
			sum += e.text
		}
		i = e.end
	}
	return sum
}
