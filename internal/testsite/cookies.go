package testsite

import (
	"encoding/json"
	"net/http"
	"sort"
)

// cookiePages show what a client sent and kept.
func cookiePages() []Page {
	return []Page{
		{Path: "/cookies/set", About: "sets two cookies and redirects twice to a page that needs them", serve: setCookies},
		{Path: "/cookies/step", About: "in between: sets a third cookie", serve: func(w http.ResponseWriter, r *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: "step", Value: "three", Path: "/"})
			http.Redirect(w, r, "/cookies/show", http.StatusFound)
		}},
		{Path: "/cookies/show", About: "lists the cookies that came, as a page", serve: showCookies},
		{Path: "/cookies/wall", About: "redirects to itself until its cookie comes back", serve: cookieWall},
		{Path: "/echo", About: "the request as JSON: method, address, headers", serve: echo},
		{Path: "/echo/page", About: "the same inside a page, for browsers", serve: echoPage},
	}
}

func setCookies(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "first", Value: "one", Path: "/"})
	http.SetCookie(w, &http.Cookie{Name: "second", Value: "two", Path: "/cookies", HttpOnly: true})
	http.Redirect(w, r, "/cookies/step", http.StatusFound)
}

func showCookies(w http.ResponseWriter, r *http.Request) {
	list := "<h1>Cookies</h1><ul>"
	cookies := r.Cookies()
	sort.Slice(cookies, func(i, j int) bool { return cookies[i].Name < cookies[j].Name })
	for _, c := range cookies {
		list += "<li>" + c.Name + "=" + c.Value + "</li>"
	}
	writeHTML(w, document("Cookies", list+"</ul>"))
}

func cookieWall(w http.ResponseWriter, r *http.Request) {
	if _, err := r.Cookie("wall"); err != nil {
		http.SetCookie(w, &http.Cookie{Name: "wall", Value: "passed", Path: "/cookies/wall"})
		http.Redirect(w, r, "/cookies/wall", http.StatusFound)
		return
	}
	writeHTML(w, document("Behind the wall", "<h1>Behind the wall</h1><p>The cookie came back.</p>"))
}

// request is what echo tells about a request.
func request(r *http.Request) map[string]any {
	return map[string]any{"method": r.Method, "uri": r.URL.RequestURI(), "host": r.Host, "proto": r.Proto, "headers": r.Header}
}

func echo(w http.ResponseWriter, r *http.Request) { writeJSON(w, request(r)) }

func echoPage(w http.ResponseWriter, r *http.Request) {
	shown, err := json.MarshalIndent(request(r), "", "  ") // escapes <, > and & by itself
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	writeHTML(w, document("Echo", "<h1>Echo</h1><pre>"+string(shown)+"</pre>"))
}
