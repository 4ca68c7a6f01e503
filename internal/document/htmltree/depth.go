package htmltree

const (
	// maxOpen is how many elements may be open at once: the bound of the oracle,
	// which refuses pages past it. It also bounds what a look through the stack
	// costs, and with it what a page of nothing but start tags can.
	maxOpen = 512

	// flatOpen is the bound for pages that pass maxOpen. Those are broken, and
	// whoever walks the tree afterwards is spared the depth.
	flatOpen = 256
)

// cover makes room at the bound of depth: the current node is closed, and what
// would have been inside stands beside it.
func (p *parser) cover() {
	p.tooDeep = true
	p.covered = append(p.covered, p.current().Data)
	p.open.pop()
}

// endsCovered reports whether the token is the end tag of an element that was
// covered. It has been closed; without this the tag would close one further out.
func (p *parser) endsCovered() bool {
	last := len(p.covered) - 1
	if last < 0 || p.tok.kind != endTag || len(p.open.elements) >= p.bound {
		return false
	}
	if len(p.open.elements) < p.bound-1 {
		p.covered = p.covered[:0] // what they were inside is closed itself
		return false
	}
	if p.covered[last] != p.tok.name {
		return false
	}
	p.covered = p.covered[:last]
	return true
}
