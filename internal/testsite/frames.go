package testsite

import (
	"html"
	"net/http"
)

// framePages hide their text in frames and shadow trees.
func framePages(s *Site) []Page {
	outer := htmlPage("Frames", `<h1>Outer page</h1><iframe src="/frames/middle"></iframe><p>After the frame.</p>`)
	middle := htmlPage("Middle", `<p>Text of the middle frame.</p><iframe src="/frames/inner"></iframe>`)
	inner := htmlPage("Inner", `<p>Text of the inner frame. <a href="/frames/from-inside">Link inside</a></p>`)
	srcdoc := htmlPage("Srcdoc", `<h1>Outer page</h1>
<iframe srcdoc="&lt;p&gt;Text of the inline frame. &lt;a href='/frames/inline-link'&gt;Link&lt;/a&gt;&lt;/p&gt;"></iframe>`)
	return []Page{
		{Path: "/frames/same-origin", About: "frame of the same origin, with a frame in it", serve: outer},
		{Path: "/frames/middle", About: "the frame in between", serve: middle},
		{Path: "/frames/inner", About: "the innermost frame", serve: inner},
		{Path: "/frames/srcdoc", About: "frame whose document is an attribute", serve: srcdoc},
		{Path: "/frames/cross-origin", About: "frame of another origin", serve: func(w http.ResponseWriter, _ *http.Request) {
			writeHTML(w, document("Cross origin", `<h1>Outer page</h1><iframe src="`+html.EscapeString(s.Origin("other"))+`/welcome"></iframe>`))
		}},
		{Path: "/frames/itself", About: "frame that shows its own page", serve: htmlPage("Itself", `<h1>Mirror</h1><iframe src="/frames/itself"></iframe>`)},
		{Path: "/frames/shadow", About: "open, closed and declarative shadow trees with slots", serve: file("shadow.html")},
	}
}
