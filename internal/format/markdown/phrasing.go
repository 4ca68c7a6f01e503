package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// inlineChildren writes everything below n as inline content.
func (c *converter) inlineChildren(n *html.Node) {
	if c.depth++; c.depth > maxDepth {
		c.run.text(textOf(n))
		c.depth--
		return
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		switch {
		case child.Type == html.TextNode:
			c.run.text(child.Data)
		case isElement(child) && !isSkipped(child):
			c.inline(child)
		}
	}
	c.depth--
}

// inline writes one element inside a line.
func (c *converter) inline(n *html.Node) {
	if c.notes.isOpening(n) {
		return
	}
	switch n.DataAtom {
	case atom.Br:
		c.run.lineBreak()
	case atom.A:
		c.anchor(n)
	case atom.Img:
		c.image(n)
	case atom.B, atom.Strong:
		c.emphasis(strong, n)
	case atom.I, atom.Em, atom.Var, atom.Dfn, atom.Cite:
		c.emphasis(em, n)
	case atom.Del, atom.S, atom.Strike:
		c.emphasis(strike, n)
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		c.codeSpan(n)
	case atom.Sup:
		c.superscript(n)
	case atom.Q:
		c.run.raw("“")
		c.inlineChildren(n)
		c.run.raw("”")
	case atom.Input:
		c.checkbox(n)
	case atom.Math, atom.Script:
		c.inlineMath(n)
	default:
		c.span(n)
	}
}

// span writes an element that says nothing by its name.
func (c *converter) span(n *html.Node) {
	if isMath(n) {
		c.inlineMath(n)
		return
	}
	if c.notes.isBacklink(n) {
		return
	}
	apart := isBlock(n) // a block where only inline content can stand, as in a heading or a cell
	if apart {
		c.separateInline()
	}
	c.inlineChildren(n)
	if apart {
		c.separateInline()
	}
}

// separateInline keeps the texts of two blocks apart that share a line.
func (c *converter) separateInline() {
	if c.run.cell && len(c.run.buf) > 0 {
		if !strings.HasSuffix(string(c.run.buf), "<br>") {
			c.run.lineBreak()
		}
		return
	}
	c.run.space = true
}

func (c *converter) emphasis(kind emphasis, n *html.Node) {
	if c.run.heading && kind == strong {
		c.inlineChildren(n) // a heading is strong as it is
		return
	}
	c.run.open(kind)
	c.inlineChildren(n)
	c.run.close(n)
}

// superscript keeps powers readable: 10<sup>6</sup> must not become 106.
func (c *converter) superscript(n *html.Node) {
	if label, ok := c.notes.isRaised(n); ok {
		c.run.raw("[^" + label + "]")
		return
	}
	if c.notes.isReference(n) {
		c.inlineChildren(n)
		return
	}
	text := strings.TrimSpace(textOf(n))
	if text != "" && !c.run.space && wordBefore(c.run.buf) && isExponent(text) && n.FirstChild.Type == html.TextNode {
		c.run.raw("^" + text)
		return
	}
	c.inlineChildren(n)
}

func isExponent(s string) bool {
	s = strings.TrimLeft(s, "+-−–")
	return s != "" && len(s) <= 4 && strings.Trim(s, "0123456789") == ""
}

func (c *converter) checkbox(n *html.Node) {
	if !strings.EqualFold(attr(n, "type"), "checkbox") || !inListItem(n) {
		return
	}
	box := "[ ] "
	if hasAttr(n, "checked") {
		box = "[x] "
	}
	if c.run.empty() {
		c.run.raw(box)
		c.run.space = false
	}
}

func inListItem(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.DataAtom == atom.Li {
			return true
		}
	}
	return false
}

// codeSpan writes code inside a line.
func (c *converter) codeSpan(n *html.Node) {
	text := strings.ReplaceAll(textOf(n), "\n", " ")
	if text == "" {
		return
	}
	if c.run.cell {
		text = strings.ReplaceAll(text, "|", `\|`)
	}
	fence := "`"
	for strings.Contains(text, fence) && hasRun(text, len(fence)) {
		fence += "`"
	}
	if text[0] == '`' || text[len(text)-1] == '`' || isPadded(text) {
		text = " " + text + " "
	}
	c.run.raw(fence + text + fence)
}

// isPadded reports whether a reader would strip a space off both ends.
func isPadded(text string) bool {
	return text[0] == ' ' && text[len(text)-1] == ' ' && strings.Trim(text, " ") != ""
}

// hasRun reports whether text holds a run of exactly n back-ticks.
func hasRun(text string, n int) bool {
	run := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] == '`' {
			run++
			continue
		}
		if run == n {
			return true
		}
		run = 0
	}
	return false
}
