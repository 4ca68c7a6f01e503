// Package facts holds what a file says about itself, and makes the Doc that
// carries it. The readers of files differ in where they find a title, not in
// what they do with it.
package facts

import (
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/cfb"
	"github.com/trawlhq/trawl/internal/document/flow"
)

// Facts is what a file says about itself; what it does not say is empty.
type Facts struct {
	Title, Author, Subject, Description, Keywords, Language string
	Created, Modified                                       string // RFC 3339
	Sheets, Slides                                          int    // zero: it has no such thing
}

// Time formats a moment the way Created and Modified want it; a zero time is "".
func Time(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// Compound gives the facts of a compound file.
func Compound(f *cfb.File) Facts {
	s := f.Summary()
	return Facts{
		Title:       s.Title,
		Author:      s.Author,
		Subject:     s.Subject,
		Description: s.Comments,
		Keywords:    s.Keywords,
		Created:     Time(s.Created),
		Modified:    Time(s.Saved),
	}
}

// Doc makes the document of the given blocks.
func (f Facts) Doc(kind document.Kind, in document.Input, blocks []*html.Node) *document.Doc {
	return &document.Doc{
		Kind:  kind,
		Root:  flow.Document(f.Title, f.Language, blocks),
		Base:  base(in),
		Title: f.Title,
		Meta:  f.meta(),
	}
}

// meta names the facts as the API's metadata does.
func (f Facts) meta() map[string]any {
	meta := map[string]any{}
	for name, value := range map[string]string{
		"title":          f.Title,
		"author":         f.Author,
		"dcSubject":      f.Subject,
		"description":    f.Description,
		"keywords":       f.Keywords,
		"language":       f.Language,
		"dcTermsCreated": f.Created,
		"modifiedTime":   f.Modified,
	} {
		if value = strings.TrimSpace(value); value != "" {
			meta[name] = value
		}
	}
	if f.Sheets > 0 {
		meta["sheetCount"] = f.Sheets
	}
	if f.Slides > 0 {
		meta["slideCount"] = f.Slides
	}
	return meta
}

// base is the address of the file, or one made from its name.
func base(in document.Input) *url.URL {
	if u, err := url.Parse(in.URL); err == nil && in.URL != "" {
		return u
	}
	return &url.URL{Scheme: "upload", Host: "file", Path: "/" + in.Name}
}
