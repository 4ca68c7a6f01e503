package web

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"strings"

	goldhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/format/markdown"
)

// roundtrip scores md-roundtrip-spec: HTML to Markdown and back must give the
// same tree.
func roundtrip(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	type example struct {
		ID, Section, HTML string
		Raw               bool `json:"raw_html"`
	}
	examples, err := readJSONL[example](env, "md-roundtrip-spec", "examples.jsonl.gz")
	if err != nil {
		return nil, err
	}
	out, err := newDetails(env, "md-roundtrip-spec")
	if err != nil {
		return nil, err
	}
	renderer := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList),
		goldmark.WithRendererOptions(goldhtml.WithUnsafe()))
	var passed mean
	for _, e := range examples {
		if e.Raw || strings.TrimSpace(e.HTML) == "" {
			continue
		}
		root, err := html.Parse(strings.NewReader(e.HTML))
		if err != nil {
			return nil, err
		}
		md := markdown.Convert(root, markdown.Options{})
		var back bytes.Buffer
		if err := renderer.Convert([]byte(md), &back); err != nil {
			return nil, err
		}
		want, got := normalForm(e.HTML), normalForm(back.String())
		passed.add(one(want == got))
		if want != got {
			if err := out.add(map[string]string{"id": e.ID, "section": e.Section, "html": e.HTML, "markdown": md, "back": got, "want": want}); err != nil {
				return nil, err
			}
		}
	}
	return []suite.Result{{Name: "md-roundtrip-spec.lossless", Value: passed.value(), Unit: "share"}}, out.close()
}

// normalForm writes a tree so that trees that mean the same are written alike.
func normalForm(src string) string {
	root, err := html.Parse(strings.NewReader(src))
	if err != nil {
		return src
	}
	var b strings.Builder
	for n := range root.Descendants() {
		if n.DataAtom == atom.Body {
			normalChildren(&b, n, false)
		}
	}
	return b.String()
}

func normalChildren(b *strings.Builder, n *html.Node, pre bool) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			normalText(b, c, pre)
		case html.ElementNode:
			normalElement(b, c, pre)
		}
	}
}

func normalText(b *strings.Builder, n *html.Node, pre bool) {
	if pre {
		b.WriteString(n.Data)
		return
	}
	s := n.Data
	text := collapse(s)
	if text == "" {
		if s != "" && !edge(n.PrevSibling) && !edge(n.NextSibling) {
			b.WriteByte(' ')
		}
		return
	}
	if strings.ContainsRune(" \n\t", rune(s[0])) && !atEdge(n, true) {
		b.WriteByte(' ')
	}
	b.WriteString(text)
	if strings.ContainsRune(" \n\t", rune(s[len(s)-1])) && !atEdge(n, false) {
		b.WriteByte(' ')
	}
}

// atEdge reports whether white space at that end of a text stands beside a
// block boundary or a <br>.
func atEdge(n *html.Node, start bool) bool {
	for {
		sibling := n.NextSibling
		if start {
			sibling = n.PrevSibling
		}
		if sibling != nil {
			return edge(sibling)
		}
		n = n.Parent
		if n == nil || n.DataAtom == atom.Body || !isInline(n.DataAtom) {
			return true
		}
	}
}

func edge(n *html.Node) bool {
	return n == nil || n.Type == html.ElementNode && (n.DataAtom == atom.Br || !isInline(n.DataAtom) && n.DataAtom != atom.Input)
}

func normalElement(b *strings.Builder, n *html.Node, pre bool) {
	if n.DataAtom == atom.P && n.Parent.DataAtom == atom.Li {
		normalChildren(b, n, pre)
		return
	}
	name := n.Data
	switch name {
	case "b":
		name = "strong"
	case "i":
		name = "em"
	case "s", "strike":
		name = "del"
	case "tbody":
		normalChildren(b, n, pre)
		return
	}
	b.WriteString("<" + name)
	for _, a := range normalAttributes(n) {
		b.WriteString(" " + a)
	}
	b.WriteString(">")
	if n.DataAtom == atom.Pre {
		var inner strings.Builder
		normalChildren(&inner, n, true)
		text := inner.String()
		text = strings.TrimSuffix(text, "</code>")
		b.WriteString(strings.TrimRight(text, "\n"))
	} else {
		normalChildren(b, n, pre)
	}
	b.WriteString("</" + name + ">")
}

func normalAttributes(n *html.Node) []string {
	var list []string
	for _, a := range n.Attr {
		value := a.Val
		switch a.Key {
		case "href", "src":
			if plain, err := url.PathUnescape(value); err == nil {
				value = plain
			}
		case "alt", "title", "align", "checked", "type":
		case "start":
			if value == "1" {
				continue
			}
		case "style":
			_, align, ok := strings.Cut(value, "text-align:")
			if !ok {
				continue
			}
			list = append(list, "align="+strings.Trim(align, " ;"))
			continue
		case "class":
			lang, ok := strings.CutPrefix(value, "language-")
			if n.DataAtom != atom.Code || !ok {
				continue
			}
			value = lang
		default:
			continue
		}
		list = append(list, a.Key+"="+value)
	}
	slices.Sort(list)
	return list
}
