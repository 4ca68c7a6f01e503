// Package opc reads the frame that Word, Excel and PowerPoint files since 2007
// share: parts in a zip file, relationships between them, and what the file
// says about itself.
package opc

import (
	"bytes"
	"io"
	"path"
	"strings"

	"github.com/trawlhq/trawl/internal/document/archive"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// Package is an opened file.
type Package struct {
	*archive.Archive
}

// Rel is a relationship from one part to another part or to an address.
type Rel struct {
	ID       string
	Type     string // last segment of the type's address, such as "styles"
	Target   string // name of a part, or the address if External
	External bool   // never followed
}

// Open opens a file of this frame.
func Open(body []byte, limits archive.Limits) (*Package, error) {
	a, err := archive.Open(body, limits)
	if err != nil {
		return nil, err
	}
	return &Package{a}, nil
}

// Rels reads the relationships of a part; those of the file itself have the
// name "".
func (p *Package) Rels(part string) []Rel {
	dir, file := path.Split(part)
	body, err := p.Read(dir + "_rels/" + file + ".rels")
	if err != nil {
		return nil
	}
	var rels []Rel
	root := xmlpull.New(bytes.NewReader(body), Names).Root()
	for _, r := range root.All("Relationship") {
		rel := Rel{
			ID:       r.Attr("Id"),
			Type:     path.Base(r.Attr("Type")),
			Target:   r.Attr("Target"),
			External: strings.EqualFold(r.Attr("TargetMode"), "External"),
		}
		if !rel.External {
			rel.Target = resolve(dir, rel.Target)
		}
		rels = append(rels, rel)
	}
	return rels
}

func resolve(dir, target string) string {
	if strings.HasPrefix(target, "/") {
		return strings.TrimPrefix(target, "/")
	}
	return path.Join(dir, target)
}

// Main finds the part the file is about, or gives the usual name.
func (p *Package) Main(usual string) string {
	for _, r := range p.Rels("") {
		if r.Type == "officeDocument" && p.Has(r.Target) {
			return r.Target
		}
	}
	return usual
}

// Tree reads a part whole; nil if it is missing or holds nothing.
func (p *Package) Tree(part string) *xmlpull.Node {
	body, err := p.Read(part)
	if err != nil {
		return nil
	}
	return xmlpull.New(bytes.NewReader(body), Names).Root()
}

// Scan opens a part for reading token by token.
func (p *Package) Scan(part string) (*xmlpull.Scanner, io.Closer, error) {
	r, err := p.Open(part)
	if err != nil {
		return nil, nil, err
	}
	return xmlpull.New(r, Names), r, nil
}

// ByID arranges relationships by their id.
func ByID(rels []Rel) map[string]Rel {
	m := make(map[string]Rel, len(rels))
	for _, r := range rels {
		m[r.ID] = r
	}
	return m
}

// First gives the first relationship of a type, if the file has one.
func First(rels []Rel, kind string) (Rel, bool) {
	for _, r := range rels {
		if r.Type == kind {
			return r, true
		}
	}
	return Rel{}, false
}
