package htmldoc

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// dropClutter takes out what stands inside the region but is not content. How
// much is taken depends on the kind of page: a list of links below an article
// leads away from it, on a listing it is the listing.
func (p *page) dropClutter(region int) {
	if p.kind == kindArticle || p.kind == kindMixed || p.kind == kindProduct {
		p.dropLabelled(region)
	}
	p.dropRepeats(region)
	p.dropCookieNotices(region)
	r := &p.els[region]
	for at := region + 1; at < r.end; {
		e := &p.els[at]
		if e.gone {
			at = e.end
			continue
		}
		if why := p.isClutter(e, r); why != "" {
			p.drop(at, why)
			at = e.end
			continue
		}
		at++
	}
}

// isClutter says as what an element inside the region is left out; empty: it
// stays.
func (p *page) isClutter(e, region *element) string {
	switch {
	case e.node.DataAtom == atom.Button && !isUnfolder(e.node):
		return "a button"
	case e.prose == 0 && (e.node.DataAtom == atom.Fieldset || e.node.DataAtom == atom.Label && has(e.node, "for")):
		return "a choice"
	case e.node.DataAtom == atom.Form && e.fields > 0 && e.prose*10 < region.prose:
		return "a form"
	case p.kind == kindArticle && p.isRemark(e):
		return "a remark"
	case p.kind == kindProduct && p.isReviews(e, region):
		return "reviews"
	case p.kind == kindProduct && isScrambled(e):
		return "codes"
	case p.kind == kindListing || p.kind == kindMixed || !isGroup(e.node.DataAtom):
		return ""
	case e.prose == 0 && e.links > 0 && e.linkDensity() > 0.6 && e.text*5 < region.text && !p.isIntroduced(e):
		return "links"
	case (e.text*3 < region.text || p.kind == kindProduct && p.canSpare(e)) && p.isCardRow(e):
		return "cards"
	}
	return ""
}

func isGroup(a atom.Atom) bool {
	switch a {
	case atom.Ul, atom.Ol, atom.Div, atom.Section, atom.Table, atom.Dl, atom.Form, atom.Aside:
		return true
	}
	return false
}

// isIntroduced reports whether a list follows a paragraph or a heading that may
// speak of it.
func (p *page) isIntroduced(e *element) bool {
	switch e.node.DataAtom {
	case atom.Ul, atom.Ol, atom.Table, atom.Dl:
	default:
		return false
	}
	for s := e.node.PrevSibling; s != nil; s = s.PrevSibling {
		if s.Type == html.ElementNode {
			return s.DataAtom == atom.P || isHeading(s.DataAtom)
		}
	}
	return false
}
