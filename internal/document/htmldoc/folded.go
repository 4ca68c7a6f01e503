package htmldoc

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isPanel reports whether a hidden element is, by its own account, a part of
// the text that a click unfolds: the page behind a tab, the answer below a
// question. Such a part is content on every kind of page.
func isPanel(n *html.Node) bool {
	if n.DataAtom == atom.Dialog || signalsOf(n)&neverPanel != 0 {
		return false
	}
	if saysPanel(n) {
		return true
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			return saysPanel(c) // the element around it does the folding
		}
	}
	return false
}

const neverPanel = sigNav | sigDialog | sigHidden | sigSearch | sigSignup | sigCookie | sigShare

func saysPanel(n *html.Node) bool {
	switch attr(n, "role") {
	case "tabpanel", "region":
		return true
	}
	return has(n, "aria-labelledby")
}

// isUnfolder reports whether a button is the headline of what it unfolds.
func isUnfolder(n *html.Node) bool {
	return isHeading(n.Parent.DataAtom) || has(n, "aria-expanded") && len(collapse(textOf(n))) > 20
}
