package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isBlock reports whether n stands on its own lines: by its name, or because
// it holds something that does.
func isBlock(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Center, atom.Dd, atom.Details,
		atom.Dialog, atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer,
		atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr,
		atom.Html, atom.Li, atom.Legend, atom.Listing, atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.Optgroup,
		atom.Option, atom.P, atom.Pre, atom.Search, atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Td,
		atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Caption, atom.Ul, atom.Xmp, atom.Video, atom.Audio:
		return true
	case atom.Code: // around a <pre> or lines of its own it is a listing
		return n.FirstChild != nil && hasBlockInside(n)
	case atom.Br, atom.Img, atom.Kbd, atom.Samp, atom.Tt, atom.Math, atom.Svg, atom.Input:
		return false
	}
	return n.FirstChild != nil && hasBlockInside(n)
}

// hasBlockInside looks for a block below n and stops at the first.
func hasBlockInside(n *html.Node) bool {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if isElement(child) && !isSkipped(child) && isBlock(child) {
			return true
		}
	}
	return false
}

// isSkipped reports whether an element never shows as text.
func isSkipped(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script:
		return !strings.HasPrefix(attr(n, "type"), "math/tex")
	case atom.Style, atom.Noscript, atom.Template, atom.Head, atom.Title, atom.Meta, atom.Link, atom.Iframe,
		atom.Object, atom.Embed, atom.Canvas, atom.Map, atom.Datalist, atom.Svg, atom.Colgroup, atom.Col, atom.Wbr:
		return true
	}
	return n.Type == html.ElementNode && n.Data == "rp"
}

func isElement(n *html.Node) bool { return n != nil && n.Type == html.ElementNode }

func attr(n *html.Node, name string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == name {
			return n.Attr[i].Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, name string) bool {
	for i := range n.Attr {
		if n.Attr[i].Key == name {
			return true
		}
	}
	return false
}

// hasClass reports whether one of n's classes equals one of names.
func hasClass(n *html.Node, names ...string) bool {
	for class := range strings.FieldsSeq(attr(n, "class")) {
		for _, name := range names {
			if class == name {
				return true
			}
		}
	}
	return false
}

// textOf joins the text below n as it stands.
func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

type direction bool

const (
	forward  direction = true
	backward direction = false
)

// neighbour is the next sibling that is not white space or a comment.
func neighbour(n *html.Node, d direction) *html.Node {
	step := func(n *html.Node) *html.Node {
		if d == forward {
			return n.NextSibling
		}
		return n.PrevSibling
	}
	for s := step(n); s != nil; s = step(s) {
		if s.Type == html.CommentNode || s.Type == html.TextNode && strings.TrimSpace(s.Data) == "" {
			continue
		}
		return s
	}
	return nil
}

func isBreak(n *html.Node) bool { return isElement(n) && n.DataAtom == atom.Br }
