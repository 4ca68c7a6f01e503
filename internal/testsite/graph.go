package testsite

import (
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"
)

// graphEdges is the link graph of origin "graph": page to the links on it, in
// document order. A value that starts with "other:" is a page of origin "other";
// the rest is written as it stands in href.
//
// The pages bring out each rule of a crawl's scope: path prefixes with and
// without a slash, depth, queries, fragments, client routes, similar spellings,
// file endings, schemes, redirects in and out, other hosts one and two hops away.
var graphEdges = map[string][]string{
	"/": {"/docs/", "/blog/", "/about", "/docsearch", "other:/", "other:/welcome"},
	"/docs/": {
		"/docs/intro", "/docs/guide/", "/docs/api?lang=go", "/docs/api?lang=js", "/blog/",
		"/files/manual.pdf", "/files/logo.png", "mailto:desk@quay.test", "#top",
	},
	"/docs/intro":        {"/docs/", "/docs/index.html", "/docs/intro#more", "/docs/intro/", "/docs/guide/"},
	"/docs/api":          {"/docs/", "/docs/api?lang=go&page=2"},
	"/docs/guide/":       {"one", "two", "/docsearch"},
	"/docs/guide/one":    {"/docs/guide/two", "deep/a"},
	"/docs/guide/two":    {"/docs/guide/one"},
	"/docs/guide/deep/a": {"b"},
	"/docs/guide/deep/b": {"c"},
	"/docs/guide/deep/c": {"/docs/"},
	"/docsearch":         {"/"},
	"/blog/":             {"/blog/first", "/blog/second", "/blogger", "/blog/?page=2"},
	"/blog/first":        {"other:/welcome", "#/route/1", "#/route/2", "/blog/second"},
	"/blog/second":       {"javascript:void(0)", "tel:+491234", "ftp://quay.test/x", "/blog/first"},
	"/blogger":           {},
	"/about":             {"/old-about", "/away", "/missing", "/back-inside", "https://github.com/trawlhq/trawl", "/private/notes"},
	"/private/notes":     {"/"},
}

// graphRedirects are addresses of the graph that lead on.
var graphRedirects = map[string]string{"/old-about": "/about", "/away": "other:/welcome", "/back-inside": "/docs/guide/two"}

// graphOther is the link graph of origin "other".
var graphOther = map[string][]string{
	"/":           {"/welcome"},
	"/welcome":    {"/second-hop"},
	"/second-hop": {"/third-hop"},
	"/third-hop":  {"/"},
}

// Links gives the graph as it is served: path of the page to its links, with
// addresses of the other host written out.
func (s *Site) Links() map[string][]string {
	all := map[string][]string{}
	for page := range graphEdges {
		all[page] = s.linksOf(page)
	}
	return all
}

func (s *Site) linksOf(page string) []string {
	links := slices.Clone(graphEdges[page])
	for i, link := range links {
		links[i] = s.graphAddress(link)
	}
	return links
}

func (s *Site) graphAddress(link string) string {
	if path, ok := strings.CutPrefix(link, "other:"); ok {
		return s.Origin("other") + path
	}
	return link
}

func (s *Site) graphHandler() http.Handler {
	mux := http.NewServeMux()
	for path := range graphEdges {
		mux.HandleFunc(exactly(path), func(w http.ResponseWriter, r *http.Request) {
			writeHTML(w, linkPage(r.URL.RequestURI(), s.linksOf(path)))
		})
	}
	for path, target := range graphRedirects {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { to(s.graphAddress(target))(w, nil) })
	}
	mux.HandleFunc("/docs/index.html", func(w http.ResponseWriter, _ *http.Request) { writeHTML(w, linkPage("/docs/", s.linksOf("/docs/"))) })
	mux.HandleFunc("/docs/intro/", func(w http.ResponseWriter, _ *http.Request) {
		writeHTML(w, linkPage("/docs/intro", s.linksOf("/docs/intro")))
	})
	mux.HandleFunc("/files/logo.png", pngImage)
	mux.HandleFunc("/files/manual.pdf", body("application/pdf", []byte("%PDF-1.4\n%%EOF\n")))
	mux.HandleFunc("/robots.txt", text("User-agent: *\nDisallow: /private/\n"))
	return mux
}

func otherHandler() http.Handler {
	mux := http.NewServeMux()
	for path, links := range graphOther {
		mux.HandleFunc(exactly(path), func(w http.ResponseWriter, _ *http.Request) { writeHTML(w, linkPage("other "+path, links)) })
	}
	return mux
}

// exactly keeps a pattern that ends in a slash from matching everything below it.
func exactly(path string) string {
	if strings.HasSuffix(path, "/") {
		return path + "{$}"
	}
	return path
}

// linkPage is a page with a sentence and the given links.
func linkPage(title string, links []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<main><h1>Page %s</h1><p>This is the page %[1]s of the graph.</p><ul>\n", html.EscapeString(title))
	for _, link := range links {
		fmt.Fprintf(&b, "<li><a href=\"%s\">to %[1]s</a></li>\n", html.EscapeString(link))
	}
	b.WriteString("</ul></main>")
	return document("Page "+title, b.String())
}
