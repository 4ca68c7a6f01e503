package htmldoc

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// What is different on a page that sells one thing: it declares so, its content
// begins at the name of the thing, and rows of other things lead away from it
// however long they are.

// productEvidence looks for the marks of such a page. Product without an offer
// is only there to carry stars; many of them are a list.
func (p *page) productEvidence(mostlyCards bool) string {
	if p.declared("ItemList", "CollectionPage", "SearchResultsPage", "OfferCatalog", "NewsArticle", "Article", "BlogPosting") != "" {
		return ""
	}
	if products := p.types["Product"]; p.declared("Offer", "AggregateOffer") != "" {
		switch {
		case p.types["ProductGroup"] > 0:
			return "declared as ProductGroup"
		case products > 0 && products <= 3:
			return "declared as Product"
		}
	} else if products > 0 {
		return ""
	}
	og, _ := p.doc.Meta["og:type"].(string)
	og = strings.TrimPrefix(strings.ToLower(og), "og:")
	if !mostlyCards && strings.HasPrefix(og, "product") && og != "product.group" {
		return "og:type " + og
	}
	return ""
}

// withName goes up from the region until the name of the thing is in it. The
// whole body is no answer: then the name stands apart.
func (p *page) withName(at int) int {
	name := p.firstHeadline()
	if name < 0 {
		return at
	}
	up := at
	for up > 0 && (name < up || name >= p.els[up].end) {
		up = p.els[up].parent
	}
	if up == 0 || p.els[up].text > 2*p.els[at].text {
		return at
	}
	return up
}

func (p *page) firstHeadline() int {
	for i := 1; i < len(p.els); i++ {
		if e := &p.els[i]; e.node.DataAtom == atom.H1 && !e.gone && e.text > 0 {
			return i
		}
	}
	return -1
}

// isReviews reports whether e is where buyers write about the thing.
func (p *page) isReviews(e, region *element) bool {
	return e.sig&sigReview != 0 && e.prose*2 <= region.prose && !p.holds(e, atom.H1)
}

// isScrambled reports whether a block has next to no spaces. Shops write words
// such as "Sponsored" letter by letter between codes that a style sheet hides,
// so that nobody filters them.
func isScrambled(e *element) bool {
	if e.own < 60 || e.ownLink > 0 || e.node.DataAtom == atom.Pre || isInline(e.node.DataAtom) {
		return false
	}
	text := textOf(e.node)
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return false // may be of a language that writes without spaces
		}
	}
	return len(strings.Fields(text))*30 < e.own
}

// dropOrphans takes out headings whose part was taken out as a whole, such as
// "Customers also viewed".
func (p *page) dropOrphans(region int) {
	r := &p.els[region]
	for at := region + 1; at < r.end; at++ {
		e := &p.els[at]
		if !e.gone && isHeading(e.node.DataAtom) && e.node.DataAtom != atom.H1 && p.isOrphan(at, region) {
			p.drop(at, "a heading of nothing")
		}
	}
}

// isOrphan looks at what follows a heading: beside it, then beside what it
// opens. There was something, and no text is left of it.
func (p *page) isOrphan(at, region int) bool {
	for top := at; top > region; top = p.els[top].parent {
		lost := false
		for i := p.els[top].end; i < p.els[p.els[top].parent].end; i = p.els[i].end {
			if !p.els[i].gone && p.els[i].text > 0 {
				return false
			}
			lost = lost || p.lostText(i)
		}
		if lost {
			return true
		}
	}
	return false
}

// lostText reports whether something with text was dropped at or below that index.
func (p *page) lostText(at int) bool {
	for i := at; i < p.els[at].end; i++ {
		if p.els[i].gone && p.els[i].text > 0 {
			return true
		}
	}
	return false
}
