package htmldoc

import (
	"fmt"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/internal/document"
)

// content is where the main content of a page was found.
type content struct {
	roots []int // indexes into the outline of the page
	page  *page
	why   string
}

// findContent marks in the outline what is not content and says which
// elements hold the rest.
func findContent(o *outline, doc *document.Doc) content {
	p := &page{outline: o, doc: doc, total: o.els[0], types: schemaTypes(doc.Root)}
	p.lists = p.listingEvidence()
	if reason := p.forumEvidence(); reason != "" {
		p.kind, p.reason = kindForum, reason
	}
	p.dropFurniture()
	if p.kind == "" {
		p.kind, p.reason = p.guessKind()
	}
	at := p.locate()
	p.dropClutter(at)
	if p.kind == kindProduct {
		p.dropOrphans(at)
	}
	why := fmt.Sprintf("%s (%s) in %s, %d of %d characters", p.kind, p.reason, describe(p.els[at].node), p.els[at].text, p.size)
	return content{roots: p.withLead(at), page: p, why: strings.Join(append([]string{why}, p.notes...), "; ")}
}

// page is a page while its content is being looked for.
type page struct {
	*outline
	doc    *document.Doc
	total  element        // the body as it was before anything was dropped
	types  map[string]int // schema.org types, and how often the page names each
	lists  string         // what says that the page lists others; empty: nothing
	kind   string
	reason string
}

// locate finds the region of the content. Where a page has several parts, some
// of them are often folded away; they are then looked at, too.
func (p *page) locate() int {
	p.dropClutter(0)
	at := p.region()
	if p.kind == kindProduct {
		at = p.withName(at)
	}
	if p.kind == kindArticle || p.kind == kindForum || p.withHidden || !p.hides {
		return at
	}
	return p.unfold(at)
}

// unfold measures the page again with what is hidden at first: the other tabs
// and slides, the answers below questions. The region stays where it was found.
// That of a listing is looked for again, as too little of a list may be visible
// to tell it from what surrounds it.
func (p *page) unfold(at int) int {
	body, region := p.els[0].node, p.els[at].node
	p.outline = nil // so that a huge page is not held twice
	p.outline = outlineOf(body, true)
	p.total = p.els[0]
	p.dropFurniture()
	p.dropClutter(0)
	if p.kind == kindListing {
		return p.region()
	}
	for i := range p.els {
		if p.els[i].node == region && !p.els[i].gone {
			return i
		}
	}
	return p.region()
}

// inside reports whether an ancestor of e has one of the names.
func (p *page) inside(e *element, names ...atom.Atom) bool {
	for up := e.parent; up != 0; up = p.els[up].parent {
		for _, name := range names {
			if p.els[up].node.DataAtom == name {
				return true
			}
		}
	}
	return false
}
