package flow

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Element makes an element without attributes.
func Element(tag string) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: tag, DataAtom: atom.Lookup([]byte(tag))}
}

// Text makes a text node.
func Text(s string) *html.Node {
	return &html.Node{Type: html.TextNode, Data: s}
}

// SetAttr adds an attribute, unless its value is empty.
func SetAttr(n *html.Node, name, value string) {
	if value != "" {
		n.Attr = append(n.Attr, html.Attribute{Key: name, Val: value})
	}
}

// Wrap puts nodes into a new element.
func Wrap(tag string, nodes []*html.Node) *html.Node { return wrap(tag, "", nodes) }

func wrap(tag, id string, nodes []*html.Node) *html.Node {
	n := Element(tag)
	SetAttr(n, "id", id)
	for _, k := range nodes {
		n.AppendChild(k)
	}
	return n
}

// Image makes an img. The source says where in the file the picture is; its
// bytes are not carried along.
func Image(src, alt string) *html.Node {
	n := Element("img")
	n.Attr = append(n.Attr, html.Attribute{Key: "src", Val: src}, html.Attribute{Key: "alt", Val: alt})
	return n
}

// Document makes a whole page out of the blocks of its body.
func Document(title, lang string, blocks []*html.Node) *html.Node {
	doc := &html.Node{Type: html.DocumentNode}
	doc.AppendChild(&html.Node{Type: html.DoctypeNode, Data: "html"})
	root, head, body := Element("html"), Element("head"), Element("body")
	SetAttr(root, "lang", lang)
	if title != "" {
		head.AppendChild(wrap("title", "", []*html.Node{Text(title)}))
	}
	for _, b := range blocks {
		body.AppendChild(b)
	}
	root.AppendChild(head)
	root.AppendChild(body)
	doc.AppendChild(root)
	return doc
}
