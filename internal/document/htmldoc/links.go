package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Links lists the addresses a view leads to, each once, in document order.
// Links that stay on the page are left out.
func Links(view *View, page string) []string {
	seen := map[string]bool{}
	links := []string{}
	self, _, _ := strings.Cut(page, "#")
	for n := range view.Root.Descendants() {
		if n.DataAtom != atom.A && n.DataAtom != atom.Area || n.Type != html.ElementNode {
			continue
		}
		href, ok := attribute(n, "href")
		if !ok || href == "" || href[0] == '#' || seen[href] || staysOn(href, self) {
			continue
		}
		seen[href] = true
		links = append(links, href)
	}
	return links
}

// staysOn reports whether an address only names a place on this page.
func staysOn(href, page string) bool {
	before, _, fragment := strings.Cut(href, "#")
	return fragment && before == page
}

// Images lists the addresses of the pictures in a view, each once.
func Images(view *View) []string {
	seen := map[string]bool{}
	images := []string{}
	for n := range view.Root.Descendants() {
		if n.DataAtom != atom.Img || n.Type != html.ElementNode {
			continue
		}
		src := attr(n, "src")
		if src == "" || seen[src] || strings.HasPrefix(src, "data:") {
			continue
		}
		seen[src] = true
		images = append(images, src)
	}
	return images
}
