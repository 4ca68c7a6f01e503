package testsite

import (
	"fmt"
	"html"
	"net/http"
	"strings"
)

// SitemapPaths are the pages that the sitemaps of origin "sitemaps" name between
// them. None of them is linked from its front page.
func SitemapPaths() []string {
	return []string{
		"/news/1", "/news/2", "/docs/a", "/docs/b", "/deep/1", "/deep/2", "/text/1", "/text/2",
		"/feed/1", "/atom/1", "/broken/1", "/escaped/a&b", "/dated/1",
	}
}

// sitemapsHandler serves an index (named by robots.txt) whose parts are plain,
// gzipped, nested, missing, broken, feeds and text, and which names itself.
func sitemapsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", htmlPage("Sitemaps", "<h1>Sitemaps</h1><p>Everything else is in the sitemaps.</p>"))
	mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, r *http.Request) {
		text("User-agent: *\nAllow: /\n\nSitemap: "+base(r)+"/index.xml\nsitemap: "+base(r)+"/list.txt\n")(w, r)
	})
	for path, parts := range map[string][]string{
		"/index.xml":  {"/news.xml", "/docs.xml.gz", "/nested.xml", "/feed.xml", "/atom.xml", "/missing.xml", "/broken.xml", "/dated.xml", "/index.xml"},
		"/nested.xml": {"/deep.xml"},
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { writeXML(w, sitemapIndex(base(r), parts)) })
	}
	for path, pages := range map[string][]string{
		"/news.xml":  {"/news/1", "/news/2", "/escaped/a&b"},
		"/deep.xml":  {"/deep/1", "/deep/2"},
		"/dated.xml": {"/dated/1"},
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { writeXML(w, urlSet(base(r), pages)) })
	}
	mux.HandleFunc("/docs.xml.gz", gzippedSitemap)
	mux.HandleFunc("/list.txt", func(w http.ResponseWriter, r *http.Request) {
		text("\ufeff"+base(r)+"/text/1\r\n\r\n  "+base(r)+"/text/2  \r\nnot an address\r\n")(w, r)
	})
	mux.HandleFunc("/feed.xml", func(w http.ResponseWriter, r *http.Request) {
		writeXML(w, `<rss version="2.0"><channel><title>News</title><item><title>One</title><link>`+base(r)+`/feed/1</link></item></channel></rss>`)
	})
	mux.HandleFunc("/atom.xml", func(w http.ResponseWriter, r *http.Request) {
		writeXML(w, `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title>One</title><link href="`+base(r)+`/atom/1"/></entry></feed>`)
	})
	mux.HandleFunc("/broken.xml", func(w http.ResponseWriter, r *http.Request) {
		whole := urlSet(base(r), []string{"/broken/1", "/broken/cut-off"})
		writeXML(w, whole[:strings.Index(whole, "cut-off")])
	})
	for _, path := range SitemapPaths() {
		mux.HandleFunc(path, htmlPage("Page "+path, "<h1>Page "+html.EscapeString(path)+"</h1><p>Found by a sitemap.</p>"))
	}
	return mux
}

// hugeSitemapHandler serves one sitemap with as many addresses as the protocol allows.
func hugeSitemapHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/sitemap.xml", func(w http.ResponseWriter, r *http.Request) {
		pages := make([]string, 50000)
		for i := range pages {
			pages[i] = fmt.Sprintf("/item/%d", i+1)
		}
		writeXML(w, urlSet(base(r), pages))
	})
	mux.HandleFunc("/{$}", htmlPage("Huge sitemap", "<h1>Huge sitemap</h1>"))
	mux.HandleFunc("/item/{n}", numbered(50000, func(n int) string { return linkPage(fmt.Sprintf("item %d", n), []string{"/"}) }))
	return mux
}

// base is the address the request came to; sitemaps must name whole addresses.
func base(r *http.Request) string { return "http://" + r.Host }

func writeXML(w http.ResponseWriter, content string) {
	body("application/xml", []byte("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"+content))(w, nil)
}

func sitemapIndex(base string, parts []string) string {
	var b strings.Builder
	b.WriteString("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n")
	for _, p := range parts {
		b.WriteString("<sitemap><loc>" + html.EscapeString(base+p) + "</loc></sitemap>\n")
	}
	return b.String() + "</sitemapindex>\n"
}

func urlSet(base string, pages []string) string {
	var b strings.Builder
	b.WriteString("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n")
	for _, p := range pages {
		b.WriteString("<url><loc>\n  " + html.EscapeString(base+p) + "\n</loc><lastmod>2026-03-14</lastmod><priority>0.5</priority></url>\n")
	}
	return b.String() + "</urlset>\n"
}

// gzippedSitemap is a gzip file, not a compressed answer: no Content-Encoding.
func gzippedSitemap(w http.ResponseWriter, r *http.Request) {
	content, err := compress("gzip", []byte(urlSet(base(r), []string{"/docs/a", "/docs/b"})))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	body("application/gzip", content)(w, nil)
}
