package htmltree

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// element is an open element: its node, and of it what is asked for most.
type element struct {
	node  *html.Node
	atom  atom.Atom
	class class
}

// stack holds the open elements. All changes go through its methods: it knows
// how many paragraphs are open, since every block asks. Removing and inserting
// is for parser.closeAt and openAt, which know who remembers a depth.
type stack struct {
	elements   []element
	paragraphs int
}

func isParagraph(e element) bool {
	return e.atom == atom.P && e.class&foreign == 0
}

// top is the current node; the zero element if none is open.
func (s *stack) top() element {
	if n := len(s.elements); n > 0 {
		return s.elements[n-1]
	}
	return element{}
}

func (s *stack) push(e element) {
	if isParagraph(e) {
		s.paragraphs++
	}
	s.elements = append(s.elements, e)
}

func (s *stack) pop() {
	s.cut(max(len(s.elements)-1, 0))
}

// cut closes all elements from depth on.
func (s *stack) cut(depth int) {
	if s.paragraphs > 0 {
		for _, e := range s.elements[depth:] {
			if isParagraph(e) {
				s.paragraphs--
			}
		}
	}
	s.elements = s.elements[:depth]
}

func (s *stack) remove(i int) {
	if isParagraph(s.elements[i]) {
		s.paragraphs--
	}
	s.elements = append(s.elements[:i], s.elements[i+1:]...)
}

func (s *stack) insert(i int, e element) {
	s.push(e)
	copy(s.elements[i+1:], s.elements[i:])
	s.elements[i] = e
}

// index is the depth of a node, or -1 if it is not open.
func (s *stack) index(n *html.Node) int {
	for i := len(s.elements) - 1; i >= 0; i-- {
		if s.elements[i].node == n {
			return i
		}
	}
	return -1
}

// contains reports whether an HTML element of that name is open.
func (s *stack) contains(name atom.Atom) bool {
	for _, e := range s.elements {
		if e.atom == name && e.class&foreign == 0 {
			return true
		}
	}
	return false
}

// inScope is the depth of the innermost HTML element of that name, or -1 if
// there is none or an element between hides it.
func (s *stack) inScope(scope class, name atom.Atom) int {
	for i := len(s.elements) - 1; i >= 0; i-- {
		e := &s.elements[i]
		if e.atom == name && e.class&foreign == 0 {
			return i
		}
		if e.class&scope != 0 {
			break
		}
	}
	return -1
}

// anyInScope is inScope for the elements of a class instead of a name.
func (s *stack) anyInScope(scope, wanted class) int {
	for i := len(s.elements) - 1; i >= 0; i-- {
		c := s.elements[i].class
		if c&wanted != 0 {
			return i
		}
		if c&scope != 0 {
			break
		}
	}
	return -1
}

// close closes the innermost element of that name, and what is open inside, if
// it is in scope. It reports whether it was.
func (s *stack) close(scope class, name atom.Atom) bool {
	i := s.inScope(scope, name)
	if i >= 0 {
		s.cut(i)
	}
	return i >= 0
}

// closeAny is close for the elements of a class instead of a name.
func (s *stack) closeAny(scope, wanted class) bool {
	i := s.anyInScope(scope, wanted)
	if i >= 0 {
		s.cut(i)
	}
	return i >= 0
}

// closeParagraph ends the paragraph that a block begins in.
func (s *stack) closeParagraph() {
	if s.paragraphs > 0 {
		s.close(buttonScope, atom.P)
	}
}

// closeImplied closes the current nodes that need no end tag of their own, but
// none named except.
func (s *stack) closeImplied(except atom.Atom) {
	i := len(s.elements)
	for i > 0 && s.elements[i-1].class&impliedEnd != 0 && s.elements[i-1].atom != except {
		i--
	}
	s.cut(i)
}

// clearTo closes elements until one of the class is the current node.
func (s *stack) clearTo(context class) {
	for i := len(s.elements) - 1; i >= 0; i-- {
		if s.elements[i].class&context != 0 {
			s.cut(i + 1)
			return
		}
	}
}
