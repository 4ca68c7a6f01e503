// Package pages makes web pages of the size and shape that scraping meets every
// day: 60 to 100 KB, of which the text is the smaller part and styles, scripts,
// menus and attributes the larger. Equal seeds give equal pages.
package pages

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
)

// Make gives n different pages: articles, manuals, listings and threads in turn.
func Make(n int) []string {
	kinds := []func(*writer){article, manual, listing, thread}
	made := make([]string, n)
	for i := range made {
		w := &writer{rand: rand.New(rand.NewPCG(uint64(i), 7))}
		w.page(kinds[i%len(kinds)])
		made[i] = w.String()
	}
	return made
}

// Serve serves pages at /0, /1 and so on from a port of its own, until the
// server is closed.
func Serve(made []string) *httptest.Server {
	mux := http.NewServeMux()
	for i, page := range made {
		mux.HandleFunc(fmt.Sprintf("GET /%d", i), func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(page)) // an error means that the caller is gone
		})
	}
	return httptest.NewServer(mux)
}

// writer is a page on its way.
type writer struct {
	strings.Builder
	rand *rand.Rand
}

func (w *writer) f(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// page writes a whole page around its content.
func (w *writer) page(content func(*writer)) {
	title := w.phrase(6)
	w.f("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s | The Daily Example</title>\n", title)
	w.head(title)
	w.f("</head>\n<body class=\"layout-wide theme-light page-type-standard\" data-build=\"%d\">\n", w.rand.IntN(1e6))
	w.menu(24)
	w.f("<div id=\"wrap\" class=\"container container--xl\"><main id=\"content\" class=\"main main--with-rail\" role=\"main\">\n<h1 class=\"headline headline--xl\">%s</h1>\n", title)
	content(w)
	w.f("</main>\n")
	w.rail()
	w.f("</div>\n")
	w.footer()
	w.scripts()
	w.f("</body></html>\n")
}

// words are common ones, so that the text has the statistics of prose.
var words = strings.Fields(`the of and to a in that is was for on with as by it from at this be which or are an were not have
	has but had they one you their all more when there can would about who what up out other some into time could than only
	new over also after first two may these any most now then people such how well where way even made many must before
	through back years much work between each under last own while world state still never against found three might found
	river market letter engine garden season table winter report bridge harbour village measure history council paper music
	light water house road school number question answer method result service morning evening window company government`)

func (w *writer) word() string { return words[w.rand.IntN(len(words))] }

func (w *writer) phrase(n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = w.word()
	}
	text := strings.Join(parts, " ")
	return strings.ToUpper(text[:1]) + text[1:]
}

// prose gives sentences with an occasional link and emphasis.
func (w *writer) prose(sentences int) string {
	var b strings.Builder
	for range sentences {
		b.WriteString(w.phrase(8 + w.rand.IntN(12)))
		switch w.rand.IntN(6) {
		case 0:
			fmt.Fprintf(&b, `, says <a class="link link--inline" href="/topics/%s?ref=inline&amp;pos=%d">%s</a>`, w.word(), w.rand.IntN(99), w.phrase(2))
		case 1:
			fmt.Fprintf(&b, " <em>%s</em>", w.phrase(2))
		}
		b.WriteString(". ")
	}
	return b.String()
}
