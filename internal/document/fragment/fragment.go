// Package fragment reads HTML that is a part of something else: of a message, of
// a Word file, or what Markdown stands for.
package fragment

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Parse gives the blocks of a page's body, without what runs or styles.
func Parse(page string) ([]*html.Node, error) {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return nil, fmt.Errorf("parse HTML: %w", err)
	}
	strip(root)
	return Body(root), nil
}

// Body takes the blocks out of a page's body.
func Body(root *html.Node) []*html.Node {
	body := find(root, atom.Body)
	if body == nil {
		return nil
	}
	var blocks []*html.Node
	for n := body.FirstChild; n != nil; n = body.FirstChild {
		body.RemoveChild(n)
		blocks = append(blocks, n)
	}
	return blocks
}

func find(n *html.Node, tag atom.Atom) *html.Node {
	for d := range n.Descendants() {
		if d.DataAtom == tag {
			return d
		}
	}
	return nil
}

func strip(root *html.Node) {
	var drop []*html.Node
	for d := range root.Descendants() {
		switch d.DataAtom {
		case atom.Script, atom.Style, atom.Iframe, atom.Object, atom.Embed, atom.Link, atom.Meta, atom.Base:
			drop = append(drop, d)
		}
	}
	for _, d := range drop {
		if d.Parent != nil {
			d.Parent.RemoveChild(d)
		}
	}
}
