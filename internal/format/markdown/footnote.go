package markdown

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// notes knows the footnotes of a document: short links that lead to a note
// further down, and the notes they lead to. A nil *notes knows none.
type notes struct {
	byID   map[string]string     // id of a note → its label
	defs   map[*html.Node]string // note → its label
	inside bool                  // a note is being written
}

// findNotes looks for links with a short text whose target in the same
// document looks like a note. Both ends are needed: a number that links
// elsewhere is no reference, an id that nobody refers to no note.
func findNotes(root *html.Node) *notes {
	wanted := map[string]string{}
	for d := range root.Descendants() {
		if d.DataAtom != atom.A || d.Type != html.ElementNode {
			continue
		}
		if id, label, ok := referenceLink(d); ok {
			if _, seen := wanted[id]; !seen {
				wanted[id] = label
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	found := &notes{byID: map[string]string{}, defs: map[*html.Node]string{}}
	used := map[string]bool{}
	for d := range root.Descendants() {
		id := attr(d, "id")
		label, ok := wanted[id]
		if !ok || id == "" || !isNote(d) {
			continue
		}
		if used[label] {
			label = strconv.Itoa(len(used) + 1)
		}
		used[label] = true
		found.byID[id], found.defs[d] = label, label
	}
	if len(found.defs) == 0 {
		return nil
	}
	return found
}

// referenceLink reads a link such as <a href="#fn1">[1]</a>.
func referenceLink(n *html.Node) (id, label string, ok bool) {
	_, id, ok = strings.Cut(attr(n, "href"), "#")
	if !ok || id == "" {
		return "", "", false
	}
	label = strings.Trim(strings.TrimSpace(shortText(n)), "[]()")
	if label == "" || len(label) > 8 || strings.ContainsAny(label, " \n\t[]^") {
		return "", "", false
	}
	if strings.Trim(label, "*†‡§¶") == "" {
		label = strconv.Itoa(len(label))
	}
	return id, label, true
}

// shortText is the text below n, or "" once it gets long.
func shortText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
		if b.Len() > 40 {
			return ""
		}
	}
	return b.String()
}

// isNote reports whether the target of a reference is a note: an item or a
// paragraph that is called one, or stands in a part of the page called so.
func isNote(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Li, atom.P, atom.Div, atom.Dd, atom.Aside, atom.Section:
	default:
		return false
	}
	for up, i := n, 0; isElement(up) && i < 4; up, i = up.Parent, i+1 {
		name := strings.ToLower(attr(up, "id") + " " + attr(up, "class") + " " + attr(up, "role"))
		for _, word := range []string{"footnote", "endnote", "cite_note", "references", "doc-endnote", "ftn", "fn:", "fn-"} {
			if strings.Contains(name, word) {
				return true
			}
		}
		if up == n && (isNumbered(attr(up, "id"), "fn") || isNumbered(attr(up, "id"), "note")) {
			return true
		}
	}
	return false
}

func isNumbered(id, prefix string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(id), prefix)
	rest = strings.TrimLeft(rest, "-_:")
	return ok && rest != "" && strings.Trim(rest, "0123456789") == ""
}

func (f *notes) isDefinition(n *html.Node) bool {
	if f == nil {
		return false
	}
	_, ok := f.defs[n]
	return ok
}

// reference gives the label when n refers to a note.
func (f *notes) reference(n *html.Node) (string, bool) {
	if f == nil || f.inside {
		return "", false
	}
	_, id, ok := strings.Cut(attr(n, "href"), "#")
	if !ok {
		return "", false
	}
	label, ok := f.byID[id]
	return label, ok
}

// isReference reports whether n is raised text around a reference.
func (f *notes) isReference(n *html.Node) bool {
	if f == nil {
		return false
	}
	for d := range n.Descendants() {
		if d.DataAtom == atom.A {
			return true
		}
	}
	return false
}

// isBacklink reports whether n, inside a note, leads back to the text.
func (f *notes) isBacklink(n *html.Node) bool {
	if f == nil || !f.inside || n.DataAtom != atom.A {
		return false
	}
	_, id, ok := strings.Cut(attr(n, "href"), "#")
	return ok && id != "" && len(strings.TrimSpace(shortText(n))) <= 6
}

// definition writes a note where it stands.
func (c *converter) definition(n *html.Node) {
	c.flush()
	c.notes.inside = true
	c.out.enter(container{lead: "[^" + c.notes.defs[n] + "]: ", indent: "    "})
	c.children(n)
	c.flush()
	c.out.leave()
	c.notes.inside = false
}
