// Package htmldoc reads HTML: bytes of any charset to a document.Doc, and a Doc
// to the parts of a page that are asked for.
//
// Reading parses once and gathers metadata. Clean copies what the caller wants
// of the tree (the main content, or all of it; with or without certain
// elements) into a tree of its own, so several views can be taken of one page.
// Links, Images and the formats are derived from such a view.
//
// How the main content is found is told in outline.go (what is measured),
// region.go (where the content stands) and prune.go (what in it is not content).
package htmldoc

import (
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/htmltree"
)

// Read parses a page. The content type is the one the server sent, with its
// charset if it named one; address is where the page came from.
func Read(body []byte, contentType, address string) (*document.Doc, error) {
	root, err := parse(decode(body, contentType))
	if err != nil {
		return nil, fmt.Errorf("parse page %s: %w", address, err)
	}
	return FromTree(root, address), nil
}

// FromTree makes a Doc of a tree that was parsed before.
func FromTree(root *html.Node, address string) *document.Doc {
	doc := &document.Doc{Kind: document.HTML, Root: root, Base: baseURL(root, address)}
	doc.Meta = metadata(root, doc.Base)
	doc.Title, _ = doc.Meta["title"].(string)
	return doc
}

// parse builds the tree.
func parse(body []byte) (*html.Node, error) {
	root, err := htmltree.Parse(body)
	if err != nil {
		return nil, err
	}
	openNoscript(root)
	return root, nil
}

// openNoscript parses what a page offers to visitors without scripts, which the
// parser leaves as text. Some applications put the whole content there; short
// notices and counting pixels are dropped.
func openNoscript(root *html.Node) {
	body := find(root, atom.Body)
	if body == nil {
		return
	}
	for n := range body.Descendants() {
		if n.DataAtom != atom.Noscript || n.FirstChild == nil || len(n.FirstChild.Data) < 1000 {
			continue
		}
		nodes, err := htmltree.ParseFragment([]byte(n.FirstChild.Data), body)
		if err != nil {
			continue // it stays text, which nobody shows
		}
		n.RemoveChild(n.FirstChild)
		for _, child := range nodes {
			n.AppendChild(child)
		}
	}
}

// baseURL is what addresses on the page are relative to: <base href>, itself
// relative to the address of the page.
func baseURL(root *html.Node, address string) *url.URL {
	page, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		page = &url.URL{}
	}
	head := find(root, atom.Head)
	if head == nil {
		return page
	}
	for n := range head.ChildNodes() {
		if n.DataAtom != atom.Base {
			continue
		}
		if href, ok := attribute(n, "href"); ok {
			if base, err := page.Parse(strings.TrimSpace(href)); err == nil && base.Host != "" {
				return base
			}
		}
	}
	return page
}

// find returns the first element of that name near the top of the tree.
func find(root *html.Node, name atom.Atom) *html.Node {
	for n := range root.Descendants() {
		if n.DataAtom == name && n.Type == html.ElementNode {
			return n
		}
	}
	return nil
}

func attribute(n *html.Node, name string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == name {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

func attr(n *html.Node, name string) string {
	v, _ := attribute(n, name)
	return v
}
