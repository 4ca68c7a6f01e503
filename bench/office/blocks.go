package officebench

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// block is a unit of structure: what it is and what it says.
type block struct{ kind, text string }

var comment = regexp.MustCompile(`(?s)<!--.*?-->`)

// blocks reads Markdown the way the data sets describe: headings, paragraphs,
// paragraphs of list items, code, and rows of tables, pipe tables and HTML
// alike. Marks and images count as nothing.
func blocks(md string) []block {
	var page bytes.Buffer
	convert := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough),
		goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := convert.Convert([]byte(comment.ReplaceAllString(md, "")), &page); err != nil {
		return nil
	}
	root, err := nethtml.Parse(&page)
	if err != nil {
		return nil
	}
	var found []block
	collect(root, "p", &found)
	return found
}

// collect walks the tree. Around is the kind that bare text has here.
func collect(n *nethtml.Node, around string, found *[]block) {
	var loose strings.Builder // text directly in a list item or a div
	flush := func() {
		add(found, around, loose.String())
		loose.Reset()
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch {
		case k.Type == nethtml.TextNode:
			loose.WriteString(k.Data)
			continue
		case k.Type != nethtml.ElementNode || k.DataAtom == atom.Head:
			continue
		case isInline(k):
			loose.WriteString(content(k))
			continue
		}
		flush()
		switch k.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			add(found, "h", content(k))
		case atom.P:
			add(found, around, content(k))
		case atom.Pre:
			add(found, "code", content(k))
		case atom.Tr:
			add(found, "row", row(k))
		case atom.Li:
			collect(k, "li", found)
		default:
			collect(k, around, found)
		}
	}
	flush()
}

func add(found *[]block, kind, text string) {
	text = strings.Join(strings.Fields(text), " ")
	if strings.Trim(text, "| ") != "" {
		*found = append(*found, block{kind, text})
	}
}

func isInline(n *nethtml.Node) bool {
	switch n.DataAtom {
	case atom.A, atom.Em, atom.Strong, atom.Code, atom.Del, atom.Sup, atom.Sub, atom.Span, atom.Img, atom.Br, atom.U,
		atom.B, atom.I, atom.S, atom.Mark, atom.Kbd, atom.Small, atom.Input:
		return true
	}
	return false
}

func row(tr *nethtml.Node) string {
	var cells []string
	for td := tr.FirstChild; td != nil; td = td.NextSibling {
		if td.DataAtom == atom.Td || td.DataAtom == atom.Th {
			cells = append(cells, strings.Join(strings.Fields(content(td)), " "))
		}
	}
	return strings.Join(cells, " | ")
}

// content is the text inside, a blank for each line break and each block.
func content(n *nethtml.Node) string {
	if n.Type == nethtml.TextNode {
		return n.Data
	}
	var b strings.Builder
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		b.WriteString(content(k))
	}
	if n.DataAtom == atom.Br || n.Type == nethtml.ElementNode && !isInline(n) {
		b.WriteByte(' ')
	}
	return b.String()
}

func textOf(list []block) string {
	var parts []string
	for _, b := range list {
		parts = append(parts, b.text)
	}
	return strings.Join(parts, " ")
}

// overlap is the F1 of two sets of blocks, counting repetitions.
func overlap(wanted, found []block) float64 {
	if len(wanted) == 0 && len(found) == 0 {
		return 1
	}
	left := map[block]int{}
	for _, b := range wanted {
		left[b]++
	}
	hits := 0
	for _, b := range found {
		if left[b] > 0 {
			left[b]--
			hits++
		}
	}
	return 2 * float64(hits) / float64(len(wanted)+len(found))
}
