package testsite

import (
	"fmt"
	"net/http"
)

// lyingPages say one thing in their headers and are another.
func lyingPages() []Page {
	honest := []byte(document("Honest inside", "<h1>Honest inside</h1><p>The content is HTML, whatever the header says.</p>"))
	return []Page{
		{Path: "/lie/length-long", About: "Content-Length promises more than comes", serve: length(len(honest)+1000, honest)},
		{Path: "/lie/length-short", About: "Content-Length promises less than comes", serve: length(len(honest)/2, honest)},
		{Path: "/lie/length-huge", About: "Content-Length of a terabyte", serve: length(1<<40, honest)},
		{Path: "/lie/html-as-text", About: "HTML called text/plain", serve: body("text/plain", honest)},
		{Path: "/lie/html-as-binary", About: "HTML called application/octet-stream", serve: body("application/octet-stream", honest)},
		{Path: "/lie/html-as-png", About: "HTML called image/png", serve: body("image/png", honest)},
		{Path: "/lie/html-as-nothing", About: "HTML without a content type", serve: untyped(honest)},
		{Path: "/lie/html-as-nonsense", About: "HTML under a content type that does not parse", serve: body("text;/html;;=", honest)},
		{Path: "/lie/json-as-html", About: "JSON called text/html", serve: body("text/html", []byte(`{"tide":"high"}`))},
		{Path: "/lie/pdf-as-html", About: "a PDF's first bytes called text/html", serve: body("text/html", []byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n"))},
		{Path: "/lie/zip-as-html", About: "a zip archive called text/html", serve: body("text/html", append([]byte("PK\x05\x06"), make([]byte, 18)...))},
		{Path: "/lie/not-found-as-ok", About: "a 200 that says 404", serve: htmlPage("404 Not Found", "<h1>404</h1><p>The page you are looking for does not exist.</p>")},
	}
}

// length sends a page under a length that is not its own.
func length(n int, content []byte) http.HandlerFunc {
	return wire(false, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", n, content))
}

// untyped sends no Content-Type at all; a nil value keeps net/http from guessing one.
func untyped(content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil
		_, _ = w.Write(content) // a reader that left early is part of the game
	}
}
