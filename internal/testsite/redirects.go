package testsite

import (
	"fmt"
	"html"
	"net/http"
	"strconv"
)

// redirectPages lead elsewhere: far, in circles, inside, or nowhere.
func redirectPages() []Page {
	return []Page{
		{Path: "/redirect/chain/3", About: "that many hops (also 100), then a page; to=… replaces the page, status=… the 302", pattern: "/redirect/chain/{hops}", serve: chain},
		{Path: "/redirect/end", About: "where a chain ends", serve: htmlPage("End of the chain", "<h1>End of the chain</h1><p>You have arrived.</p>")},
		{Path: "/redirect/loop", About: "redirects to itself", serve: to("/redirect/loop")},
		{Path: "/redirect/ping", About: "redirects to /redirect/pong, which redirects back", serve: to("/redirect/pong")},
		{Path: "/redirect/pong", About: "redirects to /redirect/ping", serve: to("/redirect/ping")},
		{Path: "/redirect/to?url=/redirect/end", About: "redirects to any address given, also an inside one", serve: anywhere},
		{Path: "/redirect/relative", About: "relative Location", serve: to("end")},
		{Path: "/redirect/empty", About: "302 without a Location", serve: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusFound) }},
		{Path: "/redirect/broken", About: "Location that does not parse", serve: to("http://[broken")},
		{Path: "/redirect/file", About: "Location with the file scheme", serve: to("file:///etc/hostname")},
		{Path: "/redirect/meta?url=/redirect/end", About: "redirects by a meta refresh", serve: metaRefresh},
		{Path: "/redirect/script?url=/redirect/end", About: "redirects by a script", serve: scriptRedirect},
	}
}

// to redirects without net/http's help, which would tidy the address up.
func to(location string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", location)
		w.WriteHeader(http.StatusFound)
	}
}

func anywhere(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Location", r.FormValue("url"))
	w.WriteHeader(number(r, "status", http.StatusFound))
}

func chain(w http.ResponseWriter, r *http.Request) {
	hops, err := strconv.Atoi(r.PathValue("hops"))
	if err != nil {
		http.Error(w, "hops must be a number", http.StatusBadRequest)
		return
	}
	next := fmt.Sprintf("/redirect/chain/%d?%s", hops-1, r.URL.RawQuery)
	if hops <= 1 {
		next = "/redirect/end"
		if end := r.FormValue("to"); end != "" {
			next = end
		}
	}
	w.Header().Set("Location", next)
	w.WriteHeader(number(r, "status", http.StatusFound))
}

func metaRefresh(w http.ResponseWriter, r *http.Request) {
	writeHTML(w, `<!DOCTYPE html><title>Moved</title><meta http-equiv="refresh" content="0; url=`+html.EscapeString(r.FormValue("url"))+`"><p>Moved.</p>`)
}

func scriptRedirect(w http.ResponseWriter, r *http.Request) {
	writeHTML(w, document("Moved", "<p>Moved.</p><script>location.replace("+strconv.Quote(r.FormValue("url"))+")</script>"))
}
