package publisher

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlText gives the text of a piece of HTML, a paragraph per line.
func htmlText(body string) string {
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		return tidy(body)
	}
	return nodeText(root)
}

var htmlBlocks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Li: true, atom.Tr: true, atom.Br: true, atom.H1: true, atom.H2: true, atom.H3: true,
	atom.H4: true, atom.H5: true, atom.H6: true, atom.Table: true, atom.Section: true, atom.Article: true, atom.Blockquote: true,
	atom.Dd: true, atom.Dt: true, atom.Ul: true, atom.Ol: true, atom.Pre: true, atom.Center: true, atom.Hr: true,
}

// htmlSkipped are the parts of a page that are not its text.
var htmlSkipped = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true, atom.Head: true, atom.Nav: true,
	atom.Footer: true, atom.Form: true, atom.Svg: true, atom.Iframe: true, atom.Button: true, atom.Select: true,
}

// nodeText gives the paragraphs below a node.
func nodeText(n *html.Node) string {
	var b strings.Builder
	writeHTML(&b, n)
	var out []string
	for _, line := range strings.Split(b.String(), "\x00") {
		if line = tidy(line); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func writeHTML(b *strings.Builder, n *html.Node) {
	switch n.Type {
	case html.TextNode:
		b.WriteString(n.Data)
		return
	case html.ElementNode:
		if htmlSkipped[n.DataAtom] {
			return
		}
	case html.CommentNode, html.DoctypeNode:
		return
	}
	block := htmlBlocks[n.DataAtom]
	if block {
		b.WriteByte(0)
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		writeHTML(b, k)
	}
	if n.DataAtom == atom.Td || n.DataAtom == atom.Th {
		b.WriteByte(' ')
	}
	if block {
		b.WriteByte(0)
	}
}

// findHTML gives the first node below for which ok holds, or nil.
func findHTML(n *html.Node, ok func(*html.Node) bool) *html.Node {
	if ok(n) {
		return n
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if found := findHTML(k, ok); found != nil {
			return found
		}
	}
	return nil
}

func htmlAttr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func isElement(tag atom.Atom) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.Type == html.ElementNode && n.DataAtom == tag }
}
