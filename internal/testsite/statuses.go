package testsite

import (
	"fmt"
	"net/http"
	"strconv"
)

// statusPages answer with a status of choice, or fail a few times first.
func statusPages(attempts *counter) []Page {
	return []Page{
		{Path: "/status/404", About: "404, 410, 429, 500, 503 or any status by number; retry_after=5 adds the header", pattern: "/status/{code}", serve: status},
		{Path: "/flaky?fails=2&key=a", About: "503 for the first fails requests of each key, then a page; status= and retry_after= choose the refusal", serve: flaky(attempts)},
	}
}

func status(w http.ResponseWriter, r *http.Request) {
	code, err := strconv.Atoi(r.PathValue("code"))
	if err != nil || code < 200 || code > 599 {
		http.Error(w, "status must be a number from 200 to 599", http.StatusBadRequest)
		return
	}
	refuse(w, r, code)
}

// refuse answers with a status and a page that names it.
func refuse(w http.ResponseWriter, r *http.Request, code int) {
	if after := r.FormValue("retry_after"); after != "" {
		w.Header().Set("Retry-After", after)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	if code == http.StatusNoContent || code == http.StatusNotModified {
		return
	}
	title := fmt.Sprintf("%d %s", code, http.StatusText(code))
	_, _ = w.Write([]byte(document(title, "<h1>"+title+"</h1>")))
}

func flaky(attempts *counter) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if n := attempts.add(r.FormValue("key")); n <= number(r, "fails", 2) {
			refuse(w, r, number(r, "status", http.StatusServiceUnavailable))
			return
		}
		writeHTML(w, document("Recovered", "<h1>Recovered</h1><p>The page is back.</p>"))
	}
}
