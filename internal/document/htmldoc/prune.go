package htmldoc

import (
	"golang.org/x/net/html"

	"golang.org/x/net/html/atom"
	"os"
)

// prune takes out what is not content inside the region.
func (p *page) prune(region int) {
	p.dropClutter(region)
}

func (p *page) dropClutter(region int) {
	r := &p.els[region]
	if p.kind == kindArticle {
		p.dropLabelled(region)
	}
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

// isClutter says as what an element inside the region is left out.
func (p *page) isClutter(e, region *element) string {
	if p.kind == kindArticle && e.sig&(sigByline|sigTags) != 0 && !isInline(e.node.DataAtom) && e.prose == 0 && e.text < 200 && e.node.DataAtom != atom.H1 && !p.holds(e, atom.H1) {
		return "byline"
	}
	switch e.node.DataAtom {
	case atom.H1:
		if DevH1 {
			return "title"
		}
	case atom.Figcaption:
		if DevCap {
			return "caption"
		}
	case atom.Button:
		return "a button"
	case atom.Ul, atom.Ol, atom.Div, atom.Section, atom.Table, atom.Dl, atom.Form, atom.Aside:
	default:
		return ""
	}
	if e.fields > 0 && e.prose*10 < region.prose && e.node.DataAtom == atom.Form {
		return "a form"
	}
	if p.kind == kindListing || p.kind == kindMixed {
		return ""
	}
	switch {
	case e.prose == 0 && e.links > 0 && !p.inFlow(e) && e.linkDensity() > 0.6 && e.text*5 < region.text:
		return "links"
	case p.isCardRow(e) && e.text*3 < region.text:
		return "cards"
	}
	return ""
}

var DevH1 = os.Getenv("H1") != ""
var DevCap = os.Getenv("CAP") != ""

// inFlow reports whether a list follows a paragraph or a heading that may
// introduce it.
func (p *page) inFlow(e *element) bool {
	if e.node.DataAtom != atom.Ul && e.node.DataAtom != atom.Ol && e.node.DataAtom != atom.Table && e.node.DataAtom != atom.Dl {
		return false
	}
	for s := e.node.PrevSibling; s != nil; s = s.PrevSibling {
		if s.Type != html.ElementNode {
			continue
		}
		return s.DataAtom == atom.P || isHeading(s.DataAtom)
	}
	return false
}
