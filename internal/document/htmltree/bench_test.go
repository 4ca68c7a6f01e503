package htmltree

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// article is a page with what real ones have in about the shares they have it:
// long heads, deep wrappers, menus, prose with links and entities, a table, a
// drawing and scripts.
func article() []byte {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Tides &amp; moons</title>\n")
	for i := range 40 {
		fmt.Fprintf(&b, "<link rel=\"preload\" href=\"/assets/chunk-%d.js\" as=\"script\" crossorigin>\n", i)
	}
	b.WriteString("<style>" + strings.Repeat(".card > .body{margin:0 auto;padding:4px}\n", 100) + "</style>\n</head>\n<body class=\"page\">\n")
	for i := range 60 {
		fmt.Fprintf(&b, "<li class=\"menu-item menu-item-%d\"><a class=\"menu-link\" href=\"/topic/%d?a=1&amp;b=2\"><span>Topic %d</span></a></li>\n", i, i, i)
	}
	for i := range 120 {
		fmt.Fprintf(&b, `<div class="wrap"><div class="row"><div class="col-8" id="s%d" data-track='{"n":%d}'>`, i, i)
		b.WriteString("<h2>On the height of water</h2>\n<p>The tide rises <em>twice</em> a day, " +
			"and &mdash; as <a href=\"https://example.org/moon\" title=\"Moon\" rel=\"nofollow\">the moon</a> &mdash; it returns. " +
			strings.Repeat("Nobody who lives by the sea needs to be told so. ", 6) + "</p>\n" +
			"<p><img src=\"/i/tide.jpg\" alt=\"A harbour\" width=640 height=480 loading=\"lazy\"><br>\n</div></div></div>\n")
	}
	b.WriteString("<table>\n")
	for i := range 80 {
		fmt.Fprintf(&b, "<tr><td>%d</td><td class=\"num\">%d.5&nbsp;m</td><td>high</td></tr>\n", i, i)
	}
	b.WriteString("</table>\n<svg viewBox=\"0 0 9 9\"><path d=\"M0 0h9v9H0z\"/><g><circle r=\"1\"/></g></svg>\n<script>" +
		strings.Repeat("window.dataLayer=window.dataLayer||[];if(a<b){c('</p>')}\n", 300) + "</script>\n</body>\n</html>\n")
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	page := article()
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(page); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNetParse is what BenchmarkParse is to be compared with.
func BenchmarkNetParse(b *testing.B) {
	page := article()
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := html.Parse(bytes.NewReader(page)); err != nil {
			b.Fatal(err)
		}
	}
}

func TestAnOrdinaryPageTakesFewAllocations(t *testing.T) {
	page := article()
	agree(t, string(page))
	ours := testing.AllocsPerRun(5, func() { _, _ = Parse(page) })
	theirs := testing.AllocsPerRun(5, func() { _, _ = html.Parse(bytes.NewReader(page)) })
	if ours > 60 || ours > theirs/50 {
		t.Errorf("%v allocations, the oracle takes %v", ours, theirs)
	}
}
