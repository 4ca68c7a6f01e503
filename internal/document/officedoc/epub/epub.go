// Package epub reads books: the chapters in the order of the spine, joined into
// one document. Links between chapters become links inside it.
package epub

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/archive"
	"github.com/trawlhq/trawl/internal/document/facts"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

const what = "EPUB book"

var names = xmlpull.Names{
	"urn:oasis:names:tc:opendocument:xmlns:container": "",
	"http://www.idpf.org/2007/opf":                    "",
	"http://www.w3.org/1999/xhtml":                    "",
	"http://purl.org/dc/elements/1.1/":                "dc",
	"http://www.idpf.org/2007/ops":                    "epub",
	"http://www.w3.org/1999/xlink":                    "xlink",
	"http://www.w3.org/2000/svg":                      "svg",
	"http://www.w3.org/1998/Math/MathML":              "",
	"http://www.w3.org/XML/1998/namespace":            "xml",
}

// chapter is one page of the book.
type chapter struct {
	path string
	body *xmlpull.Node
	ids  map[string]string // id in the page → id in the whole book
	id   string            // what a link to the page itself leads to
}

// Read reads a book.
func Read(ctx context.Context, in document.Input) (doc *document.Doc, err error) {
	defer fault.Recover(what, &err)
	a, err := archive.Open(in.Body, archive.Limits{})
	if err != nil {
		return nil, err
	}
	if a.Has("META-INF/encryption.xml") && isLocked(a) {
		return nil, fault.Protected(what)
	}
	place := tree(a, "META-INF/container.xml").Child("rootfiles", "rootfile").Attr("full-path")
	opf := tree(a, place)
	if opf == nil {
		return nil, fault.Damaged(what, fmt.Errorf("no package document at %q", place))
	}
	b := &book{archive: a, byPath: map[string]*chapter{}, taken: map[string]bool{}}
	for _, p := range spine(opf, path.Dir(place)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b.open(p)
	}
	var blocks []*html.Node
	for _, c := range b.chapters {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		blocks = append(blocks, b.section(c))
		c.body = nil
	}
	if b.refused != nil {
		return nil, b.refused
	}
	return aboutBook(opf).Doc(document.EPUB, in, blocks), nil
}

// isLocked tells whether pages are encrypted; fonts often are, and do not matter.
func isLocked(a *archive.Archive) bool {
	body, err := a.Read("META-INF/encryption.xml")
	return err == nil && (bytes.Contains(body, []byte(".xhtml")) || bytes.Contains(body, []byte(".html")))
}

func tree(a *archive.Archive, part string) *xmlpull.Node {
	body, err := a.Read(part)
	if err != nil {
		return nil
	}
	return xmlpull.New(bytes.NewReader(body), names).Root()
}

// spine lists the pages in reading order, without the table of contents.
func spine(opf *xmlpull.Node, dir string) []string {
	type entry struct {
		href string
		nav  bool
	}
	manifest := map[string]entry{}
	for _, item := range opf.Child("manifest").All("item") {
		if href, err := url.PathUnescape(item.Attr("href")); err == nil {
			manifest[item.Attr("id")] = entry{path.Join(dir, href), strings.Contains(item.Attr("properties"), "nav")}
		}
	}
	var paths []string
	for _, ref := range opf.Child("spine").All("itemref") {
		if e, ok := manifest[ref.Attr("idref")]; ok && !e.nav {
			paths = append(paths, e.href)
		}
	}
	return paths
}

func aboutBook(opf *xmlpull.Node) facts.Facts {
	meta := opf.Child("metadata")
	get := func(name string) string { return strings.TrimSpace(meta.Child(name).Content()) }
	var authors, subjects []string
	for _, c := range meta.All("dc:creator") {
		authors = append(authors, strings.TrimSpace(c.Content()))
	}
	for _, s := range meta.All("dc:subject") {
		subjects = append(subjects, strings.TrimSpace(s.Content()))
	}
	about := facts.Facts{
		Title:       get("dc:title"),
		Author:      strings.Join(authors, ", "),
		Keywords:    strings.Join(subjects, ", "),
		Description: get("dc:description"),
		Language:    get("dc:language"),
		Created:     get("dc:date"),
	}
	for _, m := range meta.All("meta") {
		if m.Attr("property") == "dcterms:modified" {
			about.Modified = strings.TrimSpace(m.Content())
		}
	}
	return about
}

// book is the state of reading one book.
type book struct {
	archive  *archive.Archive
	chapters []*chapter
	byPath   map[string]*chapter
	taken    map[string]bool // ids in use
	refused  error           // a limit was met
}

// open reads a page and gives its ids names that are unique in the book.
func (b *book) open(p string) {
	if _, twice := b.byPath[p]; twice {
		return
	}
	raw, err := b.archive.Read(p)
	if err != nil {
		if b.archive.Has(p) {
			b.refused = fault.As(what, err)
		}
		return
	}
	body := xmlpull.New(bytes.NewReader(raw), names).Root().Child("body")
	if body == nil || isLoose(body) {
		body = loosely(raw)
	}
	if body == nil {
		return
	}
	c := &chapter{path: p, body: body, ids: map[string]string{}}
	b.nameIDs(c, body)
	b.chapters = append(b.chapters, c)
	b.byPath[p] = c
}

func (b *book) nameIDs(c *chapter, n *xmlpull.Node) {
	if id := n.Attr("id"); id != "" {
		name := id
		if b.taken[name] {
			name = fmt.Sprintf("%s-%d", id, len(b.chapters)+1)
		}
		b.taken[name] = true
		c.ids[id] = name
		if c.id == "" {
			c.id = name
		}
	}
	for _, k := range n.Kids {
		b.nameIDs(c, k)
	}
}

func (b *book) section(c *chapter) *html.Node {
	section := flow.Element("section")
	for _, k := range c.body.Kids {
		b.copy(section, k, c)
	}
	return section
}
