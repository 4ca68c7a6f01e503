package htmltree

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// kind is what a token is.
type kind uint8

const (
	endOfPage kind = iota
	text
	startTag
	endTag
	comment
	doctype
)

// token is what the scanner read last. There is only one; it is overwritten.
type token struct {
	kind        kind
	selfClosing bool
	atom        atom.Atom // of a tag, zero if its name is none
	tag         *tag      // the rules for tags of that name
	name        string    // of a tag, in lower case
	text        string    // of a text, comment or doctype
	attributes  []html.Attribute
}

// rename makes the token a tag of another name.
func (t *token) rename(name atom.Atom) {
	t.tag, t.atom, t.name = tagOf(name), name, name.String()
}

// hidden reports whether an <input> is one the reader does not see.
func (t *token) hidden() bool {
	for i := range t.attributes {
		if t.attributes[i].Key == "type" && equalFold(t.attributes[i].Val, "hidden") {
			return true
		}
	}
	return false
}
