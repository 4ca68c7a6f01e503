package textdoc

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	rendering "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"gopkg.in/yaml.v3"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/facts"
	"github.com/trawlhq/trawl/internal/document/fault"
)

// readMarkdown reads Markdown into the tree that it stands for.
func readMarkdown(in document.Input, text string) (*document.Doc, error) {
	about, text := frontMatter(text)
	var page bytes.Buffer
	convert := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote),
		goldmark.WithRendererOptions(rendering.WithUnsafe()))
	if err := convert.Convert([]byte(text), &page); err != nil {
		return nil, fault.Damaged("Markdown file", err)
	}
	blocks, err := fragment(page.String())
	if err != nil {
		return nil, fault.Damaged("Markdown file", err)
	}
	return about.Doc(document.Text, in, blocks), nil
}

// fragment parses HTML and gives the blocks of its body, without what runs or
// styles.
func fragment(page string) ([]*html.Node, error) {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return nil, fmt.Errorf("parse HTML: %w", err)
	}
	strip(root)
	body := find(root, atom.Body)
	if body == nil {
		return nil, nil
	}
	var blocks []*html.Node
	for n := body.FirstChild; n != nil; n = body.FirstChild {
		body.RemoveChild(n)
		blocks = append(blocks, n)
	}
	return blocks, nil
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

// frontMatter reads the block of properties that many programs put before the
// text, between two lines of dashes.
func frontMatter(text string) (facts.Facts, string) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return facts.Facts{}, text
	}
	head, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		return facts.Facts{}, text
	}
	var values map[string]any
	if err := yaml.Unmarshal([]byte(head), &values); err != nil {
		return facts.Facts{}, text
	}
	get := func(name string) string {
		if s, ok := values[name].(string); ok {
			return s
		}
		return ""
	}
	return facts.Facts{
		Title:       get("title"),
		Author:      get("author"),
		Description: get("description"),
		Keywords:    get("keywords"),
		Language:    get("lang"),
	}, body
}
