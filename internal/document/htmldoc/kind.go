package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The kinds of pages that are treated differently.
const (
	kindArticle = "article" // one text
	kindForum   = "forum"   // what several people wrote: comments are the content
	kindListing = "listing" // many things, each with a link to more
	kindProduct = "product" // one thing that is sold
	kindMixed   = "mixed"   // several texts side by side: a start page, a service
)

// guessKind says what the page is: from what it declares, and from how its
// text is spread. The shares were tried on the web-main sets.
func (p *page) guessKind() (kind, reason string) {
	body := &p.els[0]
	flow, cards := p.flows()[0], p.cardText(body)
	if reason := p.productEvidence(cards*2 > body.text); reason != "" {
		return kindProduct, reason
	}
	switch {
	case p.lists != "" && cards*4 >= body.text:
		return kindListing, p.lists
	case p.declaresArticle() && flow >= 200 && flow*20 >= body.text:
		return kindArticle, "declared as one"
	case flow*10 >= body.text*2 || flow >= 1500:
		return kindArticle, "one long text"
	case cards*2 > body.text:
		return kindListing, "mostly cards"
	}
	return kindMixed, "no long text"
}

// forumEvidence looks for the marks of a discussion.
func (p *page) forumEvidence() string {
	generator, _ := p.doc.Meta["generator"].(string)
	generator = strings.ToLower(generator)
	for _, name := range []string{"discourse", "phpbb", "vbulletin", "xenforo", "mybb", "flarum", "vanilla", "smf", "nodebb", "invision"} {
		if strings.Contains(generator, name) {
			return "made by " + name
		}
	}
	if t := p.declared("DiscussionForumPosting", "QAPage"); t != "" {
		return "declared as " + t
	}
	host, path := strings.ToLower(p.doc.Base.Hostname()), strings.ToLower(p.doc.Base.Path)
	for _, word := range []string{"forum", "community.", "discuss", "boards."} {
		if strings.HasPrefix(host, word) {
			return "host " + host
		}
	}
	for _, word := range []string{"/forum", "/threads/", "/questions/", "viewtopic", "showthread", "/discussion/", "/discussions/", "/boards/"} {
		if strings.Contains(path, word) {
			return "path " + word
		}
	}
	return ""
}

// listingEvidence looks for the marks of a page that lists others: what it
// declares, its address, and the class that weblogs give the body of such pages.
func (p *page) listingEvidence() string {
	if t := p.declared("CollectionPage", "SearchResultsPage"); t != "" {
		return "declared as " + t
	}
	path := strings.ToLower(p.doc.Base.Path) + "/"
	for _, word := range []string{"/category/", "/categories/", "/tag/", "/tags/", "/collections/", "/topics/", "/archive/", "/archives/", "/search/"} {
		if strings.Contains(path, word) && !strings.Contains(path, "/products/") {
			return "path " + word
		}
	}
	for class := range strings.FieldsSeq(attr(p.els[0].node, "class")) {
		if class == "archive" || class == "category" {
			return "body of class " + class
		}
	}
	return ""
}

// declared finds the first of the schema.org types in the page's structured
// data. It only looks for the name; what the data says is read elsewhere.
func (p *page) declared(types ...string) string {
	for _, t := range types {
		if p.types[t] > 0 {
			return t
		}
	}
	return ""
}

// schemaTypes counts the schema.org types a page names.
func schemaTypes(root *html.Node) map[string]int {
	types := map[string]int{}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.DataAtom == atom.Script {
			if strings.EqualFold(strings.TrimSpace(attr(n, "type")), "application/ld+json") && n.FirstChild != nil {
				jsonTypes(n.FirstChild.Data, types)
			}
			continue
		}
		if t, ok := attribute(n, "itemtype"); ok {
			types[strings.TrimSpace(t[strings.LastIndexByte(t, '/')+1:])]++
		}
	}
	return types
}

// jsonTypes gathers the values of "@type" without reading the rest.
func jsonTypes(s string, types map[string]int) {
	for {
		_, rest, ok := strings.Cut(s, `"@type"`)
		if !ok {
			return
		}
		s = rest
		value := strings.TrimLeft(rest[:min(len(rest), 80)], " \t\r\n:[\"")
		if end := strings.IndexByte(value, '"'); end > 0 {
			types[value[:end]]++
		}
	}
}

// flows tells for every element the most prose that stands in paragraphs side
// by side somewhere in it. In an article that is most of the text; in a list of
// teasers each has a corner of its own.
func (p *page) flows() []int {
	flow := make([]int, len(p.els))
	for i := 1; i < len(p.els); i++ {
		e := &p.els[i]
		if e.gone || !e.isProse() {
			continue
		}
		at := e.parent
		if e.node.DataAtom != atom.P && e.own > 250 {
			at = i
		}
		for p.els[at].node.DataAtom == atom.Blockquote {
			at = p.els[at].parent
		}
		flow[at] += e.own
	}
	for i := len(p.els) - 1; i > 0; i-- {
		up := p.els[i].parent
		flow[up] = max(flow[up], flow[i])
	}
	return flow
}

// declaresArticle reports whether the page says of itself that it is one text.
func (p *page) declaresArticle() bool {
	if og, _ := p.doc.Meta["og:type"].(string); strings.EqualFold(og, "article") {
		return true
	}
	return p.declared("NewsArticle", "Article", "BlogPosting", "ReportageNewsArticle", "TechArticle") != ""
}
