package htmltree

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The adoption agency algorithm of the standard: what the end tag of a
// formatting element does when blocks were begun inside it. In "<b>1<p>2</b>3"
// the paragraph moves out of the <b>, and its "2" into a <b> of its own.

const (
	adoptionRounds = 8 // blocks one end tag may have formatting adopted by
	clonesPerRound = 3 // formatting between the two that is kept
)

// closeFormatting ends the last active element of that name.
func (p *parser) closeFormatting(name atom.Atom) {
	top := p.open.top()
	if top.atom == name && p.activeIndex(top.node) < 0 {
		p.open.pop()
		return
	}
	for range adoptionRounds {
		if !p.adoptOnce(name) {
			return
		}
	}
}

// adoptOnce does one round. It reports whether there may be another.
func (p *parser) adoptOnce(name atom.Atom) bool {
	i := p.activeNamed(name)
	if i < 0 {
		p.closeOther(name, name.String())
		return false
	}
	if !p.isOpen(i) {
		p.forget(i)
		return false
	}
	if p.open.inScope(anyScope, name) < 0 {
		return false
	}
	depth := p.formatting[i].depth
	block := p.blockInside(depth)
	if block < 0 || depth == 0 {
		p.open.cut(depth)
		p.forget(i)
		return false
	}
	p.moveOut(i, depth, block)
	return true
}

// blockInside is the depth of the outermost special element from depth on, or -1.
func (p *parser) blockInside(depth int) int {
	for i := depth; i < len(p.open.elements); i++ {
		if p.open.elements[i].class&special != 0 {
			return i
		}
	}
	return -1
}

// moveOut moves the block at that depth out of the formatting element that is
// being ended, and a copy of that element into the block.
func (p *parser) moveOut(i, depth, block int) {
	ended, around, moved := p.formatting[i].element, p.open.elements[depth-1], p.open.elements[block]
	last, bookmark := p.wrap(i, block)
	detach(last)
	if around.class&tablePart != 0 {
		p.foster(last)
	} else {
		appendChild(around.node, last)
	}

	copied := p.clone(ended)
	moveChildren(copied.node, moved.node)
	appendChild(moved.node, copied.node)

	if at := p.activeIndex(ended.node); at >= 0 {
		p.forget(at)
		if at < bookmark {
			bookmark--
		}
	}
	p.closeAt(depth)
	inside := p.open.index(moved.node) + 1
	p.openAt(inside, copied)
	p.formatting = slices.Insert(p.formatting, min(bookmark, len(p.formatting)), active{element: copied, depth: inside})
}

// wrap puts copies of the formatting elements between the one that is ended and
// the block around the block, and closes the rest of what is between. It gives
// the outermost copy, or the block itself, and where in the list of formatting
// elements the copy of the ended one belongs.
func (p *parser) wrap(i, block int) (outermost *html.Node, bookmark int) {
	ended, moved := p.formatting[i].node, p.open.elements[block].node
	outermost, bookmark = moved, i
	for depth, round := block-1, 1; p.open.elements[depth].node != ended; depth, round = depth-1, round+1 {
		between := p.open.elements[depth]
		at := p.activeIndex(between.node)
		if at < 0 {
			p.closeAt(depth)
			continue
		}
		if round > clonesPerRound {
			p.forget(at)
			if at <= bookmark {
				bookmark--
			}
			continue
		}
		copied := p.clone(between)
		p.formatting[at].element, p.open.elements[depth] = copied, copied
		if outermost == moved {
			bookmark = at + 1
		}
		detach(outermost)
		appendChild(copied.node, outermost)
		outermost = copied.node
	}
	return outermost, bookmark
}

// moveChildren gives all children of one node to another.
func moveChildren(to, from *html.Node) {
	for child := from.FirstChild; child != nil; child = from.FirstChild {
		from.RemoveChild(child)
		appendChild(to, child)
	}
}
