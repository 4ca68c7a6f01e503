package opc

import (
	"strings"

	"github.com/trawlhq/trawl/internal/document/facts"
)

// Facts reads what the file says about itself.
func (p *Package) Facts() facts.Facts {
	part := "docProps/core.xml"
	if r, ok := First(p.Rels(""), "core-properties"); ok {
		part = r.Target
	}
	core := p.Tree(part)
	get := func(name string) string { return strings.TrimSpace(core.Child(name).Content()) }
	return facts.Facts{
		Title:       get("dc:title"),
		Author:      get("dc:creator"),
		Subject:     get("dc:subject"),
		Description: get("dc:description"),
		Keywords:    get("cp:keywords"),
		Language:    get("dc:language"),
		Created:     get("dcterms:created"),
		Modified:    get("dcterms:modified"),
	}
}
