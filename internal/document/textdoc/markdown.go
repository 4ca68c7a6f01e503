package textdoc

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	rendering "github.com/yuin/goldmark/renderer/html"
	"gopkg.in/yaml.v3"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/facts"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/fragment"
)

// readMarkdown reads Markdown into the tree that it stands for.
func readMarkdown(in document.Input, text string) (*document.Doc, error) {
	about, text := frontMatter(text)
	var page bytes.Buffer
	convert := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote),
		goldmark.WithRendererOptions(rendering.WithUnsafe()))
	if err := convert.Convert([]byte(text), &page); err != nil {
		return nil, fault.Damaged("Markdown file", err)
	}
	blocks, err := fragment.Parse(page.String())
	if err != nil {
		return nil, fault.Damaged("Markdown file", err)
	}
	return about.Doc(document.Text, in, blocks), nil
}

// frontMatter reads the block of properties that many programs put before the
// text, between two lines of dashes.
func frontMatter(text string) (facts.Facts, string) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return facts.Facts{}, text
	}
	head, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		return facts.Facts{}, text
	}
	var values map[string]any
	if err := yaml.Unmarshal([]byte(head), &values); err != nil {
		return facts.Facts{}, text
	}
	get := func(name string) string {
		if s, ok := values[name].(string); ok {
			return s
		}
		return ""
	}
	return facts.Facts{
		Title:       get("title"),
		Author:      get("author"),
		Description: get("description"),
		Keywords:    get("keywords"),
		Language:    get("lang"),
	}, body
}
