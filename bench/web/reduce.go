package web

import (
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// block is a piece of a document with its kind: h, p, li, code or row.
type block struct{ kind, text string }

func newGoldmark() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList))
}

// plainText reduces Markdown to the text a reader sees, a line per block.
func plainText(md string) string {
	var b strings.Builder
	for _, bl := range blocks(md) {
		b.WriteString(bl.text)
		b.WriteByte('\n')
	}
	return b.String()
}

// blocks lists the blocks of a Markdown text in order.
func blocks(md string) []block {
	src := []byte(withoutComments(md))
	doc := newGoldmark().Parser().Parse(text.NewReader(src))
	var list []block
	collectBlocks(doc, src, "p", &list)
	return list
}

func withoutComments(md string) string {
	for {
		before, rest, ok := strings.Cut(md, "<!--")
		if !ok {
			return md
		}
		_, after, ok := strings.Cut(rest, "-->")
		if !ok {
			return before
		}
		md = before + after
	}
}

func collectBlocks(n ast.Node, src []byte, kind string, list *[]block) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Heading:
			add(list, "h", inlineText(c, src))
		case *ast.Paragraph, *ast.TextBlock:
			add(list, kind, inlineText(c, src))
		case *ast.ListItem:
			collectBlocks(c, src, "li", list)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			add(list, "code", string(c.Lines().Value(src)))
		case *east.TableHeader, *east.TableRow:
			add(list, "row", rowText(c, src))
		case *ast.HTMLBlock:
			htmlBlocks(string(c.Lines().Value(src)), list)
		default:
			collectBlocks(c, src, kind, list)
		}
	}
}

func add(list *[]block, kind, text string) {
	if text = collapse(text); strings.Trim(text, "| ") != "" {
		*list = append(*list, block{kind, text})
	}
}

func rowText(row ast.Node, src []byte) string {
	var cells []string
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		cells = append(cells, collapse(inlineText(c, src)))
	}
	return strings.Join(cells, " | ")
}

func inlineText(n ast.Node, src []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the callback never fails
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Image:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			value := n.Segment.Value(src)
			if !n.IsRaw() {
				value = unescape(value)
			}
			b.Write(value)
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte('\n')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(src))
		case *ast.RawHTML:
			b.WriteByte(' ')
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// unescape drops the backslashes of Markdown and decodes entities.
func unescape(s []byte) []byte {
	if bytes.IndexByte(s, '\\') >= 0 {
		var out []byte
		for i := 0; i < len(s); i++ {
			if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
				i++
			}
			out = append(out, s[i])
		}
		s = out
	}
	if bytes.IndexByte(s, '&') >= 0 {
		return []byte(html.UnescapeString(string(s)))
	}
	return s
}

// htmlBlocks reads HTML written into Markdown: the rows of tables, and text.
func htmlBlocks(src string, list *[]block) {
	root, err := nethtml.Parse(strings.NewReader(src))
	if err != nil {
		return
	}
	rows := false
	for n := range root.Descendants() {
		if n.DataAtom == atom.Tr {
			rows = true
			var cells []string
			for c := range n.ChildNodes() {
				if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
					cells = append(cells, collapse(treeText(c)))
				}
			}
			add(list, "row", strings.Join(cells, " | "))
		}
	}
	if !rows {
		add(list, "p", treeText(root))
	}
}

// treeText joins the text of a tree with a line break at the end of blocks.
func treeText(n *nethtml.Node) string {
	var b strings.Builder
	var walk func(*nethtml.Node)
	walk = func(n *nethtml.Node) {
		if n.Type == nethtml.TextNode {
			b.WriteString(n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.DataAtom == atom.Script || c.DataAtom == atom.Style {
				continue
			}
			walk(c)
		}
		if n.Type == nethtml.ElementNode && !isInline(n.DataAtom) {
			b.WriteByte('\n')
		}
	}
	walk(n)
	return b.String()
}

func isInline(a atom.Atom) bool {
	switch a {
	case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Cite, atom.Code, atom.Data, atom.Del, atom.Dfn, atom.Em, atom.Font,
		atom.I, atom.Img, atom.Ins, atom.Kbd, atom.Label, atom.Mark, atom.Q, atom.S, atom.Samp, atom.Small, atom.Span,
		atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U, atom.Var:
		return true
	}
	return false
}

func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }
