// Package format turns an understood page into the formats a caller asked for.
//
// Everything here works on a document.Doc, whatever the bytes were, and is a
// pure function of it and the options. What needs a browser (screenshots,
// branding) was captured with the page; what needs history (change tracking) is
// added by the scrape.
package format

import (
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/htmldoc"
	"github.com/trawlhq/trawl/internal/format/markdown"
)

// Source is what formats are made from.
type Source struct {
	Doc *document.Doc
	Raw []byte // the body as it was received, or as the browser wrote it down
	URL string // of the page, after redirects

	ContentType string // as the server said; its charset tells how to read Raw
}

// Fill makes the formats asked for and puts them into a document. Formats it
// does not know are left to others.
func Fill(out *trawl.Document, src Source, o trawl.ScrapeOptions) error {
	view, err := htmldoc.Clean(src.Doc, htmldoc.Options{
		OnlyMainContent: o.MainOnly() && src.Doc.Kind == document.HTML,
		IncludeTags:     o.IncludeTags, ExcludeTags: o.ExcludeTags,
	})
	if err != nil {
		return trawl.BadRequest([]trawl.Issue{trawl.CustomIssue(err.Error(), "excludeTags")})
	}
	for _, f := range o.FormatList() {
		if err := fill(out, src, view, f, o); err != nil {
			return fmt.Errorf("make %s: %w", f.Type, err)
		}
	}
	fillPages(out, src.Doc, o)
	return nil
}

func fill(out *trawl.Document, src Source, view *htmldoc.View, f trawl.Format, o trawl.ScrapeOptions) (err error) {
	switch f.Type {
	case trawl.FormatMarkdown:
		out.Markdown = markdown.Convert(view.Root, markdown.Options{KeepBase64Images: !o.WithoutBase64()})
	case trawl.FormatHTML:
		out.HTML, err = serialise(view.Root)
	case trawl.FormatRawHTML:
		out.RawHTML, err = rawHTML(src)
	case trawl.FormatRawBase64:
		out.RawBase64 = base64.StdEncoding.EncodeToString(src.Raw)
	case trawl.FormatLinks:
		out.Links = htmldoc.Links(view, src.URL)
	case trawl.FormatImages:
		out.Images = htmldoc.Images(view)
	case trawl.FormatProduct:
		if product, found := htmldoc.FindProduct(src.Doc); found {
			out.Product = product
		} else {
			out.Warn("No product was found on the page.")
		}
	case trawl.FormatAttributes:
		out.Attributes, err = attributes(src.Doc, f.Selectors)
	}
	return err
}

// rawHTML is the page as it came. Files that are no text have no HTML of their
// own: theirs is what they were understood as.
func rawHTML(src Source) (string, error) {
	switch src.Doc.Kind {
	case document.HTML, document.XML, document.JSON, document.Text, document.CSV, document.TSV, document.EML:
		return htmldoc.UTF8(src.Raw, src.ContentType), nil
	}
	return serialise(src.Doc.Root)
}

// serialise writes a tree as HTML.
func serialise(root *html.Node) (string, error) {
	var b strings.Builder
	if err := html.Render(&b, root); err != nil {
		return "", err
	}
	return b.String(), nil
}

// attributes answers in the order of the question; a selector that matches nothing gives an empty list.
func attributes(doc *document.Doc, selectors []trawl.AttributeSelector) ([]trawl.AttributeValues, error) {
	out := make([]trawl.AttributeValues, 0, len(selectors))
	for i, s := range selectors {
		values, err := htmldoc.Attributes(doc, s.Selector, s.Attribute)
		if err != nil {
			return nil, trawl.BadRequest([]trawl.Issue{trawl.CustomIssue("Invalid selector: "+s.Selector, "formats", i, "selectors")})
		}
		if values == nil {
			values = []string{}
		}
		out = append(out, trawl.AttributeValues{Selector: s.Selector, Attribute: s.Attribute, Values: values})
	}
	return out, nil
}
