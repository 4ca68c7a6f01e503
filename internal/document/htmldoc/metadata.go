package htmldoc

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// metadata gathers what the page says about itself. Known <meta> elements get
// the name the API gives them; all others keep their own.
func metadata(root *html.Node, base *url.URL) map[string]any {
	m := map[string]any{}
	var walk func(*html.Node, bool)
	walk = func(n *html.Node, inHead bool) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type != html.ElementNode {
				continue
			}
			switch c.DataAtom {
			case atom.Html:
				setOnce(m, "language", strings.TrimSpace(attr(c, "lang")))
				walk(c, false)
			case atom.Head:
				walk(c, true)
			case atom.Title:
				if inHead {
					setOnce(m, "title", collapse(textOf(c)))
				}
			case atom.Meta:
				addMeta(m, c)
			case atom.Link:
				addIcon(m, c, base)
			case atom.Body:
				bodyMeta(m, c)
			}
		}
	}
	walk(root, false)
	fillTitle(m, root)
	fillFacts(m, root)
	return m
}

// bodyMeta reads <meta> elements that stray parsers or authors put into the
// body. Those inside microdata describe a thing on the page, not the page.
func bodyMeta(m map[string]any, body *html.Node) {
	for c := body.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Meta && c.Type == html.ElementNode {
			addMeta(m, c)
		}
	}
}

// addMeta reads one <meta>.
func addMeta(m map[string]any, n *html.Node) {
	content, ok := attribute(n, "content")
	if !ok {
		return
	}
	content = strings.TrimSpace(content)
	for _, key := range []string{"name", "property", "itemprop"} {
		name := strings.TrimSpace(attr(n, key))
		if name == "" || content == "" {
			continue
		}
		known, isKnown := metaNames[strings.ToLower(name)]
		switch {
		case !isKnown:
			add(m, name, content)
		case known == "description":
			join(m, known, content)
		case known == "ogLocaleAlternate":
			appendTo(m, known, content)
		case m[known] == nil:
			m[known] = content
		}
	}
}

// add sets a value; a repeated name becomes a list.
func add(m map[string]any, name, value string) {
	switch old := m[name].(type) {
	case nil:
		m[name] = value
	case string:
		m[name] = []string{old, value}
	case []string:
		m[name] = append(old, value)
	}
}

func appendTo(m map[string]any, name, value string) {
	list, _ := m[name].([]string)
	m[name] = append(list, value)
}

func join(m map[string]any, name, value string) {
	if old, ok := m[name].(string); ok {
		value = old + ", " + value
	}
	m[name] = value
}

func setOnce(m map[string]any, name, value string) {
	if _, ok := m[name]; !ok && value != "" {
		m[name] = value
	}
}

// addIcon takes the first icon the page names.
func addIcon(m map[string]any, n *html.Node, base *url.URL) {
	href := strings.TrimSpace(attr(n, "href"))
	if href == "" || m["favicon"] != nil {
		return
	}
	for rel := range strings.FieldsSeq(strings.ToLower(attr(n, "rel"))) {
		if rel == "icon" || rel == "apple-touch-icon" {
			m["favicon"] = absolute(base, href)
			return
		}
	}
}

// fillTitle falls back to what else names the page.
func fillTitle(m map[string]any, root *html.Node) {
	if m["title"] != nil {
		return
	}
	if s, ok := m["ogTitle"].(string); ok {
		m["title"] = s
		return
	}
	if h := find(root, atom.H1); h != nil {
		setOnce(m, "title", collapse(textOf(h)))
	}
}

// metaNames maps the name of a <meta> to the field of the API.
var metaNames = map[string]string{
	"description":            "description",
	"keywords":               "keywords",
	"robots":                 "robots",
	"og:title":               "ogTitle",
	"og:description":         "ogDescription",
	"og:url":                 "ogUrl",
	"og:image":               "ogImage",
	"og:audio":               "ogAudio",
	"og:determiner":          "ogDeterminer",
	"og:locale":              "ogLocale",
	"og:locale:alternate":    "ogLocaleAlternate",
	"og:site_name":           "ogSiteName",
	"og:video":               "ogVideo",
	"article:section":        "articleSection",
	"article:tag":            "articleTag",
	"article:published_time": "publishedTime",
	"article:modified_time":  "modifiedTime",
	"dcterms.created":        "dcTermsCreated",
	"dc.date.created":        "dcDateCreated",
	"dc.date":                "dcDate",
	"dcterms.type":           "dcTermsType",
	"dc.type":                "dcType",
	"dcterms.audience":       "dcTermsAudience",
	"dcterms.subject":        "dcTermsSubject",
	"dc.subject":             "dcSubject",
	"dc.description":         "dcDescription",
	"dcterms.keywords":       "dcTermsKeywords",
}
