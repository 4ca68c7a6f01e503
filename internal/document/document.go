// Package document turns the bytes of a page or a file into one shape.
//
// Whatever came in (HTML, PDF, a Word file, plain text), a reader answers with
// a Doc, and a Doc is an HTML tree: headings, paragraphs, lists, tables, code,
// links, images. Markdown, html, links, images and attributes are therefore
// derived by one piece of code each, which never asks where a tree came from.
//
// The readers live in the packages below this one (htmldoc, pdfdoc, …) and
// import it; Readers joins them, and Sniff says which one is meant.
package document

import (
	"context"
	"net/url"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl"
)

// Doc is an understood page.
type Doc struct {
	Kind  Kind       // what the bytes were
	Root  *html.Node // the whole document; treat it as read-only, several formats are derived from it
	Base  *url.URL   // what relative addresses in Root are relative to; never nil
	Title string     // the document's own title; empty: it has none

	// Meta holds what the document says about itself, under the names of the
	// API's metadata ("title", "language", "ogTitle", …). A value is a string
	// or, where a name was repeated, a []string.
	Meta map[string]any

	Pages      []Page   // the pages of a paged document (PDF), in order; nil for all others
	NumPages   int      // pages that were read; zero: not a paged document
	TotalPages int      // pages the document has; zero: not a paged document
	Warnings   []string // what the caller should know although the document was read

	Layout []PageLayout // where everything stands on the pages; nil unless Input.Blocks asked for it

	// Made holds the formats that Input.Wanted asked for, where the reader has
	// made them itself. There are no trees then: Root, Pages and Layout are nil.
	Made *trawl.Document
}

// PageMark is the attribute of a rule that parts two pages; its value is the
// number of the page that follows.
const PageMark = "data-trawl-page"

// Page is one page of a paged document.
type Page struct {
	Number int        // counted from 1
	Root   *html.Node // the content of this page alone
}

// PageLayout is where everything stands on one page.
type PageLayout struct {
	PageNumber    int
	Width, Height float64 // points
	Status        string  // "ok", or "failed" where the page could not be read
	Items         []PageBlock
}

// PageBlock is one block of a page, furniture included.
type PageBlock struct {
	ID           string     // "p3.b7": page and place in the reading order, both from 1
	Type         string     // as the API names it
	BBox         [4]float64 // left, top, right, bottom as parts of the page's size
	Content      string     // its text
	ReadingOrder int        // counted from 0
	Source       string     // "text": from the file itself; "ocr": read from the picture of the page
	Node         *html.Node // what stands for it in the document's tree; nil: it was left out
}

// Input is what a reader gets.
type Input struct {
	Body        []byte
	ContentType string // as the server or the uploader said; may be empty or wrong
	URL         string // where it came from; empty for an upload
	Name        string // file name of an upload; empty for a page

	MaxPages int    // paged documents: read no more than this; zero: all
	OCR      string // paged documents: "fast" (never), "auto" (where a page has no text) or "ocr" (always); empty: "auto"

	WantPages   bool // paged documents: fill Doc.Pages
	Blocks      bool // paged documents: fill Doc.Layout
	PageMarkers bool // paged documents: part the pages in the tree by a rule and a comment "page N"

	// Wanted says what will be made of the document. A reader in a process apart
	// makes it there, so that the tree of a large file never comes to this one;
	// the others do not care. Nil: the tree itself is wanted.
	Wanted *Wanted
}

// Wanted is what will be made of a document.
type Wanted struct {
	Options trawl.ScrapeOptions
	URL     string // of the page, after redirects
}

// Reader understands one or several kinds of input.
type Reader func(ctx context.Context, in Input) (*Doc, error)

// Readers says who reads what.
type Readers map[Kind]Reader

// Read finds out what the bytes are and has them read.
func (r Readers) Read(ctx context.Context, in Input) (*Doc, error) {
	kind := Sniff(in.Body, in.ContentType, in.Name)
	read, ok := r[kind]
	if !ok {
		return nil, trawl.Errorf(trawl.SiteFailed, "Files of this type are not supported: %s", kind).
			WithCode("SCRAPE_UNSUPPORTED_FILE_ERROR")
	}
	doc, err := read(ctx, in)
	if err != nil {
		return nil, err
	}
	if doc.Kind == "" {
		doc.Kind = kind
	}
	return doc, nil
}
