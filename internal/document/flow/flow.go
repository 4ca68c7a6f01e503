// Package flow builds the tree of a document from what word processors keep: a
// flat sequence of paragraphs, each saying for itself that it is a heading, an
// item of some list at some depth, a line of code or a quotation.
//
// All readers of text files share it, so a list nests by the same rules whether
// it came from Word, from RTF or from a slide.
package flow

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Form is what a paragraph is.
type Form int

// The forms of a paragraph.
const (
	Plain   Form = iota
	Heading      // Level 1 to 6
	Item         // of a list, Level 0 being the outermost
	More         // a further paragraph of the item before it at Level or above
	Quote
	Code // one line of a block; lines that follow each other are joined
)

// Para is one paragraph.
type Para struct {
	Form    Form
	Level   int
	List    string // which list an item belongs to; items of another list begin a new one
	Ordered bool   // of an item: numbered
	Number  int    // of an ordered item: the number it shows; zero: the next one
	Label   string // of an item that is not ordered: a mark that belongs to the text, such as "2.1."
	ID      string // what links inside the document call it
	Spans   []Span // its text
}

// Writer puts paragraphs and blocks together.
type Writer struct {
	root  *html.Node
	lists []openList // outermost first
	code  *html.Node // text of the block that lines of code are added to
	lines []string   // its lines so far
	quote *html.Node // the quotation that is open

	between *html.Node // code after that quotation: part of it if the quotation goes on
}

type openList struct {
	node  *html.Node // ol or ul
	item  *html.Node // its last li
	level int
	key   string
	next  int // number that the next item would get
}

// New gives an empty Writer.
func New() *Writer {
	return &Writer{root: Element("div")}
}

// Nodes gives what was written, in order, detached and ready to be put elsewhere.
func (w *Writer) Nodes() []*html.Node {
	w.close()
	var nodes []*html.Node
	for n := w.root.FirstChild; n != nil; n = w.root.FirstChild {
		w.root.RemoveChild(n)
		nodes = append(nodes, n)
	}
	return nodes
}

// Para adds a paragraph. One without text and images is dropped, except that
// an empty line inside code stays.
func (w *Writer) Para(p Para) {
	if p.Form == Code {
		w.addCode(p)
		return
	}
	w.endCode()
	if p.Label != "" && len(p.Spans) > 0 {
		p.Spans = append([]Span{{Text: p.Label + " "}}, p.Spans...)
	}
	if p.Form == Item {
		p.Spans = task(p.Spans)
	}
	nodes := Inline(p.Spans)
	if len(nodes) == 0 {
		return
	}
	switch p.Form {
	case Heading:
		w.close()
		level := min(max(p.Level, 1), 6)
		w.root.AppendChild(wrap("h"+strconv.Itoa(level), p.ID, nodes))
	case Item:
		w.quote, w.between = nil, nil
		w.addItem(p, nodes)
	case More:
		w.leaveDeeper(p.Level)
		w.addMore(wrap("p", p.ID, nodes))
	case Quote:
		w.addQuote(wrap("p", p.ID, nodes))
	default:
		w.close()
		w.root.AppendChild(wrap("p", p.ID, nodes))
	}
}

// Block adds a finished block such as a table, outside any list.
func (w *Writer) Block(n *html.Node) {
	w.close()
	w.root.AppendChild(n)
}

// InItem adds a finished block to the list item that is open, or where none is
// open like Block.
func (w *Writer) InItem(n *html.Node) { w.addMore(n) }

// Break ends the lists, code and quotations that are open.
func (w *Writer) Break() { w.close() }

func (w *Writer) close() {
	w.endCode()
	w.lists, w.quote, w.between = w.lists[:0], nil, nil
}

// addItem puts an item where its depth and its list say.
func (w *Writer) addItem(p Para, nodes []*html.Node) {
	w.leaveDeeper(p.Level)
	if !w.continues(p) {
		w.openList(p)
	}
	top := &w.lists[len(w.lists)-1]
	top.item = wrap("li", p.ID, nodes)
	top.node.AppendChild(top.item)
	top.next++
}

// leaveDeeper closes the lists below a level. The outermost stays: a list whose
// first item is indented is still one list.
func (w *Writer) leaveDeeper(level int) {
	for n := len(w.lists); n > 1 && w.lists[n-1].level > level; n-- {
		w.lists = w.lists[:n-1]
	}
	if len(w.lists) == 1 && w.lists[0].level > level {
		w.lists[0].level = level
	}
}

// continues tells whether an item goes on with the innermost open list. Of one
// that does not, the list at its level is closed.
func (w *Writer) continues(p Para) bool {
	n := len(w.lists)
	if n == 0 || w.lists[n-1].level < p.Level {
		return false
	}
	top := w.lists[n-1]
	if top.key == p.List && (top.node.DataAtom == atom.Ol) == p.Ordered &&
		(!p.Ordered || p.Number == 0 || p.Number == top.next) {
		return true
	}
	w.lists = w.lists[:n-1]
	return false
}

func (w *Writer) openList(p Para) {
	list := openList{level: p.Level, key: p.List, next: 1, node: Element("ul")}
	if p.Ordered {
		list.node = Element("ol")
		list.next = max(p.Number, 1)
		if list.next > 1 {
			SetAttr(list.node, "start", strconv.Itoa(list.next))
		}
	}
	w.container().AppendChild(list.node)
	w.lists = append(w.lists, list)
}

// container is where the next block of the open list item goes.
func (w *Writer) container() *html.Node {
	if n := len(w.lists); n > 0 {
		return w.lists[n-1].item
	}
	return w.root
}

// addMore adds a block to the open list item. Text that stood in the item bare
// becomes a paragraph, so that the two do not run together.
func (w *Writer) addMore(n *html.Node) {
	if len(w.lists) == 0 {
		w.close()
		w.root.AppendChild(n)
		return
	}
	item := w.container()
	if first := item.FirstChild; first != nil && !isBlock(first) {
		p := Element("p")
		item.InsertBefore(p, first)
		for k := p.NextSibling; k != nil && !isBlock(k); k = p.NextSibling {
			item.RemoveChild(k)
			p.AppendChild(k)
		}
	}
	item.AppendChild(n)
}

func isBlock(n *html.Node) bool {
	switch n.DataAtom {
	case atom.P, atom.Ul, atom.Ol, atom.Table, atom.Pre, atom.Blockquote, atom.Div:
		return true
	}
	return false
}

func (w *Writer) addQuote(p *html.Node) {
	if w.quote == nil {
		quote := Element("blockquote")
		if len(w.lists) > 0 {
			w.lists = w.lists[:0]
		}
		w.root.AppendChild(quote)
		w.quote = quote
	}
	if w.between != nil {
		w.root.RemoveChild(w.between)
		w.quote.AppendChild(w.between)
		w.between = nil
	}
	w.quote.AppendChild(p)
}

// addCode adds a line to the block of code that is open, or opens one. The text
// is kept as it is: formatting means nothing in there.
func (w *Writer) addCode(p Para) {
	line := PlainText(p.Spans)
	if w.code != nil {
		w.lines = append(w.lines, line)
		return
	}
	if strings.TrimSpace(line) == "" {
		return
	}
	text := Text("")
	pre, code := Element("pre"), Element("code")
	code.AppendChild(text)
	pre.AppendChild(code)
	quote := w.quote
	w.close()
	w.root.AppendChild(pre)
	if quote != nil {
		w.quote, w.between = quote, pre
	}
	w.code, w.lines = text, append(w.lines[:0], line)
}

// endCode writes the lines of the block that is open.
func (w *Writer) endCode() {
	if w.code != nil {
		w.code.Data = strings.Join(w.lines, "\n")
		w.code, w.lines = nil, w.lines[:0]
	}
}
