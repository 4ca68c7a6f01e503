package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isMath reports whether n shows a formula, whichever library typeset it.
func isMath(n *html.Node) bool {
	switch {
	case n.DataAtom == atom.Math, n.Data == "mjx-container":
		return true
	case n.DataAtom == atom.Script:
		return strings.HasPrefix(attr(n, "type"), "math/tex")
	case len(n.Attr) == 0:
		return false
	}
	return hasClass(n, "katex", "katex-display", "MathJax", "MathJax_Display", "MathJax_Preview", "mwe-math-element",
		"math-inline", "math-display", "tex2jax_process_math") && tex(n) != ""
}

// inlineMath writes a formula inside a line, or on its own if it was shown so.
func (c *converter) inlineMath(n *html.Node) {
	if hasClass(n, "MathJax_Preview") {
		return // the same formula follows in a script
	}
	formula := tex(n)
	switch {
	case formula == "":
	case !isDisplayed(n):
		c.run.raw("$" + formula + "$")
	case c.run.heading || c.run.cell || c.run.label > 0 || len(c.run.marks) > 0:
		c.run.raw("$$" + formula + "$$")
	default:
		c.flush()
		c.out.block(displayed(formula))
	}
}

func (c *converter) displayMath(n *html.Node) {
	if formula := tex(n); formula != "" {
		c.out.block(displayed(formula))
	}
}

func isDisplayed(n *html.Node) bool {
	if attr(n, "display") == "block" || attr(n, "display") == "true" || strings.Contains(attr(n, "type"), "mode=display") ||
		hasClass(n, "katex-display", "MathJax_Display", "math-display") {
		return true
	}
	for d := range n.Descendants() {
		if d.DataAtom == atom.Math {
			return attr(d, "display") == "block"
		}
	}
	return false
}

// tex finds the source of a formula: the script or annotation it was typeset
// from, an attribute that repeats it, or else the MathML read back.
func tex(n *html.Node) string {
	if n.DataAtom == atom.Script {
		return collapse(textOf(n))
	}
	if s := texAttr(n); s != "" {
		return s
	}
	var math *html.Node
	for d := range n.Descendants() {
		if d.Type != html.ElementNode {
			continue
		}
		if d.Data == "annotation" && strings.Contains(attr(d, "encoding"), "tex") {
			return unwrapStyle(collapse(textOf(d)))
		}
		if s := texAttr(d); s != "" {
			return s
		}
		if d.DataAtom == atom.Math {
			math = d
		}
		if isMathImage(d) && attr(d, "alt") != "" {
			return unwrapStyle(collapse(attr(d, "alt")))
		}
	}
	if n.DataAtom == atom.Math {
		math = n
	}
	if math == nil {
		return ""
	}
	return collapse(mathML(math))
}

func texAttr(n *html.Node) string {
	for _, key := range []string{"data-latex", "data-tex", "data-math", "alttext"} {
		if s := attr(n, key); s != "" {
			return unwrapStyle(collapse(s))
		}
	}
	return ""
}

// unwrapStyle drops the {\displaystyle …} some sites put around every formula.
func unwrapStyle(s string) string {
	for _, style := range []string{`{\displaystyle `, `{\textstyle `} {
		if rest, ok := strings.CutPrefix(s, style); ok && strings.HasSuffix(rest, "}") {
			return strings.TrimSpace(rest[:len(rest)-1])
		}
	}
	return s
}

// displayed writes a formula on lines of its own; one line is enough for one line.
func displayed(formula string) string {
	if strings.Contains(formula, "\n") {
		return "$$\n" + formula + "\n$$"
	}
	return "$$" + formula + "$$"
}
