// Package markdown writes an HTML tree as GitHub-flavoured Markdown.
//
// The tree is walked once. Blocks (paragraphs, lists, tables, …) go to a line
// writer that knows the containers they stand in ("> ", "  "); runs of inline
// content are first gathered in a buffer of their own, because what has to be
// escaped in them depends on what stands next to it and on where a line begins.
//
// The converter writes what the tree says. Which parts of a page are worth
// writing is decided before, by package htmldoc.
package markdown

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/internal/document"
)

// Options says what to leave out.
type Options struct {
	// KeepBase64Images writes data: images in full. Unset, the target of such
	// an image becomes <Base64-Image-Removed>; its text stays either way.
	KeepBase64Images bool
}

// Convert writes the tree below root as Markdown. The result has no blank
// lines at either end and ends without a line feed; an empty tree gives "".
func Convert(root *html.Node, opts Options) string {
	c := &converter{opts: opts}
	c.notes = findNotes(root)
	if isElement(root) {
		c.node(root)
	} else {
		c.children(root)
	}
	return c.out.String()
}

// converter holds the state of one walk.
type converter struct {
	opts  Options
	out   lines
	run   inline     // inline content not yet written as a paragraph
	link  *html.Node // an <a> around blocks: the first run inside it becomes the link
	notes *notes     // nil: the document has no footnotes
	depth int
}

// maxDepth bounds recursion on trees no person wrote. Below it only text is kept.
const maxDepth = 400

// children writes the children of n as a sequence of blocks.
func (c *converter) children(n *html.Node) {
	if c.depth++; c.depth > maxDepth {
		c.run.text(textOf(n))
		c.depth--
		return
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		c.node(child)
	}
	c.flush()
	c.depth--
}

// node writes one child of a block container.
func (c *converter) node(n *html.Node) {
	if n.Type == html.TextNode {
		c.run.text(n.Data)
		return
	}
	if !isElement(n) || isSkipped(n) {
		return
	}
	if n.DataAtom == atom.Br && c.breakEndsParagraph(n) {
		c.flush()
		return
	}
	if !isBlock(n) {
		c.inline(n)
		return
	}
	c.flush()
	if c.notes.isDefinition(n) {
		c.definition(n)
		return
	}
	c.block(n)
}

// block writes an element that stands on its own lines.
func (c *converter) block(n *html.Node) {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		c.heading(n)
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		c.list(n)
	case atom.Li: // outside of a list: a list of one
		c.item(n, "- ")
	case atom.Blockquote:
		c.quote(n)
	case atom.Pre, atom.Listing, atom.Xmp, atom.Code:
		c.codeBlock(n)
	case atom.Table:
		c.table(n)
	case atom.Hr:
		c.out.block("---")
		if page := attr(n, document.PageMark); page != "" {
			c.out.block("<!-- page " + page + " -->")
		}
	case atom.Dt, atom.Summary:
		c.strongLine(n)
	case atom.A:
		c.blockLink(n)
	default:
		c.container(n)
	}
}

// container writes an element that only groups others.
func (c *converter) container(n *html.Node) {
	switch {
	case isMath(n):
		c.displayMath(n)
	case isCodeFigure(n):
		c.codeBlock(n)
	default:
		c.children(n)
		c.flush()
	}
}

// flush writes the gathered inline content as a paragraph.
func (c *converter) flush() {
	if c.run.empty() {
		c.run.reset()
		return
	}
	text := c.run.finish()
	if c.link != nil {
		text = c.wrapLink(c.link, text)
		c.link = nil
	}
	c.out.block(text)
	c.run.reset()
}

func (c *converter) heading(n *html.Node) {
	level := int(n.DataAtom.String()[1] - '0')
	saved := c.run
	c.run = inline{heading: true}
	c.inlineChildren(n)
	text := c.run.finish()
	c.run = saved
	if c.link != nil && text != "" {
		text = c.wrapLink(c.link, text)
		c.link = nil
	}
	c.out.block(headingLine(level, text))
}

func (c *converter) quote(n *html.Node) {
	c.out.enter(container{lead: "> ", indent: "> "})
	c.children(n)
	c.flush()
	c.out.leave()
}

// strongLine writes a term or a summary: a line that names what follows it.
func (c *converter) strongLine(n *html.Node) {
	if hasBlockInside(n) {
		c.children(n)
		c.flush()
		return
	}
	c.run.open(strong)
	c.inlineChildren(n)
	c.run.close(n)
	c.flush()
}

// breakEndsParagraph reports whether the <br> is one of two or more in a row,
// which is how old pages separate paragraphs.
func (c *converter) breakEndsParagraph(n *html.Node) bool {
	return isBreak(neighbour(n, forward)) || isBreak(neighbour(n, backward))
}
