package epub

import (
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// copy moves what is on a page into the tree of the book.
func (b *book) copy(parent *html.Node, n *xmlpull.Node, c *chapter) {
	if n.Name == "" {
		parent.AppendChild(flow.Text(strings.ReplaceAll(n.Text, "\ufeff", ""))) // only keeps a line together
		return
	}
	name := strings.ToLower(n.Name)
	switch name {
	case "script", "style", "link", "meta", "iframe", "object", "svg:style":
		return
	case "svg:image": // a cover is a picture in a drawing
		parent.AppendChild(flow.Image(inBook(c.path, n.Attr("xlink:href")), ""))
		return
	}
	if isPageBreak(n) {
		return
	}
	if strings.HasPrefix(name, "svg:") {
		for _, k := range n.Kids {
			if k.Name != "" && k.Name != "svg:title" && k.Name != "svg:desc" {
				b.copy(parent, k, c)
			}
		}
		return
	}
	el := flow.Element(name)
	for _, a := range n.Attrs {
		b.attribute(el, a, c)
	}
	parent.AppendChild(el)
	for _, k := range n.Kids {
		b.copy(el, k, c)
	}
}

// isPageBreak tells whether an element only says where the printed book had a
// new page.
func isPageBreak(n *xmlpull.Node) bool {
	return strings.Contains(n.Attr("epub:type"), "pagebreak") || n.Attr("role") == "doc-pagebreak"
}

// roles are the parts of a book that other code knows by their role.
var roles = map[string]string{
	"noteref": "doc-noteref", "footnote": "doc-footnote", "footnotes": "doc-endnotes", "endnotes": "doc-endnotes",
	"endnote": "doc-endnote", "rearnote": "doc-endnote", "rearnotes": "doc-endnotes", "backlink": "doc-backlink",
}

func (b *book) attribute(el *html.Node, a xmlpull.Attr, c *chapter) {
	switch a.Name {
	case "id":
		flow.SetAttr(el, "id", c.ids[a.Value])
	case "href":
		flow.SetAttr(el, "href", b.link(a.Value, c))
	case "src":
		flow.SetAttr(el, "src", inBook(c.path, a.Value))
	case "epub:type":
		for word := range strings.FieldsSeq(a.Value) {
			if role, ok := roles[word]; ok {
				flow.SetAttr(el, "role", role)
				break
			}
		}
	default:
		if !strings.Contains(a.Name, ":") && !strings.HasPrefix(a.Name, "on") && a.Name != "style" {
			el.Attr = append(el.Attr, html.Attribute{Key: a.Name, Val: a.Value})
		}
	}
}

// link turns a link between pages into one inside the document; others stay.
func (b *book) link(href string, c *chapter) string {
	u, err := url.Parse(href)
	if err != nil || u.IsAbs() || u.Host != "" {
		return href
	}
	to := c
	if u.Path != "" {
		to = b.byPath[path.Join(path.Dir(c.path), u.Path)]
	}
	if to == nil {
		return href
	}
	if id, ok := to.ids[u.Fragment]; ok {
		return "#" + id
	}
	if to.id != "" {
		return "#" + to.id
	}
	return ""
}

// inBook gives the place of a picture in the book; an address stays.
func inBook(page, src string) string {
	u, err := url.Parse(src)
	if err != nil || u.IsAbs() || u.Path == "" {
		return src
	}
	return path.Join(path.Dir(page), u.Path)
}
