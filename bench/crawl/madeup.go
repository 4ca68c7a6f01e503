package crawlbench

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// The made-up site is the documentation of a library that does not exist: every
// page has navigation, prose, code and a table, and links to its neighbours, as
// generated documentation does.

// branching is how many children a page has: a site of any size is a few links deep.
const branching = 12

func servePage(w http.ResponseWriter, r *http.Request) {
	n := 0
	if r.URL.Path != "/" {
		var err error
		if n, err = strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/page/"), ".html")); err != nil || n < 1 {
			http.NotFound(w, r)
			return
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(page(n))) // the crawler may have left
}

// page writes one page; its length varies with its number.
func page(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html><html lang=en><head><title>Class Widget%d</title><meta name=description content=\"What Widget%[1]d does.\"></head><body>", n)
	b.WriteString("<header><nav><ul>")
	for i := range 40 {
		fmt.Fprintf(&b, "<li><a href=\"/page/%d.html\">Package %[1]d</a></li>", i+1)
	}
	fmt.Fprintf(&b, "</ul></nav></header><main><h1>Class Widget%d</h1>", n)
	for i := range 6 + n%9 {
		method(&b, n, i)
	}
	b.WriteString("<h2>See also</h2><ul>")
	for i := range branching {
		fmt.Fprintf(&b, "<li><a href=\"/page/%d.html\">Widget%[1]d</a></li>", n*branching+i+1)
	}
	fmt.Fprintf(&b, "</ul></main><footer><a href=\"/page/%d.html\">Up</a> <a href=\"/\">Home</a></footer></body></html>", max(1, (n-1)/branching))
	return b.String()
}

func method(b *strings.Builder, n, i int) {
	fmt.Fprintf(b, "<section id=m%d><h3>method%[1]d</h3><pre><code>public int method%[1]d(Widget%d other, int depth)</code></pre>", i, n)
	fmt.Fprintf(b, "<p>Compares this widget with <a href=\"/page/%d.html\">another</a> down to the given depth. ", n+i+1)
	b.WriteString("The comparison is <em>stable</em>: two widgets that are equal stay in the order in which they were made, ")
	b.WriteString("and a widget that has been disposed of comes last. See the notes on <code>equals</code> for the price of a deep comparison.</p>")
	b.WriteString("<table><tr><th>Parameter</th><th>Meaning</th></tr><tr><td>other</td><td>the widget to compare with</td></tr><tr><td>depth</td><td>how far to look</td></tr></table></section>")
}
