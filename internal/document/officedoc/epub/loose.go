package epub

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/internal/document/plain"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// isLoose tells whether a page that was read as XML is HTML: an element that
// never has anything inside, such as a line break, was not closed, so that the
// rest of the page is inside it.
func isLoose(n *xmlpull.Node) bool {
	switch strings.ToLower(n.Name) {
	case "br", "hr", "img", "input", "col", "wbr", "meta", "link":
		if len(n.Kids) > 0 {
			return true
		}
	}
	for _, k := range n.Kids {
		if isLoose(k) {
			return true
		}
	}
	return false
}

// loosely reads the body of a page as browsers do; nil if it cannot be read.
func loosely(raw []byte) *xmlpull.Node {
	root, err := html.Parse(strings.NewReader(plain.Decode(raw, "text/html")))
	if err != nil {
		return nil
	}
	for n := range root.Descendants() {
		if n.DataAtom == atom.Body {
			return asXML(n)
		}
	}
	return nil
}

func asXML(n *html.Node) *xmlpull.Node {
	if n.Type == html.TextNode {
		return &xmlpull.Node{Text: n.Data}
	}
	out := &xmlpull.Node{Name: n.Data}
	if n.Namespace == "svg" {
		out.Name = "svg:" + n.Data
	}
	for _, a := range n.Attr {
		name := a.Key
		if a.Namespace != "" {
			name = a.Namespace + ":" + a.Key
		}
		out.Attrs = append(out.Attrs, xmlpull.Attr{Name: name, Value: a.Val})
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == html.TextNode || k.Type == html.ElementNode {
			out.Kids = append(out.Kids, asXML(k))
		}
	}
	return out
}
