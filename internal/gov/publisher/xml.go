package publisher

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
)

// node is an element of XML, or a piece of text if it has no name. Namespaces
// are dropped: publishers disagree about prefixes, not about local names.
type node struct {
	name  string
	attrs []xml.Attr
	text  string
	kids  []*node
}

func (n *node) attr(name string) string {
	for _, a := range n.attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// child gives the first child element of a name, or nil.
func (n *node) child(name string) *node {
	for _, k := range n.kids {
		if k.name == name {
			return k
		}
	}
	return nil
}

// find gives the first element of a name anywhere below, or nil.
func (n *node) find(name string) *node {
	for _, k := range n.kids {
		if k.name == name {
			return k
		}
		if found := k.find(name); found != nil {
			return found
		}
	}
	return nil
}

// all calls f for every element of a name below, outermost first.
func (n *node) all(name string, f func(*node)) {
	for _, k := range n.kids {
		if k.name == name {
			f(k)
		}
		k.all(name, f)
	}
}

// line is the whole text of an element on one line; "" for nil.
func (n *node) line() string {
	if n == nil {
		return ""
	}
	return tidy(layout{}.text(n))
}

// xmlReader walks through a document and hands over chosen elements whole.
type xmlReader struct {
	d     *xml.Decoder
	trail []string // names of the open elements
}

func newXMLReader(r io.Reader) *xmlReader {
	d := xml.NewDecoder(r)
	d.Strict = false
	d.Entity = xml.HTMLEntity
	d.CharsetReader = charset.NewReaderLabel
	return &xmlReader{d: d}
}

// next moves to the next start or end of an element; io.EOF at the end.
func (x *xmlReader) next() (start *xml.StartElement, end string, err error) {
	for {
		t, err := x.d.RawToken()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil, "", io.EOF
			}
			return nil, "", fmt.Errorf("read xml: %w", err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			x.trail = append(x.trail, t.Name.Local)
			return &t, "", nil
		case xml.EndElement:
			if len(x.trail) > 0 {
				x.trail = x.trail[:len(x.trail)-1]
			}
			return nil, t.Name.Local, nil
		}
	}
}

// maxDepth bounds the nesting of elements that are taken whole.
const maxDepth = 200

// take reads the rest of the element just started.
func (x *xmlReader) take(start *xml.StartElement) (*node, error) {
	root := &node{name: start.Name.Local, attrs: append([]xml.Attr(nil), start.Attr...)}
	open := []*node{root}
	for len(open) > 0 {
		t, err := x.d.RawToken()
		if err != nil {
			return nil, fmt.Errorf("read xml in <%s>: %w", root.name, err)
		}
		top := open[len(open)-1]
		switch t := t.(type) {
		case xml.StartElement:
			if len(open) > maxDepth {
				return nil, fmt.Errorf("read xml in <%s>: nested too deeply", root.name)
			}
			k := &node{name: t.Name.Local, attrs: append([]xml.Attr(nil), t.Attr...)}
			top.kids = append(top.kids, k)
			open = append(open, k)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			top.kids = append(top.kids, &node{text: string(t)})
		}
	}
	if len(x.trail) > 0 {
		x.trail = x.trail[:len(x.trail)-1]
	}
	return root, nil
}

// skip passes over the rest of the element just started.
func (x *xmlReader) skip() error {
	for depth := 1; depth > 0; {
		t, err := x.d.RawToken()
		if err != nil {
			return fmt.Errorf("read xml: %w", err)
		}
		switch t.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	if len(x.trail) > 0 {
		x.trail = x.trail[:len(x.trail)-1]
	}
	return nil
}

// layout says how a tree becomes text: which elements begin a paragraph, which
// are left out, and which are the number of what follows and stay on its line.
type layout struct {
	blocks, skip, numbers map[string]bool
}

// text gives the paragraphs of a tree, separated by line breaks.
func (l layout) text(n *node) string {
	w := layoutWriter{layout: l}
	w.write(n, true)
	var out []string
	for _, line := range strings.Split(w.b.String(), "\x00") {
		if line = tidy(line); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

type layoutWriter struct {
	layout
	b    strings.Builder
	held bool // a number was written: what follows stays on its line
}

func (w *layoutWriter) write(n *node, root bool) {
	if n.name == "" {
		w.b.WriteString(n.text)
		w.held = w.held && strings.TrimSpace(n.text) == ""
		return
	}
	if !root && w.skip[n.name] {
		return
	}
	block := w.blocks[n.name]
	if block {
		w.cut()
	}
	for _, k := range n.kids {
		w.write(k, false)
	}
	if w.numbers[n.name] {
		w.b.WriteByte(' ')
		w.held = true
	} else if block {
		w.cut()
	}
}

// cut begins a new paragraph, unless a number waits for its text.
func (w *layoutWriter) cut() {
	if !w.held {
		w.b.WriteByte(0)
	}
}

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

func xmlAttr(attrs []xml.Attr, name string) string {
	for _, a := range attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
