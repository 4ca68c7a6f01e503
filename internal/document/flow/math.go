package flow

import "golang.org/x/net/html"

// Math makes a formula that is known by its TeX.
func Math(tex string, display bool) *html.Node {
	note := Element("annotation")
	SetAttr(note, "encoding", "application/x-tex")
	note.AppendChild(Text(tex))
	semantics := Element("semantics")
	semantics.AppendChild(wrap("mtext", "", []*html.Node{Text(tex)}))
	semantics.AppendChild(note)
	math := Element("math")
	SetAttr(math, "alttext", tex)
	if display {
		SetAttr(math, "display", "block")
	}
	math.AppendChild(semantics)
	return math
}
