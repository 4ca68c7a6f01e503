package testsite

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// slowPages take their time, or never come to an end.
func slowPages() []Page {
	return []Page{
		{Path: "/slow/drip", About: "one byte per second; ms=… changes the pace", serve: drip},
		{Path: "/slow/headers?ms=2000", About: "nothing at all for ms milliseconds, then a page", serve: slowHeaders},
		{Path: "/slow/never", About: "takes the request and stays silent", serve: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		{Path: "/slow/stall", About: "half a page at once, the rest never", serve: stall},
		{Path: "/endless/html", About: "paragraphs for ever, as fast as they are read", serve: endless},
		{Path: "/endless/one-tag", About: "a single tag whose attributes never end", serve: endlessTag},
	}
}

// pause waits, and says whether anyone is still there to wait for.
func pause(r *http.Request, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

func drip(w http.ResponseWriter, r *http.Request) {
	pace := time.Duration(number(r, "ms", 1000)) * time.Millisecond
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	page := document("Drip", "<h1>Drip</h1><p>"+strings.Repeat("One byte at a time. ", 50)+"</p>")
	for i := range len(page) {
		if _, err := io.WriteString(w, page[i:i+1]); err != nil {
			return
		}
		flush(w)
		if !pause(r, pace) {
			return
		}
	}
}

func slowHeaders(w http.ResponseWriter, r *http.Request) {
	if pause(r, time.Duration(number(r, "ms", 2000))*time.Millisecond) {
		writeHTML(w, document("Late", "<h1>Late</h1><p>Worth the wait.</p>"))
	}
}

func stall(w http.ResponseWriter, r *http.Request) {
	writeHTML(w, "<!DOCTYPE html><html><head><title>Stalled</title></head><body><h1>Stalled</h1><p>The first half.")
	flush(w)
	<-r.Context().Done()
}

func endless(w http.ResponseWriter, r *http.Request) {
	writeHTML(w, "<!DOCTYPE html><title>Endless</title><h1>Endless</h1>")
	repeat(w, r, strings.Repeat("<p>And then there was another paragraph.</p>\n", 500))
}

func endlessTag(w http.ResponseWriter, r *http.Request) {
	writeHTML(w, "<!DOCTYPE html><title>Endless tag</title><p ")
	repeat(w, r, strings.Repeat("data-more=\"and more\" ", 1000))
}

// repeat writes a chunk until the reader leaves.
func repeat(w http.ResponseWriter, r *http.Request, chunk string) {
	for r.Context().Err() == nil {
		if _, err := io.WriteString(w, chunk); err != nil {
			return
		}
	}
}

func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() } // fails only for a reader who left
