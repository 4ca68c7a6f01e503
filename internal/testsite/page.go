package testsite

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"log"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Page is one page of the main origin.
type Page struct {
	Path  string `json:"path"`  // ready to be asked for; parameters carry an example value
	About string `json:"about"` // one line

	pattern string // what the mux matches; empty: Path without its query
	serve   http.HandlerFunc
}

// mainPages is the table of contents; each theme has a file of its own.
func (s *Site) mainPages() []Page {
	return slices.Concat(
		readingPages(), kindPages(), charsetPages(), encodingPages(), statusPages(s.flaky), redirectPages(),
		cookiePages(), cachingPages(), s.boardPages(), slowPages(), faultPages(), lyingPages(), hugePages(),
		scriptPages(), framePages(s), browsingPages(), actionPages(), challengePages(), reachingPages(),
	)
}

// mainHandler serves the pages, the index and the control addresses.
func (s *Site) mainHandler() http.Handler {
	mux := http.NewServeMux()
	for _, p := range s.pages {
		path, _, _ := strings.Cut(p.Path, "?")
		mux.HandleFunc(cmp.Or(p.pattern, path), p.serve)
	}
	mux.HandleFunc("GET /{$}", s.index)
	mux.HandleFunc("GET /robots.txt", text("User-agent: *\nAllow: /\n"))
	s.control(mux)
	return mux
}

// index lists every page, so that a person with a browser finds them too.
func (s *Site) index(w http.ResponseWriter, _ *http.Request) {
	var b strings.Builder
	b.WriteString("<h1>Test site</h1>\n<h2>Pages</h2>\n<ul>\n")
	for _, p := range s.pages {
		fmt.Fprintf(&b, "<li><a href=\"%s\">%[1]s</a>: %s</li>\n", html.EscapeString(p.Path), html.EscapeString(p.About))
	}
	b.WriteString("</ul>\n<h2>Origins</h2>\n<ul>\n")
	for _, o := range s.origins {
		fmt.Fprintf(&b, "<li><a href=\"%s/\">%s</a>: %s</li>\n", html.EscapeString(o.URL), o.Name, html.EscapeString(o.About))
	}
	b.WriteString("</ul>\n")
	writeHTML(w, document("Test site", b.String()))
}

// document wraps a body in the least a browser wants.
func document(title, body string) string {
	return "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>" + html.EscapeString(title) +
		"</title></head>\n<body>\n" + body + "\n</body>\n</html>\n"
}

func writeHTML(w http.ResponseWriter, page string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, page) // a reader that left early is part of the game
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // a reader that left early is part of the game
}

// htmlPage, text and body make handlers of fixed answers.
func htmlPage(title, content string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { writeHTML(w, document(title, content)) }
}

func text(content string) http.HandlerFunc { return body("text/plain; charset=utf-8", []byte(content)) }

func body(contentType string, content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(content) // a reader that left early is part of the game
	}
}

// number reads a query parameter that is a count; anything else gives the default.
func number(r *http.Request, name string, byDefault int) int {
	n, err := strconv.Atoi(r.FormValue(name))
	if err != nil || n < 0 {
		return byDefault
	}
	return n
}

func silentLog() *log.Logger { return log.New(io.Discard, "", 0) }
