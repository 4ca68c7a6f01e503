package testsite

import (
	"embed"
	"fmt"
	"net/http"
	"strings"
)

// static holds the pages that are plain files: what is awkward about them can be
// read in the file itself.
//
//go:embed pages
var static embed.FS

// file serves one of them.
func file(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		content, err := static.ReadFile("pages/" + name)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		writeHTML(w, string(content))
	}
}

// readingPages are the kinds of page people want the text of. Each has a header,
// navigation, sidebar and footer around its content, as such pages do; the words
// "Boilerplate marker" stand only in those.
func readingPages() []Page {
	return []Page{
		{Path: "/read/article", About: "article with figure, quote, list and footnote", serve: file("article.html")},
		{Path: "/read/short", About: "article of two sentences: too little for most extractors", serve: file("short.html")},
		{Path: "/read/docs", About: "documentation with code blocks, tabs and a definition list", serve: file("docs.html")},
		{Path: "/read/product", About: "product with JSON-LD, microdata and OpenGraph", serve: file("product.html")},
		{Path: "/read/listing", About: "listing of cards that link onward", serve: file("listing.html")},
		{Path: "/read/forum", About: "forum thread: several authors, signatures, quotes", serve: file("forum.html")},
		{Path: "/read/service", About: "landing page of a service: short blocks, no article", serve: file("service.html")},
		{Path: "/read/meta", About: "every group of metadata in the head", serve: file("meta.html")},
		{Path: "/read/links", About: "links of every spelling under a base element", serve: file("links.html")},
		{Path: "/read/images", About: "srcset, picture, lazy loading and base64 images", serve: file("images.html")},
		{Path: "/read/table?rows=2000", About: "table with spans; rows says how long", serve: table},
		{Path: "/read/empty", About: "200 with no body at all", serve: func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/html") }},
	}
}

// table writes a reference table: a spanning header, spanning cells, line breaks
// and pipes in cells.
func table(w http.ResponseWriter, r *http.Request) {
	rows := number(r, "rows", 2000)
	var b strings.Builder
	b.WriteString("<h1>Alloys</h1>\n<table><caption>Melting points</caption>\n<thead><tr><th rowspan=\"2\">Alloy</th>" +
		"<th colspan=\"2\">Range in °C</th><th rowspan=\"2\">Use</th></tr><tr><th>from</th><th>to</th></tr></thead>\n<tbody>\n")
	for i := range rows {
		fmt.Fprintf(&b, "<tr><td>Alloy %d</td><td>%d</td><td>%d</td><td>joints | seams<br>grade %d</td></tr>\n", i+1, 200+i%700, 260+i%700, i%9)
	}
	b.WriteString("</tbody></table>\n")
	writeHTML(w, document("Alloys", b.String()))
}
