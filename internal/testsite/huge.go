package testsite

import (
	"fmt"
	"net/http"
	"strings"
)

// hugePages are valid and too much.
func hugePages() []Page {
	return []Page{
		{Path: "/huge/deep?levels=10000", About: "divs nested that deep around one sentence", serve: deep},
		{Path: "/huge/deep-inline?levels=10000", About: "unclosed bold tags, that many", serve: deepInline},
		{Path: "/huge/nodes?count=1000000", About: "that many elements", serve: nodes},
		{Path: "/huge/bytes?mib=20", About: "HTML of that size", serve: bigText},
		{Path: "/huge/line?mib=5", About: "one text node of that size without a space", serve: bigLine},
		{Path: "/huge/attributes?count=50000", About: "one element with that many attributes", serve: attributes},
		{Path: "/huge/links?count=20000", About: "that many links", serve: manyLinks},
	}
}

func deep(w http.ResponseWriter, r *http.Request) {
	n := number(r, "levels", 10000)
	writeHTML(w, document("Deep", strings.Repeat("<div>", n)+"<p>The bottom of the well.</p>"+strings.Repeat("</div>", n)))
}

func deepInline(w http.ResponseWriter, r *http.Request) {
	writeHTML(w, document("Deep inline", "<p>"+strings.Repeat("<b>", number(r, "levels", 10000))+"Bold beyond reason.</p>"))
}

func nodes(w http.ResponseWriter, r *http.Request) {
	writeHTML(w, "<!DOCTYPE html><title>Nodes</title><h1>Nodes</h1>")
	for n := number(r, "count", 1000000); n > 0; n -= 1000 {
		if _, err := w.Write([]byte(strings.Repeat("<i>x</i>", min(n, 1000)))); err != nil {
			return
		}
	}
}

func bigText(w http.ResponseWriter, r *http.Request) {
	writeHTML(w, "<!DOCTYPE html><title>Big</title><main><h1>Big</h1>")
	const paragraph = "<p>The tide came in and the clock was late, and so it went on until the page was as long as it had been asked to be.</p>\n"
	chunk := []byte(strings.Repeat(paragraph, 1<<20/len(paragraph)+1))
	for range number(r, "mib", 20) {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

func bigLine(w http.ResponseWriter, r *http.Request) {
	writeHTML(w, "<!DOCTYPE html><title>Line</title><p>"+strings.Repeat("x", number(r, "mib", 5)<<20)+"</p>")
}

func attributes(w http.ResponseWriter, r *http.Request) {
	var b strings.Builder
	for i := range number(r, "count", 50000) {
		fmt.Fprintf(&b, " a%d=%d", i, i)
	}
	writeHTML(w, document("Attributes", "<p"+b.String()+">One paragraph.</p>"))
}

func manyLinks(w http.ResponseWriter, r *http.Request) {
	var b strings.Builder
	for i := range number(r, "count", 20000) {
		fmt.Fprintf(&b, "<a href=\"/huge/target/%d\">%d</a>\n", i, i)
	}
	writeHTML(w, document("Links", b.String()))
}
