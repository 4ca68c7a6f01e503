package testsite

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// realTrapPages is how many pages of origin "traps" are worth having.
const realTrapPages = 10

// TrapPaths are the paths of origin "traps" that a crawl should bring back; all
// else there is made up as it is asked for, without end.
func TrapPaths() []string {
	paths := []string{"/"}
	for i := range realTrapPages {
		paths = append(paths, fmt.Sprintf("/real/%d", i+1))
	}
	return paths
}

func trapsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		links := append(TrapPaths()[1:], "/calendar?month=2026-03", "/session", "/grow/", "/facets", "/print/1")
		writeHTML(w, linkPage("traps", links))
	})
	mux.HandleFunc("/real/{n}", realPage)
	mux.HandleFunc("/calendar", calendar)
	mux.HandleFunc("/session", session)
	mux.HandleFunc("/session/{page}", session)
	mux.HandleFunc("/grow/", func(w http.ResponseWriter, r *http.Request) {
		writeHTML(w, linkPage(r.URL.Path, []string{"more/", "a/b/"}))
	})
	mux.HandleFunc("/facets", facets)
	mux.HandleFunc("/print/{n}", func(w http.ResponseWriter, r *http.Request) {
		writeHTML(w, linkPage("print "+r.PathValue("n"), []string{r.URL.Path + "?print=1", r.URL.Path + "?print=1&print=1"}))
	})
	return mux
}

func realPage(w http.ResponseWriter, r *http.Request) {
	var n int
	if _, err := fmt.Sscan(r.PathValue("n"), &n); err != nil || n < 1 || n > realTrapPages {
		refuse(w, r, http.StatusNotFound)
		return
	}
	writeHTML(w, linkPage(fmt.Sprintf("real %d", n), []string{"/", fmt.Sprintf("/real/%d", n%realTrapPages+1)}))
}

// calendar links to the months around the one asked for, for ever both ways.
func calendar(w http.ResponseWriter, r *http.Request) {
	month, err := time.Parse("2006-01", r.FormValue("month"))
	if err != nil {
		month = time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)
	}
	links := []string{"/"}
	for _, step := range []int{-1, 1, 12} {
		links = append(links, "/calendar?month="+month.AddDate(0, step, 0).Format("2006-01"))
	}
	writeHTML(w, linkPage("calendar "+month.Format("2006-01"), links))
}

// session links to the same three pages under a new session id every time.
func session(w http.ResponseWriter, r *http.Request) {
	id := strings.ToLower(rand.Text())
	writeHTML(w, linkPage("session", []string{"/session/a?sid=" + id, "/session/b;jsessionid=" + id, "/session/c?PHPSESSID=" + id}))
}

// facets adds one more filter to whatever is already set.
func facets(w http.ResponseWriter, r *http.Request) {
	links := []string{"/"}
	for _, facet := range []string{"colour=red", "colour=blue", "size=small", "size=large", "sort=price", "sort=name", "stock=yes"} {
		query := facet
		if r.URL.RawQuery != "" {
			query = r.URL.RawQuery + "&" + facet
		}
		links = append(links, "/facets?"+query)
	}
	writeHTML(w, linkPage("facets", links))
}
