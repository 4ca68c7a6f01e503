package htmldoc

import (
	"fmt"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/internal/document"
)

// content is where the main content of a page was found.
type content struct {
	roots []int // indexes into the outline
	page  *page
	why   string
}

// findContent marks in the outline what is not content and says which
// elements hold the rest.
func findContent(o *outline, doc *document.Doc) content {
	p := &page{outline: o, doc: doc}
	p.total = o.els[0]
	p.types = schemaTypes(doc.Root)
	if reason := p.forumEvidence(); reason != "" {
		p.kind, p.reason = kindForum, reason
	}
	p.dropFurniture()
	if p.kind == "" {
		p.kind, p.reason = p.guessKind()
	}
	p.dropClutter(0)
	at := p.region()
	p.dropClutter(at)
	why := fmt.Sprintf("%s (%s) in %s, %d of %d characters", p.kind, p.reason, describe(o.els[at].node), o.els[at].text, o.size)
	return content{roots: p.withLead(at), page: p, why: strings.Join(append([]string{why}, o.notes...), "; ")}
}

// page is a page while its content is being looked for.
type page struct {
	*outline
	doc    *document.Doc
	total  element         // the body as it was before anything was dropped
	types  map[string]bool // schema.org types the page names
	kind   string
	reason string
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
