package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// OpenGraph is what a page says in Open Graph terms.
type OpenGraph struct {
	Namespaces map[string]string // prefix → its address, for the prefixes that are used
	Properties [][2]string       // name and value, in document order
}

// openGraphSpaces are the vocabularies of the protocol.
var openGraphSpaces = map[string]string{
	"og":      "http://ogp.me/ns#",
	"music":   "http://ogp.me/ns/music#",
	"video":   "http://ogp.me/ns/video#",
	"article": "http://ogp.me/ns/article#",
	"book":    "http://ogp.me/ns/book#",
	"profile": "http://ogp.me/ns/profile#",
	"product": "http://ogp.me/ns/product#",
}

// ReadOpenGraph gathers the Open Graph properties of a page.
func ReadOpenGraph(root *html.Node) OpenGraph {
	og := OpenGraph{Namespaces: map[string]string{}}
	for n := range root.Descendants() {
		if n.DataAtom != atom.Meta || n.Type != html.ElementNode {
			continue
		}
		name, value := strings.TrimSpace(attr(n, "property")), attr(n, "content")
		prefix, _, ok := strings.Cut(name, ":")
		space := openGraphSpaces[prefix]
		if !ok || space == "" || !has(n, "content") {
			continue
		}
		og.Namespaces[prefix] = space
		og.Properties = append(og.Properties, [2]string{name, value})
	}
	return og
}

// get gives the first value of a property.
func (og OpenGraph) get(names ...string) string {
	for _, name := range names {
		for _, p := range og.Properties {
			if p[0] == name && strings.TrimSpace(p[1]) != "" {
				return strings.TrimSpace(p[1])
			}
		}
	}
	return ""
}
