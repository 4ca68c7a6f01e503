// Package pptx reads PowerPoint presentations since 2007.
//
// Slides come in the order of the show: the title as a heading, then what is on
// the slide in the order that the author can see and change as its reading order,
// then the speaker's notes. Hidden slides and shapes, comments, and the footers
// and numbers that repeat on every slide are left out.
package pptx

import (
	"context"
	"fmt"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/archive"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/opc"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

const what = "presentation"

// reader is the state of reading one presentation.
type reader struct {
	pkg     *opc.Package
	models  map[string]*model // layouts and masters by part
	w       *flow.Writer
	rels    map[string]opc.Rel // of the part that is being read
	bullets inheritance        // of the slide that is being read
	href    string             // that the shape being read links to
}

// Read reads a presentation.
func Read(ctx context.Context, in document.Input) (doc *document.Doc, err error) {
	defer fault.Recover(what, &err)
	pkg, err := opc.Open(in.Body, archive.Limits{})
	if err != nil {
		return nil, err
	}
	main := pkg.Main("ppt/presentation.xml")
	show := pkg.Tree(main)
	if show == nil {
		return nil, fault.Damaged(what, fmt.Errorf("no presentation part"))
	}
	r := &reader{pkg: pkg, models: map[string]*model{}, w: flow.New()}
	rels := opc.ByID(pkg.Rels(main))
	slides := 0
	for _, id := range show.Child("p:sldIdLst").All("p:sldId") {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if rel, ok := rels[id.Attr("r:id")]; ok && !rel.External && r.slide(rel.Target) {
			slides++
		}
	}
	facts := pkg.Facts()
	facts.Slides = slides
	return facts.Doc(document.PPTX, in, r.w.Nodes()), nil
}

// slide reads one slide and its notes; false if it is hidden or missing.
func (r *reader) slide(part string) bool {
	root := r.pkg.Tree(part)
	if root == nil || root.Attr("show") == "0" || root.Attr("show") == "false" {
		return false
	}
	rels := r.pkg.Rels(part)
	r.rels = opc.ByID(rels)
	r.bullets = r.inherit(rels)
	shapes := root.Child("p:cSld", "p:spTree")
	title := findTitle(shapes)
	if title != nil {
		r.title(title)
	}
	r.shapes(shapes, title)
	if notes, ok := opc.First(rels, "notesSlide"); ok && !notes.External {
		r.notes(notes.Target)
	}
	return true
}

// findTitle finds the shape that holds the title, wherever it stands.
func findTitle(shapes *xmlpull.Node) *xmlpull.Node {
	var found *xmlpull.Node
	shapes.FindAll("p:sp", func(sp *xmlpull.Node) {
		if kind := placeholder(sp).Attr("type"); found == nil && (kind == "title" || kind == "ctrTitle") {
			found = sp
		}
	})
	return found
}

func placeholder(shape *xmlpull.Node) *xmlpull.Node {
	for _, props := range shapeProps {
		if ph := shape.Child(props, "p:nvPr", "p:ph"); ph != nil {
			return ph
		}
	}
	return nil
}

// shapeProps are the elements in which kinds of shapes say what they are.
var shapeProps = []string{"p:nvSpPr", "p:nvPicPr", "p:nvGraphicFramePr", "p:nvGrpSpPr"}

// about is what holds for a shape as a whole.
func about(shape *xmlpull.Node) *xmlpull.Node {
	for _, props := range shapeProps {
		if n := shape.Child(props, "p:cNvPr"); n != nil {
			return n
		}
	}
	return nil
}

// shapes reads what is on a slide, except for the title, which came first.
func (r *reader) shapes(group, title *xmlpull.Node) {
	if group == nil {
		return
	}
	var caption *xmlpull.Node // of the picture before: told with it
	for i, n := range group.Kids {
		if n == title || n == caption || repeats(placeholder(n).Attr("type")) || isOn(about(n).Attr("hidden")) {
			continue
		}
		switch n.Name {
		case "p:sp":
			r.text(n)
		case "p:grpSp":
			r.shapes(n, title)
		case "p:pic":
			caption = captionOf(n, group.Kids[i+1:])
			r.picture(n, caption)
		case "p:graphicFrame":
			r.graphic(n)
		case "mc:AlternateContent":
			if chosen := alternative(n); chosen != nil {
				r.shapes(chosen, title)
			}
		}
	}
}

// repeats tells whether a placeholder shows the same on every slide.
func repeats(kind string) bool {
	switch kind {
	case "dt", "ftr", "sldNum", "hdr", "sldImg":
		return true
	}
	return false
}

func alternative(n *xmlpull.Node) *xmlpull.Node {
	if choice := n.Child("mc:Choice"); choice != nil {
		return choice
	}
	return n.Child("mc:Fallback")
}

// notes reads the speaker's notes of the slide.
func (r *reader) notes(part string) {
	shapes := r.pkg.Tree(part).Child("p:cSld", "p:spTree")
	r.rels = opc.ByID(r.pkg.Rels(part))
	r.bullets = inheritance{}
	for _, sp := range shapes.All("p:sp") {
		if placeholder(sp).Attr("type") == "body" {
			r.text(sp)
		}
	}
}
