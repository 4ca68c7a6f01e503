package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// dropClutter takes out what stands inside the region but is not content. How
// much is taken depends on the kind of page: a list of links below an article
// leads away from it, on a listing it is the listing.
func (p *page) dropClutter(region int) {
	if p.kind == kindArticle || p.kind == kindMixed {
		p.dropLabelled(region)
	}
	p.dropRepeats(region)
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
	case e.node.DataAtom == atom.Button:
		return "a button"
	case e.prose == 0 && (e.node.DataAtom == atom.Fieldset || e.node.DataAtom == atom.Label && has(e.node, "for")):
		return "a choice"
	case e.node.DataAtom == atom.Form && e.fields > 0 && e.prose*10 < region.prose:
		return "a form"
	case p.kind == kindArticle && p.isRemark(e):
		return "a remark"
	case p.kind == kindListing || p.kind == kindMixed || !isGroup(e.node.DataAtom):
		return ""
	case e.prose == 0 && e.links > 0 && e.linkDensity() > 0.6 && e.text*5 < region.text && !p.isIntroduced(e):
		return "links"
	case e.text*3 < region.text && p.isCardRow(e):
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

// isRemark reports whether a short line in an article speaks of the article
// and not of its subject: who wrote it, who took the picture, what to read next.
func (p *page) isRemark(e *element) bool {
	if e.text == 0 || e.text > 200 || isInline(e.node.DataAtom) {
		return false
	}
	switch {
	case e.sig&(sigByline|sigTags) != 0 && e.prose == 0 && e.node.DataAtom != atom.H1 && !p.holds(e, atom.H1):
		return true
	case e.node.DataAtom == atom.P && isPointer(e):
		return true
	}
	return e.text < 90 && e.links < 2 && isCredit(e)
}

// isPointer reports whether a paragraph only leads elsewhere: a few words, a
// colon, and a link that is the rest.
func isPointer(e *element) bool {
	if e.ownLink == 0 || e.ownLink*2 < e.own || e.own-e.ownLink > 40 {
		return false
	}
	before, after, ok := strings.Cut(collapse(textOf(e.node)), ":")
	return ok && !strings.HasPrefix(after, "//") && len(before) <= 40 && len(after) > 10 && e.own-e.ownLink <= len(before)+3
}

// isCredit reports whether a short line only says who made a picture, or that
// an advert follows.
func isCredit(e *element) bool {
	switch e.node.DataAtom {
	case atom.P, atom.Div, atom.Figcaption, atom.Li:
	default:
		return false
	}
	s := strings.ToLower(strings.Trim(collapse(textOf(e.node)), "([ "))
	for _, prefix := range creditPrefixes {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return strings.HasSuffix(s, "getty images") || strings.HasSuffix(s, "/getty")
}

var creditPrefixes = []string{
	"photo:", "photo by", "photos by", "photo credit", "photo ©", "photograph:", "photograph by", "picture:", "image:", "images:", "image credit",
	"image by", "image source", "credit:", "source:", "copyright", "©", "toggle caption", "hide caption", "enlarge this image",
	"image 1 of", "image 2 of", "image 3 of", "image 4 of", "image 5 of",
	"foto:", "fotos:", "foto ©", "foto de", "bild:", "bilder:", "bildquelle", "quelle:", "fuente:", "crédito", "crédit",
	"advertisement", "anzeige", "werbung", "publicidad", "publicidade",
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

// repeatsFrom is the size of a region from which on repeats are looked for;
// short pages repeat themselves on purpose.
const repeatsFrom = 1500

// dropRepeats takes out prose that stands on the page a second time in another
// place, as on pages that carry one version for each width of screen, or posts
// that quote each other.
func (p *page) dropRepeats(region int) {
	if p.els[region].text < repeatsFrom {
		return
	}
	seen := map[uint64]int{} // text → parent of where it stood first
	for at := region + 1; at < p.els[region].end; at++ {
		e := &p.els[at]
		if e.gone || e.own < 60 || e.node.DataAtom == atom.Pre || !e.isProse() {
			continue
		}
		text := fingerprint(e.node)
		parent, ok := seen[text]
		switch {
		case !ok:
			seen[text] = e.parent
		case parent != e.parent:
			p.drop(at, "a repeat")
		}
	}
}
