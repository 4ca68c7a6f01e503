// Package htmltree parses HTML into the tree of golang.org/x/net/html, several
// times faster than the parser of that package and without its limit on depth.
//
// The two agree node by node: the parser of x/net is the oracle the tests hold
// this one against, also where it departs from the standard. What is different
// is the work done per byte. The page becomes one string and nearly everything
// in the tree is a piece of it; nodes and attributes come out of slabs; scanner
// and tree builder share one token that is never allocated.
//
// The words are those of the HTML standard (section 13.2): the scanner reads
// tokens (scan.go), an insertion mode says what a token means where it stands
// (mode.go, then a file per family of modes), open elements form a stack
// (stack.go), and formatting such as <b> is reopened where sloppy markup would
// have ended it (formatting.go, adoption.go).
package htmltree

import (
	"fmt"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Parse builds the tree of a page of UTF-8 text. It gives what html.Parse gives
// with scripting on; NUL, CR and broken UTF-8 are treated the same.
//
// Where html.Parse refuses a page for nesting deeper than 512 elements, Parse
// flattens it: from some depth on an element stands beside the one it should
// stand in. No text is lost. One more thing is bounded, by the size of the page:
// how often formatting left open is repeated in the blocks that follow.
//
// Texts, attribute values and uncommon names are substrings of one copy of the
// page, and nodes lie in slabs of many: whoever keeps a node or one of its
// strings keeps the page. Clone a string that is to outlive it.
//
// Any bytes are a page: the error is nil, and there to be called like html.Parse.
func Parse(body []byte) (*html.Node, error) {
	p := newParser(body, maxOpen)
	p.framesetOK = true
	if !p.run() {
		p = newParser(body, flatOpen)
		p.framesetOK = true
		p.run()
	}
	return p.doc, nil
}

// ParseFragment parses what stands inside an element, as html.ParseFragment
// does. Without a context the fragment is read like the content of <html>.
func ParseFragment(body []byte, context *html.Node) ([]*html.Node, error) {
	if err := checkContext(context); err != nil {
		return nil, err
	}
	p := newParser(body, maxOpen)
	p.enter(context)
	if !p.run() {
		p = newParser(body, flatOpen)
		p.enter(context)
		p.run()
	}
	if context == nil {
		return detachChildren(p.doc), nil
	}
	return detachChildren(p.doc.FirstChild), nil
}

// checkContext refuses what cannot contain a fragment.
func checkContext(context *html.Node) error {
	if context == nil {
		return nil
	}
	if context.Type != html.ElementNode {
		return fmt.Errorf("parse fragment: its context %q is no element", context.Data)
	}
	if context.DataAtom != atom.Lookup([]byte(context.Data)) {
		return fmt.Errorf("parse fragment: its context is named %q but has the atom of %q", context.Data, context.DataAtom)
	}
	switch context.Namespace {
	case "", mathNamespace, svgNamespace:
		return nil
	}
	return fmt.Errorf("parse fragment: its context is of the unknown namespace %q", context.Namespace)
}

// parser holds the page, the place in it, and the tree built so far.
type parser struct {
	scanner
	doc   *html.Node
	nodes nodeSlab

	open       stack // from <html> down to the element being filled
	formatting []active
	reopened   int // how many formatting elements may still be reopened

	bound   int // of how many elements may be open
	tooDeep bool
	covered []string // names of elements that were closed for lying at the bound

	mode, textMode mode   // textMode is where to go on after a raw text
	templateModes  []mode // one per open <template>

	head, form *html.Node
	context    *element // of a fragment; nil otherwise
	fragment   bool
	framesetOK bool // nothing was seen that a frameset could not replace
	fostering  bool // what does not belong into a table goes before it
	quirks     bool

	grown  map[*html.Node][]byte          // texts put together from several tokens
	merged map[*html.Node]map[string]bool // attribute keys of <html> and <body>, once they are many
}

// A page may have a formatting element reopened for every so many of its bytes,
// and a small page as often as it likes.
const (
	reopenPerBytes = 4
	reopenFloor    = 1 << 16
)

func newParser(body []byte, bound int) *parser {
	p := &parser{scanner: newScanner(body), bound: bound}
	p.doc = p.nodes.take()
	p.doc.Type = html.DocumentNode
	p.reopened = max(len(body)/reopenPerBytes, reopenFloor)
	p.open.elements = make([]element, 0, 64)
	return p
}

// enter prepares for a fragment of that element, or of none.
func (p *parser) enter(context *html.Node) {
	p.fragment = true
	root := p.nodes.element(atom.Html, atom.Html.String())
	appendChild(p.doc, root)
	p.open.push(element{node: root, atom: atom.Html, class: tagOf(atom.Html).class})
	if context != nil {
		p.enterContext(context)
	}
	p.resetMode()
}

func (p *parser) enterContext(context *html.Node) {
	e := element{node: context, atom: context.DataAtom, class: foreignClass(context)}
	if context.Namespace == "" {
		e.class = tagOf(context.DataAtom).class
		p.enterRawFragment(context.DataAtom)
	}
	p.context = &e
	if context.DataAtom == atom.Template {
		p.templateModes = append(p.templateModes, inTemplate)
	}
	for n := context; n != nil; n = n.Parent {
		if n.Type == html.ElementNode && n.DataAtom == atom.Form {
			p.form = n
			break
		}
	}
}

// run reads the page to its end. It gives up and reports false where the page
// passes maxOpen, at which only flatOpen helps.
func (p *parser) run() bool {
	for {
		p.cdataOK = p.open.top().class&foreign != 0
		p.next()
		if !p.endsCovered() {
			p.process()
		}
		if p.tok.kind == endOfPage {
			break
		}
		if p.tooDeep && p.bound == maxOpen {
			return false
		}
	}
	for n, whole := range p.grown {
		n.Data = string(whole)
	}
	return true
}

// process has the token looked at by insertion modes until one has used it up.
func (p *parser) process() {
	for {
		if p.isForeign() {
			if p.inForeign() {
				return
			}
		} else if p.use(p.mode) {
			return
		}
	}
}

// imply processes a tag the page left out.
func (p *parser) imply(k kind, name atom.Atom) {
	read := p.tok
	p.tok = token{kind: k, tag: tagOf(name), atom: name, name: name.String()}
	p.process()
	p.tok = read
}

// detachChildren takes the children off their parent.
func detachChildren(parent *html.Node) []*html.Node {
	var children []*html.Node
	for c := parent.FirstChild; c != nil; c = parent.FirstChild {
		parent.RemoveChild(c)
		children = append(children, c)
	}
	return children
}
