// Package textdoc reads files that are text already: plain text, Markdown,
// JSON, XML and mail.
package textdoc

import (
	"bytes"
	"context"
	"encoding/json"
	"path"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/facts"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/plain"
)

// Kinds lists what Read understands.
func Kinds() []document.Kind {
	return []document.Kind{document.Text, document.JSON, document.XML, document.EML}
}

// Read reads a text file as what its name, its declared type and its first
// bytes say it is.
func Read(ctx context.Context, in document.Input) (doc *document.Doc, err error) {
	defer fault.Recover("text", &err)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch document.Sniff(in.Body, in.ContentType, in.Name) {
	case document.EML:
		return readMail(ctx, in)
	case document.JSON:
		return readJSON(in), nil
	case document.XML:
		text := plain.Decode(in.Body, in.ContentType)
		return facts.Facts{}.Doc(document.XML, in, []*html.Node{codeBlock("xml", text)}), nil
	}
	text := plain.Decode(in.Body, in.ContentType)
	if isMarkdown(in) {
		return readMarkdown(in, text)
	}
	return facts.Facts{}.Doc(document.Text, in, paragraphs(text)), nil
}

func isMarkdown(in document.Input) bool {
	switch strings.ToLower(path.Ext(in.Name)) {
	case ".md", ".markdown", ".mdown", ".mkd":
		return true
	}
	return strings.HasPrefix(in.ContentType, "text/markdown") || strings.HasPrefix(in.ContentType, "text/x-markdown")
}

// readJSON shows data with an indent; what is no JSON is shown as it is.
func readJSON(in document.Input) *document.Doc {
	var pretty bytes.Buffer
	text := plain.Decode(in.Body, in.ContentType)
	if err := json.Indent(&pretty, []byte(text), "", "  "); err == nil {
		text = pretty.String()
	}
	return facts.Facts{}.Doc(document.JSON, in, []*html.Node{codeBlock("json", text)})
}

func codeBlock(language, text string) *html.Node {
	code := flow.Wrap("code", []*html.Node{flow.Text(strings.TrimSpace(text))})
	flow.SetAttr(code, "class", "language-"+language)
	return flow.Wrap("pre", []*html.Node{code})
}

// longLine is the length from which a line was broken by the width of the page
// and not by its author.
const longLine = 50

// paragraphs reads plain text: blank lines separate paragraphs, indented ones
// and drawings keep their form, and lines that were only wrapped are joined.
func paragraphs(text string) []*html.Node {
	var blocks []*html.Node
	for _, para := range splitBlank(text) {
		switch {
		case isDrawn(para):
			blocks = append(blocks, flow.Wrap("pre", []*html.Node{
				flow.Wrap("code", []*html.Node{flow.Text(strings.Join(para, "\n"))})}))
		case isWrapped(para):
			blocks = append(blocks, flow.Wrap("p", flow.Inline([]flow.Span{{Text: strings.Join(trimmed(para), " ")}})))
		default:
			blocks = append(blocks, flow.Wrap("p", flow.Inline([]flow.Span{{Text: strings.Join(trimmed(para), "\n")}})))
		}
	}
	return blocks
}

func splitBlank(text string) [][]string {
	var paras [][]string
	var current []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\n\f")
		if line != "" {
			current = append(current, line)
			continue
		}
		if len(current) > 0 {
			paras = append(paras, current)
			current = nil
		}
	}
	if len(current) > 0 {
		paras = append(paras, current)
	}
	return paras
}

// isDrawn tells whether the places of words on their lines mean something: all
// lines are indented, or most have gaps inside.
func isDrawn(lines []string) bool {
	indented, gaps := 0, 0
	for _, l := range lines {
		if strings.HasPrefix(l, "    ") || strings.HasPrefix(l, "\t") {
			indented++
		}
		if body := strings.TrimLeft(l, " \t"); strings.Contains(body, "   ") || strings.Contains(body, "\t") {
			gaps++
		}
	}
	return len(lines) > 1 && (indented == len(lines) || gaps*2 > len(lines))
}

func isWrapped(lines []string) bool {
	for _, l := range lines[:len(lines)-1] {
		if len(l) < longLine {
			return false
		}
	}
	return true
}

func trimmed(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimSpace(l)
	}
	return out
}
