// Package odf reads the frame that OpenDocument texts, sheets and presentations
// share: the parts of the zip file, the names of elements, and what the file
// says about itself.
package odf

import (
	"bytes"
	"strings"

	"github.com/trawlhq/trawl/internal/document/archive"
	"github.com/trawlhq/trawl/internal/document/facts"
	"github.com/trawlhq/trawl/internal/document/fault"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

const base = "urn:oasis:names:tc:opendocument:xmlns:"

// Names are the prefixes that the readers of these files use.
var Names = xmlpull.Names{
	base + "office:1.0":                    "office",
	base + "style:1.0":                     "style",
	base + "text:1.0":                      "text",
	base + "table:1.0":                     "table",
	base + "drawing:1.0":                   "draw",
	base + "presentation:1.0":              "presentation",
	base + "chart:1.0":                     "chart",
	base + "xsl-fo-compatible:1.0":         "fo",
	base + "svg-compatible:1.0":            "svg",
	base + "meta:1.0":                      "meta",
	base + "datastyle:1.0":                 "number",
	base + "manifest:1.0":                  "manifest",
	"http://www.w3.org/1999/xlink":         "xlink",
	"http://purl.org/dc/elements/1.1/":     "dc",
	"http://www.w3.org/1998/Math/MathML":   "math",
	"http://www.w3.org/XML/1998/namespace": "xml",
	"urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0": "loext",
}

// File is an opened OpenDocument file.
type File struct {
	*archive.Archive
}

// Open opens a file. One that needs a password is refused.
func Open(body []byte, what string) (*File, error) {
	a, err := archive.Open(body, archive.Limits{})
	if err != nil {
		return nil, err
	}
	f := &File{a}
	for _, entry := range f.Tree("META-INF/manifest.xml").All("manifest:file-entry") {
		if entry.Child("manifest:encryption-data") != nil {
			return nil, fault.Protected(what)
		}
	}
	return f, nil
}

// Tree reads a part whole; nil if it is missing or holds nothing.
func (f *File) Tree(part string) *xmlpull.Node {
	body, err := f.Read(part)
	if err != nil {
		return nil
	}
	return xmlpull.New(bytes.NewReader(body), Names).Root()
}

// Facts reads what the file says about itself.
func (f *File) Facts() facts.Facts {
	meta := f.Tree("meta.xml").Child("office:meta")
	get := func(name string) string { return strings.TrimSpace(meta.Child(name).Content()) }
	about := facts.Facts{
		Title:       get("dc:title"),
		Author:      get("meta:initial-creator"),
		Subject:     get("dc:subject"),
		Description: get("dc:description"),
		Keywords:    keywords(meta),
		Language:    get("dc:language"),
		Created:     get("meta:creation-date"),
		Modified:    get("dc:date"),
	}
	if about.Author == "" {
		about.Author = get("dc:creator")
	}
	return about
}

func keywords(meta *xmlpull.Node) string {
	var words []string
	for _, k := range meta.All("meta:keyword") {
		words = append(words, strings.TrimSpace(k.Content()))
	}
	return strings.Join(words, ", ")
}
