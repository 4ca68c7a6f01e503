package markdown

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// list writes an <ol> or <ul>.
func (c *converter) list(n *html.Node) {
	tight := isTight(n)
	number, ordered := 1, n.DataAtom == atom.Ol
	if v, err := strconv.Atoi(attr(n, "start")); err == nil && v >= 0 {
		number = v
	}
	// A list that follows a paragraph without a blank line must begin with 1.
	first := c.out.tight() && (!ordered || number == 1)
	bullet, dot := markers(n)
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if !isElement(child) || isSkipped(child) {
			c.strayText(child)
			continue
		}
		if c.notes.isDefinition(child) {
			c.definition(child)
			continue
		}
		lead := bullet
		if ordered {
			lead = strconv.Itoa(number) + dot
			number++
		}
		c.out.enter(container{lead: lead, indent: strings.Repeat(" ", len(lead)), close: first, tight: tight})
		c.listItem(child)
		c.out.leave()
		first = tight
	}
}

// listItem writes what stands in an item. Real pages put other elements
// between the items; they are items too.
func (c *converter) listItem(n *html.Node) {
	if n.DataAtom == atom.Li {
		c.children(n)
		c.flush()
		return
	}
	c.node(n)
	c.flush()
}

// item writes an <li> that stands outside of any list.
func (c *converter) item(n *html.Node, lead string) {
	c.out.enter(container{lead: lead, indent: strings.Repeat(" ", len(lead)), close: precededByItem(n), tight: isTightItem(n)})
	c.listItem(n)
	c.out.leave()
}

func precededByItem(n *html.Node) bool {
	prev := neighbour(n, backward)
	return isElement(prev) && prev.DataAtom == atom.Li
}

func (c *converter) strayText(n *html.Node) {
	if n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
		c.run.text(n.Data)
		c.flush()
	}
}

// markers alternates between two kinds of marks for lists that follow each
// other directly: with equal ones they would be read as one list.
func markers(n *html.Node) (bullet, dot string) {
	odd := false
	prev := neighbour(n, backward)
	for range 100 { // a page with more of them than that is not worth the time
		if !isElement(prev) || prev.DataAtom != n.DataAtom {
			break
		}
		odd, prev = !odd, neighbour(prev, backward)
	}
	if odd {
		return "* ", ") "
	}
	return "- ", ". "
}

// isTight reports whether no item has two paragraphs.
func isTight(n *html.Node) bool {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if isElement(child) && !isTightItem(child) {
			return false
		}
	}
	return true
}

// isTightItem reports whether the blocks of an item can be told apart without
// blank lines: one paragraph, then lists.
func isTightItem(n *html.Node) bool {
	blocks, inRun := 0, false
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		switch {
		case child.Type == html.TextNode:
			inRun = inRun || strings.TrimSpace(child.Data) != ""
		case !isElement(child) || isSkipped(child):
		case isList(child):
			if inRun {
				blocks, inRun = blocks+1, false
			}
		case isBlock(child):
			if inRun {
				blocks, inRun = blocks+1, false
			}
			blocks++
			if !isParagraph(child) {
				return false
			}
		case child.DataAtom == atom.Br && isBreak(neighbour(child, forward)):
			return false
		default:
			inRun = true
		}
	}
	if inRun {
		blocks++
	}
	return blocks <= 1
}

func isList(n *html.Node) bool { return n.DataAtom == atom.Ul || n.DataAtom == atom.Ol }

// isParagraph reports whether a block will be written as one paragraph.
func isParagraph(n *html.Node) bool {
	switch n.DataAtom {
	case atom.P, atom.Div, atom.Section, atom.Header, atom.A, atom.Dd, atom.Figcaption, atom.Span, atom.Label:
		return !hasBlockInside(n)
	}
	return false
}
