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
	raised map[string]bool       // labels of notes that are referred to by a raised number alone
	inside bool                  // a note is being written
}

// findNotes looks for both ends of a note, because either alone is something
// else: a number that links elsewhere is no reference, an id that nobody refers
// to no note. Pages without links write a raised number at both ends.
func findNotes(root *html.Node) *notes {
	wanted, raised := wantedNotes(root)
	if len(wanted) == 0 && len(raised) == 0 {
		return nil
	}
	f := &notes{byID: map[string]string{}, defs: map[*html.Node]string{}, raised: map[string]bool{}}
	used := map[string]bool{}
	for d := range root.Descendants() {
		if d.Type != html.ElementNode {
			continue
		}
		if label, ok := wanted[attr(d, "id")]; ok {
			f.define(attr(d, "id"), noteAt(d), label, used)
		} else if label, ok := wanted[attr(d, "name")]; ok && d.DataAtom == atom.A {
			f.define(attr(d, "name"), noteAt(d), label, used)
		}
		if label, ok := openingNumber(d); ok && raised[label] && !used[label] {
			f.raised[label] = true
			f.define("", d, label, used)
		}
	}
	if len(f.defs) == 0 {
		return nil
	}
	return f
}

// wantedNotes gathers the references: by the id they lead to, and raised
// numbers that lead nowhere.
func wantedNotes(root *html.Node) (byID map[string]string, raised map[string]bool) {
	byID, raised = map[string]string{}, map[string]bool{}
	for d := range root.Descendants() {
		if d.Type != html.ElementNode {
			continue
		}
		switch d.DataAtom {
		case atom.A:
			if id, label, ok := referenceLink(d); ok {
				if _, seen := byID[id]; !seen {
					byID[id] = label
				}
			}
		case atom.Sup:
			if label := raisedNumber(d); label != "" && d.PrevSibling != nil {
				raised[label] = true
			}
		}
	}
	return byID, raised
}

// define records a note. One that is nil, or has a label already, is skipped.
func (f *notes) define(id string, n *html.Node, label string, used map[string]bool) {
	if n == nil || f.defs[n] != "" {
		return
	}
	if used[label] {
		label = strconv.Itoa(len(used) + 1)
	}
	used[label] = true
	f.defs[n] = label
	if id != "" {
		f.byID[id] = label
	}
}

// noteAt is the note an id stands for: the element itself, or the block that
// an anchor opens.
func noteAt(n *html.Node) *html.Node {
	if isNote(n) {
		return n
	}
	for n.DataAtom == atom.A || n.DataAtom == atom.Span || n.DataAtom == atom.Sup {
		if neighbour(n, backward) != nil || n.Parent == nil {
			return nil
		}
		n = n.Parent
		if n.DataAtom == atom.Li || n.DataAtom == atom.P {
			return n
		}
	}
	return nil
}

// openingNumber reads the raised number a paragraph begins with.
func openingNumber(n *html.Node) (string, bool) {
	if n.DataAtom != atom.P || n.FirstChild == nil {
		return "", false
	}
	c := n.FirstChild
	if c.Type == html.TextNode && strings.TrimSpace(c.Data) == "" {
		c = c.NextSibling
	}
	if !isElement(c) || c.DataAtom != atom.Sup && c.DataAtom != atom.Strong {
		return "", false
	}
	label := raisedNumber(c)
	return label, label != ""
}

func raisedNumber(n *html.Node) string {
	s := strings.Trim(strings.TrimSpace(shortText(n)), "[]().")
	if s == "" || len(s) > 3 || strings.Trim(s, "0123456789") != "" || n.FirstChild.Type != html.TextNode {
		return ""
	}
	return s
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

// isOpening reports whether n is the number a note begins with, which its
// label repeats.
func (f *notes) isOpening(n *html.Node) bool {
	if f == nil || !f.inside || n.DataAtom != atom.Sup && n.DataAtom != atom.Strong || f.defs[n.Parent] == "" {
		return false
	}
	return neighbour(n, backward) == nil && raisedNumber(n) == f.defs[n.Parent]
}

// isRaised reports whether a raised number refers to a note.
func (f *notes) isRaised(n *html.Node) (string, bool) {
	if f == nil || f.inside || len(f.raised) == 0 {
		return "", false
	}
	label := raisedNumber(n)
	return label, label != "" && f.raised[label]
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
