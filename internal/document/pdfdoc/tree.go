package pdfdoc

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/pdfdoc/layout"
)

// writer writes blocks as an HTML tree.
type writer struct {
	body    *html.Node
	markers bool
	begun   bool                         // a page was written
	lists   []listLevel                  // the lists open at this point, outermost first
	item    float64                      // how high the last item stood
	last    *html.Node                   // the paragraph that ended the page before, if it may go on
	nodes   map[*layout.Block]*html.Node // what was written for each block; nil: not wanted
}

// note remembers what was written for a block.
func (w *writer) note(b *layout.Block, n *html.Node) {
	if w.nodes != nil {
		w.nodes[b] = n
	}
}

type listLevel struct {
	node   *html.Node
	indent float64
}

// page writes the blocks of one page. A paragraph that goes on from the page
// before is continued, and then no marker parts the two.
func (w *writer) page(p *layout.Page) {
	if w.body == nil {
		w.body = element(atom.Body)
	}
	blocks := contentOf(p)
	if w.begun && len(blocks) > 0 && w.last != nil && goesOn(w.last, blocks[0]) {
		w.inline(w.last, blocks[0], " ")
		w.note(blocks[0], w.last)
		blocks = blocks[1:]
	} else if w.begun && w.markers {
		w.closeLists()
		rule := element(atom.Hr)
		rule.Attr = []html.Attribute{{Key: document.PageMark, Val: strconv.Itoa(p.Number)}}
		w.body.AppendChild(rule)
	}
	w.begun = true
	if len(blocks) > 0 {
		w.last = nil
	}
	for _, b := range blocks {
		w.block(b)
	}
}

// contentOf leaves out what belongs to the page and not to the text.
func contentOf(p *layout.Page) []*layout.Block {
	var out []*layout.Block
	for i := range p.Blocks {
		if b := &p.Blocks[i]; !b.Kind.Furniture() && b.Kind != layout.Figure {
			out = append(out, b)
		}
	}
	return out
}

// goesOn says whether a block continues a paragraph that the page break cut.
func goesOn(before *html.Node, b *layout.Block) bool {
	if b.Kind != layout.Text {
		return false
	}
	first, _ := utf8.DecodeRuneInString(b.String())
	return unicode.IsLower(first) && !endsSentence(textOf(before))
}

func endsSentence(s string) bool {
	return strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") || strings.HasSuffix(s, ":")
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func (w *writer) block(b *layout.Block) {
	if b.Kind != layout.ListItem {
		w.closeLists()
	}
	var n *html.Node
	switch b.Kind {
	case layout.TableBlock:
		n = tableNode(b.Table)
	case layout.ListItem:
		w.note(b, w.listItem(b))
		return
	case layout.Title, layout.Heading:
		n = element(headingAtoms[min(max(b.Level, 1), 6)-1])
		n.AppendChild(textNode(b.String()))
	default:
		n = element(atom.P)
		w.inline(n, b, "")
		if b.Kind == layout.Text {
			w.last = n
		}
	}
	w.body.AppendChild(n)
	w.note(b, n)
}

var headingAtoms = [6]atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}

func (w *writer) closeLists() { w.lists = nil }

// sameIndent is how far the marks of one list may be apart, in points.
const sameIndent = 6

// listItem adds an item to the list its mark is in line with, or to a new one
// inside the last item.
func (w *writer) listItem(b *layout.Block) *html.Node {
	if b.Box.Y0 < w.item { // in the next column, or on the next page
		w.continueLists(b)
	}
	w.item = b.Box.Y0
	at := b.List.Indent
	for len(w.lists) > 0 && at < w.lists[len(w.lists)-1].indent-sameIndent {
		w.lists = w.lists[:len(w.lists)-1]
	}
	if n := len(w.lists); n == 0 || at > w.lists[n-1].indent+sameIndent {
		w.openList(b)
	}
	list := w.lists[len(w.lists)-1].node
	item := element(atom.Li)
	w.inline(item, b, "")
	list.AppendChild(item)
	return item
}

// continueLists moves the open lists to where the next column has them: an item
// there goes on with the outermost one.
func (w *writer) continueLists(b *layout.Block) {
	if n := len(w.lists); n > 0 {
		w.lists = w.lists[:1]
		w.lists[0].indent = b.List.Indent
	}
}

func (w *writer) openList(b *layout.Block) {
	list := element(atom.Ul)
	if b.List.Ordered {
		list = element(atom.Ol)
		if n, err := strconv.Atoi(strings.Trim(b.List.Text, "(.)")); err == nil && n != 1 {
			list.Attr = append(list.Attr, html.Attribute{Key: "start", Val: strconv.Itoa(n)})
		}
	}
	parent := w.body
	if n := len(w.lists); n > 0 && w.lists[n-1].node.LastChild != nil {
		parent = w.lists[n-1].node.LastChild
	}
	parent.AppendChild(list)
	w.lists = append(w.lists, listLevel{list, b.List.Indent})
}

// finish gives the whole document.
func (w *writer) finish(title string) *html.Node {
	root := &html.Node{Type: html.DocumentNode}
	top, head := element(atom.Html), element(atom.Head)
	if title != "" {
		t := element(atom.Title)
		t.AppendChild(textNode(title))
		head.AppendChild(t)
	}
	top.AppendChild(head)
	if w.body == nil {
		w.body = element(atom.Body)
	}
	top.AppendChild(w.body)
	root.AppendChild(top)
	return root
}
