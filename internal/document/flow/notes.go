package flow

import (
	"strconv"

	"golang.org/x/net/html"
)

// Notes gathers footnotes and endnotes and numbers them in the order in which
// the text refers to them.
type Notes struct {
	notes  []*html.Node
	number map[string]int
}

// Ref gives the mark that stands in the text for the note called key. Where the
// note is met for the first time, read is called for what it says.
func (n *Notes) Ref(key string, read func() []*html.Node) *html.Node {
	if n.number == nil {
		n.number = map[string]int{}
	}
	num, seen := n.number[key]
	if !seen {
		n.notes = append(n.notes, nil) // keeps the place: a note may refer to another
		num = len(n.notes)
		n.number[key] = num
		li := wrap("li", "fn"+strconv.Itoa(num), read())
		n.notes[num-1] = li
	}
	label := strconv.Itoa(num)
	a := wrap("a", "fnref"+label, []*html.Node{Text(label)})
	SetAttr(a, "href", "#fn"+label)
	SetAttr(a, "role", "doc-noteref")
	sup := Element("sup")
	SetAttr(sup, "class", "footnote-ref")
	sup.AppendChild(a)
	return sup
}

// Section gives the notes as the last part of a document; nil without notes.
func (n *Notes) Section() *html.Node {
	if len(n.notes) == 0 {
		return nil
	}
	ol := Element("ol")
	for _, li := range n.notes {
		if li != nil {
			ol.AppendChild(li)
		}
	}
	section := Element("section")
	SetAttr(section, "class", "footnotes")
	SetAttr(section, "role", "doc-endnotes")
	section.AppendChild(ol)
	return section
}
