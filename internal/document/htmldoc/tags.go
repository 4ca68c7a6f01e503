package htmldoc

import (
	"regexp"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"github.com/trawlhq/trawl"
)

// tagFilter is a caller's own choice of elements.
type tagFilter struct {
	include  []cascadia.SelectorGroup
	exclude  []cascadia.SelectorGroup
	patterns []*regexp.Regexp
}

func compileTags(include, exclude []string) (*tagFilter, error) {
	f := &tagFilter{}
	for _, s := range include {
		group, err := compileSelector("includeTags", s)
		if err != nil {
			return nil, err
		}
		f.include = append(f.include, group)
	}
	for _, s := range exclude {
		if pattern, ok := starred(s); ok {
			re, err := regexp.Compile("(?i)" + pattern)
			if err != nil {
				return nil, trawl.Errorf(trawl.Invalid, "Invalid pattern in excludeTags: %s", s).Because(err)
			}
			f.patterns = append(f.patterns, re)
			continue
		}
		group, err := compileSelector("excludeTags", s)
		if err != nil {
			return nil, err
		}
		f.exclude = append(f.exclude, group)
	}
	return f, nil
}

func compileSelector(field, s string) (cascadia.SelectorGroup, error) {
	group, err := cascadia.ParseGroup(s)
	if err != nil {
		return nil, trawl.Errorf(trawl.Invalid, "Invalid selector in %s: %s", field, s).Because(err)
	}
	return group, nil
}

// starred reads the form *text*, a pattern over names and attributes.
func starred(s string) (string, bool) {
	if len(s) > 2 && s[0] == '*' && s[len(s)-1] == '*' {
		return s[1 : len(s)-1], true
	}
	return "", false
}

// filter applies the choice to a tree that is ours to change.
func (f *tagFilter) filter(root *html.Node) *html.Node {
	if len(f.include) > 0 {
		root = f.included(root)
	}
	for _, group := range f.exclude {
		for _, n := range cascadia.QueryAll(root, group) {
			remove(n)
		}
	}
	if len(f.patterns) > 0 {
		f.dropMatches(root)
	}
	return root
}

// included gathers the matches selector by selector, each in document order.
// What lies inside an element that was taken already is not taken again.
func (f *tagFilter) included(root *html.Node) *html.Node {
	kept := &html.Node{Type: html.DocumentNode}
	for _, group := range f.include {
		for _, n := range cascadia.QueryAll(root, group) {
			if isBelow(n, kept) {
				continue
			}
			remove(n)
			kept.AppendChild(n)
		}
	}
	return kept
}

func isBelow(n, root *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p == root {
			return true
		}
	}
	return false
}

// dropMatches removes elements whose name or one of whose attr="value" pairs
// matches a pattern.
func (f *tagFilter) dropMatches(root *html.Node) {
	for c := root.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.ElementNode {
			if f.matches(c) {
				remove(c)
			} else {
				f.dropMatches(c)
			}
		}
		c = next
	}
}

func (f *tagFilter) matches(n *html.Node) bool {
	var b strings.Builder
	b.WriteString(n.Data)
	for _, a := range n.Attr {
		b.WriteString(" " + a.Key + `="` + a.Val + `"`)
	}
	described := b.String()
	for _, re := range f.patterns {
		if re.MatchString(described) {
			return true
		}
	}
	return false
}

func remove(n *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}
