package htmltree

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Slabs begin small, for the many fragments of a few nodes, and double.
const (
	firstSlab = 32
	lastSlab  = 256 // 26 KB of nodes: less than what the allocator treats as large
)

// nodeSlab hands out nodes that were allocated many at a time.
type nodeSlab struct {
	free []html.Node
	size int
}

func (s *nodeSlab) take() *html.Node {
	if len(s.free) == 0 {
		s.size = min(max(2*s.size, firstSlab), lastSlab)
		s.free = make([]html.Node, s.size)
	}
	n := &s.free[0]
	s.free = s.free[1:]
	return n
}

func (s *nodeSlab) element(name atom.Atom, data string) *html.Node {
	n := s.take()
	n.Type = html.ElementNode
	n.DataAtom = name
	n.Data = data
	return n
}

// attributeSlab collects the attributes of one tag after the other in slabs. A
// tag's attributes lie together, and appending to them copies them first.
type attributeSlab struct {
	slab  []html.Attribute // the used part; the rest is capacity
	first int              // where the tag being read begins
}

func (s *attributeSlab) begin() {
	s.first = len(s.slab)
}

func (s *attributeSlab) add(key, value string) {
	if len(s.slab) == cap(s.slab) {
		s.grow(1)
	}
	s.slab = append(s.slab, html.Attribute{Key: key, Val: value})
}

// grow moves the tag being read to a new slab with room for more.
func (s *attributeSlab) grow(more int) {
	read := s.slab[s.first:]
	size := min(max(2*cap(s.slab), firstSlab), lastSlab)
	s.slab = append(make([]html.Attribute, 0, max(size, 2*(len(read)+more))), read...)
	s.first = 0
}

// current is what was read of the tag so far.
func (s *attributeSlab) current() []html.Attribute {
	n := len(s.slab)
	if n == s.first {
		return nil
	}
	return s.slab[s.first:n:n]
}

// copyOf gives a clone of an element attributes of its own.
func (s *attributeSlab) copyOf(attributes []html.Attribute) []html.Attribute {
	s.begin()
	if more := len(attributes); cap(s.slab)-len(s.slab) < more {
		s.grow(more)
	}
	s.slab = append(s.slab, attributes...)
	return s.current()
}
