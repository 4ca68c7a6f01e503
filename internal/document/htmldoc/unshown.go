package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// thin is the number of characters below which a page is looked at again for
// text that only its structured data holds.
const thin = 1500

// addUnshown appends what a page says about its subject only to machines: the
// text of an article or the description of a product that a script would have
// shown. A page that shows enough, or shows that very text, gets nothing.
func addUnshown(view *View, p *page) {
	shown := textOf(view.Root)
	if len(shown) > thin || p.declared("Product", "ProductGroup", "NewsArticle", "Article", "BlogPosting") == "" {
		return
	}
	text := declaredText(JSONLD(p.doc.Root), 0)
	if len(text) < 150 || strings.Contains(collapse(shown), collapse(text[:60])) {
		return
	}
	for paragraph := range strings.SplitSeq(text, "\n") {
		if paragraph = collapse(paragraph); paragraph != "" {
			n := &html.Node{Type: html.ElementNode, Data: "p", DataAtom: atom.P}
			n.AppendChild(&html.Node{Type: html.TextNode, Data: paragraph})
			view.Root.AppendChild(n)
		}
	}
	view.Why += "; the text of its structured data added"
}

// declaredText is the longest text that structured data gives for an article
// or a product.
func declaredText(value any, depth int) string {
	best := ""
	consider := func(s string) {
		if len(s) > len(best) {
			best = s
		}
	}
	switch v := value.(type) {
	case []any:
		for _, e := range v {
			consider(declaredText(e, depth+1))
		}
	case map[string]any:
		t := ldThing(v)
		if body, ok := v["articleBody"].(string); ok {
			consider(plainLines(body))
		}
		if description, ok := v["description"].(string); ok && t.is(productTypes...) {
			consider(plainLines(description))
		}
		for _, key := range []string{"@graph", "mainEntity"} {
			if depth < 4 {
				consider(declaredText(v[key], depth+1))
			}
		}
	}
	return best
}

// plainLines drops markup and keeps the lines it makes.
func plainLines(s string) string {
	s = html.UnescapeString(s)
	if !strings.Contains(s, "<") {
		return s
	}
	root, err := html.Parse(strings.NewReader(s))
	if err != nil {
		return s
	}
	return shownText(root)
}
