package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// fillFacts completes author and dates where no <meta> of the usual names gave
// them: from other <meta> elements, from structured data, from the page itself.
func fillFacts(m map[string]any, root *html.Node) {
	fillFromMeta(m, "publishedTime", publishedNames)
	fillFromMeta(m, "modifiedTime", []string{"og:updated_time", "dateModified", "last-modified", "lastmod"})
	if author, _ := m["article:author"].(string); author != "" && !isAbsolute(author) {
		setOnce(m, "author", author)
	}
	if m["author"] != nil && m["publishedTime"] != nil {
		return
	}
	for _, value := range JSONLD(root) {
		factsOf(m, value, 0)
	}
	if m["author"] != nil && m["publishedTime"] != nil {
		return
	}
	shownFacts(m, root)
}

var publishedNames = []string{"datePublished", "pubdate", "publishdate", "publish-date", "publish_date", "date", "parsely-pub-date", "sailthru.date",
	"dc.date.issued", "DC.date.issued", "dcterms.date", "article.published", "published_at", "og:published_time", "citation_publication_date"}

func fillFromMeta(m map[string]any, field string, names []string) {
	for _, name := range names {
		if value, ok := m[name].(string); ok {
			setOnce(m, field, value)
		}
	}
	for _, own := range []string{"dcDate", "dcTermsCreated", "dcDateCreated"} {
		if value, ok := m[own].(string); ok && field == "publishedTime" {
			setOnce(m, field, value)
		}
	}
}

// factsOf reads the article an object of JSON-LD describes, or those in it.
func factsOf(m map[string]any, value any, depth int) {
	object, ok := value.(map[string]any)
	if !ok || depth > 3 {
		return
	}
	t := ldThing(object)
	if t.text("datePublished") != "" || t.text("headline") != "" {
		setOnce(m, "publishedTime", t.text("datePublished"))
		setOnce(m, "modifiedTime", t.text("dateModified"))
		setOnce(m, "author", t.name("author"))
	}
	for _, key := range []string{"@graph", "mainEntity", "mainEntityOfPage"} {
		switch inner := object[key].(type) {
		case []any:
			for _, e := range inner {
				factsOf(m, e, depth+1)
			}
		case map[string]any:
			factsOf(m, inner, depth+1)
		}
	}
}

// shownFacts reads what the page marks for readers.
func shownFacts(m map[string]any, root *html.Node) {
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch {
		case n.DataAtom == atom.Time && m["publishedTime"] == nil:
			if stamp := attr(n, "datetime"); len(stamp) >= 10 && stamp[0] >= '1' && stamp[0] <= '2' {
				setOnce(m, "publishedTime", stamp)
			}
		case m["author"] == nil && (attr(n, "rel") == "author" || attr(n, "itemprop") == "author"):
			if name := shortText(n, 60); name != "" {
				setOnce(m, "author", strings.TrimPrefix(strings.TrimPrefix(name, "By "), "by "))
			}
		}
	}
}
