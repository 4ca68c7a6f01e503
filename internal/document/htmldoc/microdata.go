package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Item is a thing described by microdata.
type Item struct {
	Types []string         // its itemtype; empty: untyped
	ID    string           // its itemid; empty: none
	Props map[string][]any // name → values, each a string or an *Item
}

// Microdata reads the items of a page that are not part of another item.
func Microdata(root *html.Node) []*Item {
	m := &microdata{byID: map[string]*html.Node{}}
	var tops []*html.Node
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if id := attr(n, "id"); id != "" && m.byID[id] == nil {
			m.byID[id] = n
		}
		if has(n, "itemscope") && !has(n, "itemprop") {
			tops = append(tops, n)
		}
	}
	var items []*Item
	for _, n := range tops {
		items = append(items, m.item(n, map[*html.Node]bool{}))
	}
	return items
}

type microdata struct {
	byID map[string]*html.Node
}

// item reads the item at n. around holds the items being read, so that items
// that refer to each other come to an end.
func (m *microdata) item(n *html.Node, around map[*html.Node]bool) *Item {
	around[n] = true
	defer delete(around, n)
	it := &Item{Types: strings.Fields(attr(n, "itemtype")), ID: attr(n, "itemid"), Props: map[string][]any{}}
	m.properties(it, n, around)
	for id := range strings.FieldsSeq(attr(n, "itemref")) {
		if target := m.byID[id]; target != nil && !around[target] {
			m.property(it, target, around)
			if !has(target, "itemscope") {
				m.properties(it, target, around)
			}
		}
	}
	return it
}

func (m *microdata) properties(it *Item, n *html.Node, around map[*html.Node]bool) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		m.property(it, c, around)
		if !has(c, "itemscope") {
			m.properties(it, c, around)
		}
	}
}

func (m *microdata) property(it *Item, n *html.Node, around map[*html.Node]bool) {
	names := strings.Fields(attr(n, "itemprop"))
	if len(names) == 0 || around[n] {
		return
	}
	var value any
	if has(n, "itemscope") {
		value = m.item(n, around)
	} else {
		value = propertyValue(n)
	}
	for _, name := range names {
		it.Props[name] = append(it.Props[name], value)
	}
}

// propertyValue reads the value of a property off the attribute that holds it
// for that element, or its text.
func propertyValue(n *html.Node) string {
	if v, ok := attribute(n, "content"); ok {
		return strings.TrimSpace(v)
	}
	key := ""
	switch n.DataAtom {
	case atom.Audio, atom.Embed, atom.Iframe, atom.Img, atom.Source, atom.Track, atom.Video:
		key = "src"
	case atom.A, atom.Area, atom.Link:
		key = "href"
	case atom.Object:
		key = "data"
	case atom.Data, atom.Meter:
		key = "value"
	case atom.Time:
		key = "datetime"
	}
	if v, ok := attribute(n, key); ok && key != "" {
		return strings.TrimSpace(v)
	}
	return strings.TrimSpace(shownText(n))
}

// shownText is the text below n with a line break where a block ends.
func shownText(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Type == html.TextNode:
				b.WriteString(c.Data)
			case c.Type != html.ElementNode || c.DataAtom == atom.Script || c.DataAtom == atom.Style:
			default:
				block := !isInline(c.DataAtom) || c.DataAtom == atom.Br
				if block {
					b.WriteByte('\n')
				}
				walk(c)
				if block {
					b.WriteByte('\n')
				}
			}
		}
	}
	walk(n)
	return b.String()
}

func has(n *html.Node, name string) bool {
	_, ok := attribute(n, name)
	return ok
}
