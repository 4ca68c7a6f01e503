// Package web measures what trawl makes of web pages: how much of the main
// content is kept and how much else, how true the Markdown is, which product
// and structured data is read, and how fast. The metrics are defined by the
// README of each data set.
package web

import (
	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/htmldoc"
	"github.com/trawlhq/trawl/internal/format/markdown"
)

// Suites lists the measurements of this package.
func Suites() []suite.Suite {
	return []suite.Suite{
		{Name: "web-main-articles", Data: "web-main-articles", Run: articles},
		{Name: "web-main-wcxb", Data: "web-main-wcxb", Run: pageKinds},
		{Name: "web-main-multilingual", Data: "web-main-multilingual", Run: multilingual},
		{Name: "web-structure-readability", Data: "web-structure-readability", Run: structure},
		{Name: "md-roundtrip-spec", Data: "md-roundtrip-spec", Run: roundtrip},
		{Name: "md-pages-defuddle", Data: "md-pages-defuddle", Run: pages},
		{Name: "struct-product", Data: "struct-product", Run: products},
		{Name: "struct-markup", Data: "struct-markup", Run: markup},
		{Name: "web-speed", Data: "web-main-articles", Run: speed},
	}
}

// answer is what a scrape would give for a page, as far as it is measured.
type answer struct {
	doc      *document.Doc
	view     *htmldoc.View
	markdown string
}

// scrape takes a page the way POST /v2/scrape takes it once it has been
// fetched: read, main content, Markdown.
func scrape(body []byte, address string) (*answer, error) {
	doc, err := htmldoc.Read(body, "text/html", address)
	if err != nil {
		return nil, err
	}
	view, err := htmldoc.Clean(doc, htmldoc.Options{OnlyMainContent: true})
	if err != nil {
		return nil, err
	}
	return &answer{doc: doc, view: view, markdown: markdown.Convert(view.Root, markdown.Options{})}, nil
}
