package xmlpull

import "strings"

// Node is an element with all that is in it, or a piece of text.
type Node struct {
	Name  string // empty for text
	Text  string // of a piece of text
	Attrs []Attr
	Kids  []*Node
}

// Attr is an attribute.
type Attr struct{ Name, Value string }

// Node reads the rest of the element whose Start was just delivered.
func (s *Scanner) Node() *Node {
	root := s.newNode()
	open := []*Node{root}
	for len(open) > 0 {
		top := open[len(open)-1]
		switch s.Next() {
		case Start:
			kid := s.newNode()
			top.Kids = append(top.Kids, kid)
			open = append(open, kid)
		case Text:
			top.Kids = append(top.Kids, &Node{Text: string(s.text)})
		case End:
			open = open[:len(open)-1]
		case EOF:
			return root
		}
	}
	return root
}

func (s *Scanner) newNode() *Node {
	n := &Node{Name: s.name}
	if len(s.attrs) > 0 {
		n.Attrs = make([]Attr, len(s.attrs))
		for i, a := range s.attrs {
			n.Attrs[i] = Attr{a.name, string(unescape(a.value))}
		}
	}
	return n
}

// Skip passes the rest of the element whose Start was just delivered.
func (s *Scanner) Skip() {
	for depth := 1; depth > 0; {
		switch s.Next() {
		case Start:
			depth++
		case End:
			depth--
		case EOF:
			return
		}
	}
}

// Root reads a whole document; nil if it holds no element.
func (s *Scanner) Root() *Node {
	for {
		switch s.Next() {
		case Start:
			return s.Node()
		case EOF:
			return nil
		}
	}
}

// Attr is the value of an attribute, or "". A nil node has none.
func (n *Node) Attr(name string) string {
	v, _ := n.Lookup(name)
	return v
}

// Lookup is the value of an attribute and whether there is one.
func (n *Node) Lookup(name string) (string, bool) {
	if n == nil {
		return "", false
	}
	for _, a := range n.Attrs {
		if a.Name == name {
			return a.Value, true
		}
	}
	return "", false
}

// Child follows a path of first children by name; nil where it ends early.
func (n *Node) Child(path ...string) *Node {
	for _, name := range path {
		if n = n.first(name); n == nil {
			return nil
		}
	}
	return n
}

func (n *Node) first(name string) *Node {
	if n == nil {
		return nil
	}
	for _, k := range n.Kids {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// All gives the children of a name. A nil node has none.
func (n *Node) All(name string) []*Node {
	if n == nil {
		return nil
	}
	var found []*Node
	for _, k := range n.Kids {
		if k.Name == name {
			found = append(found, k)
		}
	}
	return found
}

// Find gives the first element of a name at any depth, itself excluded.
func (n *Node) Find(name string) *Node {
	if n == nil {
		return nil
	}
	for _, k := range n.Kids {
		if k.Name == name {
			return k
		}
		if found := k.Find(name); found != nil {
			return found
		}
	}
	return nil
}

// FindAll calls visit for every element of a name at any depth, in order.
// Elements inside a found one are visited too.
func (n *Node) FindAll(name string, visit func(*Node)) {
	if n == nil {
		return
	}
	for _, k := range n.Kids {
		if k.Name == name {
			visit(k)
		}
		k.FindAll(name, visit)
	}
}

// Content is all text inside, joined. A nil node has none.
func (n *Node) Content() string {
	if n == nil {
		return ""
	}
	if n.Name == "" {
		return n.Text
	}
	if len(n.Kids) == 1 {
		return n.Kids[0].Content()
	}
	var b strings.Builder
	for _, k := range n.Kids {
		b.WriteString(k.Content())
	}
	return b.String()
}
