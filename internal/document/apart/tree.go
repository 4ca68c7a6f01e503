package apart

import (
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A tree travels as the walk through it: a step for every node, and one up after
// the children of an element. Written as HTML and parsed again it would take the
// parent several times as long, and come back changed where its nesting is not
// that of a web page.
const (
	stepUp      = 0
	stepKnown   = 1 // an element with a name that package atom has a number for
	stepNamed   = 2 // any other element
	stepLeaf    = 3 // a text, comment or doctype: plus its html.NodeType
	stepTooHigh = stepLeaf + byte(html.RawNode) + 1
)

// allowance is what the trees of one document may still take. A document becomes
// a tree in the server, whose memory no limit of the system holds, so both sides
// count: the child refuses what is too much, and the parent does not rely on it.
type allowance struct {
	nodes int
	bytes int64
}

// What one document may have. A node takes 112 bytes in the tree and as many in
// the copy that formats are made from; with all that comes of it 200,000 nodes
// cost the server 180 MiB. Larger documents are left where they are, and their
// formats come over.
const (
	maxNodes = 300_000
	maxBytes = 48 << 20 // of text, names and attributes
	maxDepth = 500      // what walks through a tree calls itself for each level
)

// Why a tree does not come over.
var (
	errLarge = errors.New("the document is too large to be handed over")
	errDeep  = errors.New("the document is nested too deeply to be handed over")
	errTree  = errors.New("the tree is damaged")
)

// appendTree writes a tree.
func (a *allowance) appendTree(to []byte, root *html.Node) ([]byte, error) {
	depth, began := 0, len(to)
	for n := root; n != nil; {
		if a.nodes--; a.nodes < 0 || int64(len(to)-began) > a.bytes {
			return nil, errLarge
		}
		to = appendNode(to, n)
		if holds(n) && n.FirstChild != nil {
			if depth++; depth > maxDepth {
				return nil, errDeep
			}
			n = n.FirstChild
			continue
		}
		for n != nil {
			if holds(n) {
				to = append(to, stepUp)
			}
			if n == root {
				n = nil
				break
			}
			if n.NextSibling != nil {
				n = n.NextSibling
				break
			}
			n, depth = n.Parent, depth-1
		}
	}
	a.bytes -= int64(len(to) - began)
	if a.bytes < 0 {
		return nil, errLarge
	}
	return to, nil
}

// holds says whether a node may have children.
func holds(n *html.Node) bool { return n.Type == html.ElementNode || n.Type == html.DocumentNode }

func appendNode(to []byte, n *html.Node) []byte {
	switch {
	case n.Type == html.ElementNode && n.DataAtom != 0 && n.DataAtom.String() == n.Data:
		to = binary.AppendUvarint(append(to, stepKnown), uint64(n.DataAtom))
	case n.Type == html.ElementNode:
		to = appendString(append(to, stepNamed), n.Data)
	default:
		return appendString(append(to, stepLeaf+byte(n.Type)), n.Data)
	}
	to = appendString(to, n.Namespace)
	to = binary.AppendUvarint(to, uint64(len(n.Attr)))
	for _, attr := range n.Attr {
		to = appendString(appendString(appendString(to, attr.Namespace), attr.Key), attr.Val)
	}
	return to
}

func appendString(to []byte, s string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(s))), s...)
}

// tree reads a tree. Its texts are parts of the string it came in.
func (a *allowance) tree(text string) (*html.Node, error) {
	if a.bytes -= int64(len(text)); a.bytes < 0 {
		return nil, errLarge
	}
	d := treeReader{text: text}
	var root, open *html.Node
	for depth := 0; root == nil || open != nil; {
		step := d.step()
		if step == stepUp && open != nil {
			open, depth = open.Parent, depth-1
			continue
		}
		if a.nodes--; a.nodes < 0 {
			return nil, errLarge
		}
		n := d.node(step)
		if d.err != nil {
			return nil, d.err
		}
		if open != nil {
			open.AppendChild(n)
		} else {
			root = n
		}
		if holds(n) {
			if depth++; depth > maxDepth+1 {
				return nil, errDeep
			}
			open = n
		}
	}
	if d.err != nil {
		return nil, d.err
	}
	if d.text != "" {
		return nil, fmt.Errorf("%d bytes after its end: %w", len(d.text), errTree)
	}
	return root, nil
}

// treeReader takes a tree apart. The first thing that is wrong sticks in err.
type treeReader struct {
	text  string // what was not read yet
	nodes []html.Node
	err   error
}

func (d *treeReader) fail() {
	d.text, d.err = "", errTree
}

func (d *treeReader) step() byte {
	if d.text == "" {
		d.fail()
		return stepUp
	}
	step := d.text[0]
	d.text = d.text[1:]
	return step
}

func (d *treeReader) number() uint64 {
	for i, shift := 0, 0; i < len(d.text) && shift < 63; i, shift = i+1, shift+7 {
		if d.text[i] < 0x80 {
			var n uint64
			for j := i; j >= 0; j-- {
				n = n<<7 | uint64(d.text[j]&0x7f)
			}
			d.text = d.text[i+1:]
			return n
		}
	}
	d.fail()
	return 0
}

func (d *treeReader) string() string {
	size := d.number()
	if size > uint64(len(d.text)) {
		d.fail()
		return ""
	}
	s := d.text[:size]
	d.text = d.text[size:]
	return s
}

// nodesAtOnce is how many nodes are made in one piece.
const nodesAtOnce = 256

func (d *treeReader) node(step byte) *html.Node {
	if len(d.nodes) == 0 {
		d.nodes = make([]html.Node, min(nodesAtOnce, len(d.text)+1))
	}
	n := &d.nodes[0]
	d.nodes = d.nodes[1:]
	switch {
	case step == stepKnown:
		n.Type, n.DataAtom = html.ElementNode, atom.Atom(d.number())
		n.Data = n.DataAtom.String()
	case step == stepNamed:
		n.Type, n.Data = html.ElementNode, d.string()
	case step >= stepLeaf && step < stepTooHigh && html.NodeType(step-stepLeaf) != html.ElementNode:
		n.Type, n.Data = html.NodeType(step-stepLeaf), d.string()
		return n
	default:
		d.fail()
		return n
	}
	n.Namespace = d.string()
	n.Attr = d.attributes()
	return n
}

func (d *treeReader) attributes() []html.Attribute {
	count := d.number()
	if count == 0 {
		return nil
	}
	const least = 3 // bytes of an attribute
	if count > uint64(len(d.text)/least) {
		d.fail()
		return nil
	}
	list := make([]html.Attribute, count)
	for i := range list {
		list[i] = html.Attribute{Namespace: d.string(), Key: d.string(), Val: d.string()}
	}
	return list
}
