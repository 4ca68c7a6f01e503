package htmldoc

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/internal/document"
)

// Options says which part of a page is wanted.
type Options struct {
	OnlyMainContent bool     // leave out what surrounds the content: navigation, adverts, widgets
	IncludeTags     []string // CSS selectors; keep only what matches. Empty: everything
	ExcludeTags     []string // CSS selectors, or *text*; leave out what matches
}

// View is what was asked for of a page, as a tree of its own with absolute
// addresses. Changing it does not change the page.
type View struct {
	Root *html.Node // a document node; what was kept stands below it
	Kind string     // what the page was taken for: article, listing, forum, …; empty when nobody asked for the main content
	Why  string     // what spoke for that and how the content was found; for explaining, not for deciding
}

// Clean takes a view of the page. With OnlyMainContent it is never empty when
// the page had text: if nothing is left, everything is taken. IncludeTags is
// the caller's own choice of content and takes the place of ours. Documents
// that were no HTML (a PDF, a letter) are all content.
func Clean(doc *document.Doc, opts Options) (*View, error) {
	tags, err := compileTags(opts.IncludeTags, opts.ExcludeTags)
	if err != nil {
		return nil, err
	}
	body := find(doc.Root, atom.Body)
	if body == nil {
		body = doc.Root
	}
	o := newOutline(body)
	if !opts.OnlyMainContent || len(opts.IncludeTags) > 0 || doc.Kind != document.HTML {
		return &View{Root: tags.filter(o.copy(doc.Base, 0))}, nil
	}
	found := findContent(o, doc)
	view := &View{Root: tags.filter(found.page.copy(doc.Base, found.roots...)), Kind: found.page.kind, Why: found.why}
	if len(opts.ExcludeTags) == 0 { // what the caller left out must not come back
		addUnshown(view, found.page)
	}
	if !hasText(view.Root) {
		view.Root = tags.filter(newOutline(body).copy(doc.Base, 0))
		view.Why += "; nothing left, so the whole page"
	}
	return view, nil
}

func hasText(root *html.Node) bool {
	for n := range root.Descendants() {
		if n.Type == html.TextNode && !isBlank(n.Data) {
			return true
		}
	}
	return false
}
