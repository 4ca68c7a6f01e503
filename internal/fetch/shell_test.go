package fetch

import (
	"strings"
	"testing"
)

func TestShellsAreToldFromPages(t *testing.T) {
	words := strings.Repeat("Plain words that a reader sees without any script at all. ", 20)
	bundle := `<script type="module" src="/assets/index-4f3a.js"></script>`
	for _, tc := range []struct {
		name, body string
		want       bool
	}{
		{"Vite template", `<!doctype html><html><head><title>App</title>` + bundle + `</head><body><div id="root"></div></body></html>`, true},
		{"Create React App with a notice", `<body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/static/js/main.js"></script></body>`, true},
		{"Vue mount with a loader", `<body><div id="app"><div class="spinner"><p>Loading…</p></div></div>` + bundle + `</body>`, true},
		{"Nuxt without server rendering", `<body><div id="__nuxt"></div><script>window.__NUXT__={}</script></body>`, true},
		{"Angular root", `<body><app-root></app-root><script src="main.js"></script></body>`, true},
		{"shell with header and footer", `<body><header><h1>Shop</h1><a href="/">Home</a></header><div id="app"></div><footer>© Shop, all rights reserved</footer>` + bundle + `</body>`, true},
		{"list filled by an inline script", `<body><h1>Quotes</h1><ul id="list"></ul><script>document.getElementById("list").innerHTML = rows()</script></body>`, true},
		{"container filled through a selector", `<body><p>News of today.</p><div id="news"></div><script>fetch("/n").then(r=>document.querySelector('#news').append(r))</script></body>`, true},
		{"script writes all of it", `<html><body><script>document.write("<p>hello</p>")</script></body></html>`, true},
		{"notice and nothing else", `<body><noscript>Please turn JavaScript on.</noscript><div class="x"></div><script src="a.js"></script></body>`, true},

		{"static page", `<body><h1>Hello</h1><p>A short page.</p></body>`, false},
		{"static page with analytics", `<body><h1>Hello</h1><p>A short page.</p><script src="/ga.js"></script></body>`, false},
		{"static page with an inline script", `<body><h1>Hello</h1><p>Short.</p><script>console.log("x")</script></body>`, false},
		{"one word without scripts", `<body>ok</body>`, false},
		{"long article with an empty mount", `<body><article><p>` + words + `</p></article><div id="root"></div>` + bundle + `</body>`, false},
		{"server-rendered app", `<body><div id="__next"><main><h1>Title</h1><p>` + words + `</p></main></div><script id="__NEXT_DATA__" type="application/json">{}</script>` + bundle + `</body>`, false},
		{"small server-rendered app", `<body><div id="root"><div class="logo"></div><h1>Hello</h1><p>There.</p></div>` + bundle + `</body>`, false},
		{"data island only", `<body><p>One fact.</p><script type="application/ld+json">{"@type":"Thing"}</script></body>`, false},
		{"frameset", `<frameset><frame src="a.html"></frameset><script src="x.js"></script>`, false},
		{"page of one frame", `<body><iframe src="/inner"></iframe><script src="x.js"></script></body>`, false},
		{"refresh to elsewhere", `<head><meta http-equiv="refresh" content="0;url=/next"><script>x()</script></head><body></body>`, false},
		{"article that speaks of noscript", `<body><p>` + words + `</p><noscript>JavaScript is off.</noscript><script src="a.js"></script></body>`, false},
		{"icon that closes itself", `<body><svg class="i"/><p>Words.</p><script src="a.js"></script></body>`, false},
		{"app with its data in an attribute", `<body><div id="app" data-page="{&quot;a&quot;:&quot;<p>` + words + `</p>&quot;}"></div>` + bundle + `</body>`, true},
		{"nothing", ``, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, why := NeedsScripts(&Page{Status: 200, Engine: EngineHTTP, ContentType: "text/html; charset=utf-8", Body: []byte(tc.body)})
			if got != tc.want {
				t.Errorf("NeedsScripts = %v (%s), want %v", got, why, tc.want)
			}
		})
	}
}

func TestOnlyHTMLOfThePlainEngineCanBeAShell(t *testing.T) {
	body := []byte(`<div id="root"></div><script src="a.js"></script>`)
	for _, page := range []*Page{
		{Engine: EngineBrowser, ContentType: "text/html", Body: body},
		{Engine: EngineHTTP, ContentType: "application/json", Body: body},
		{Engine: EngineHTTP, ContentType: "text/html", Body: body, NotModified: true},
		{Engine: EngineHTTP, ContentType: "", Body: []byte(`{"a":1}`)},
	} {
		if needed, why := NeedsScripts(page); needed {
			t.Errorf("NeedsScripts(%s %q) = true (%s)", page.Engine, page.ContentType, why)
		}
	}
}

func TestVisibleTextIsCounted(t *testing.T) {
	for _, tc := range []struct {
		name, page string
		want       int
	}{
		{"plain", "a b\tc\n", 3},
		{"letters of any script", "<p>äöü 漢字</p>", 5},
		{"tags", `<p class="x">a</p><br/>b`, 2},
		{"closing mark in a value", `<p title="a>b">c</p><p data-x='>"'>d</p>`, 2},
		{"apostrophe in a tag", `<p don't>c</p>`, 1},
		{"script and style", `<script>var a = "<p>x</p>"</script>a<STYLE>.x{}</Style >b`, 2},
		{"not for readers", `<title>t</title><noscript>n</noscript><template><p>x</p></template><svg><text>s</text></svg>a`, 1},
		{"name that only begins alike", `<scripture>a</scripture>`, 1},
		{"comment", `<!-- <p>a</p> -->b`, 1},
		{"script without end", `a<script>b`, 1},
		{"tag without end", `a<p b`, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, n := range []int{tc.want, tc.want + 1} {
				if got := hasText([]byte(tc.page), n); got != (n <= tc.want) {
					t.Errorf("hasText(%q, %d) = %v, has %d", tc.page, n, got, tc.want)
				}
			}
		})
	}
}

func FuzzNeedsScripts(f *testing.F) {
	f.Add([]byte(`<body><div id="root"></div><script src="a.js"></script>`))
	f.Add([]byte(`<noscript>JavaScript`))
	f.Fuzz(func(t *testing.T, body []byte) {
		needed, why := NeedsScripts(&Page{Engine: EngineHTTP, ContentType: "text/html", Body: body})
		if needed != (why != "") {
			t.Errorf("NeedsScripts = %v without matching reason %q", needed, why)
		}
	})
}
