package testsite

import (
	"html"
	"net/http"
)

// actionPages wait to be clicked, typed into and scrolled.
func actionPages() []Page {
	return []Page{
		{Path: "/act/buttons", About: "buttons that reveal text: #one, every .many, one behind an overlay", serve: file("buttons.html")},
		{Path: "/act/form", About: "field #name and a form that submits on Enter", serve: file("form.html")},
		{Path: "/act/greeting?name=you", About: "where the form leads", serve: greeting},
		{Path: "/act/login", About: "login form; keeper and lantern are let in", serve: login},
		{Path: "/act/account", About: "behind the login", serve: account},
		{Path: "/act/late?ms=800", About: "#late becomes visible after ms milliseconds", serve: file("late.html")},
		{Path: "/act/scroll", About: "a box that loads more when it is scrolled to its end", serve: file("scroll.html")},
		{Path: "/act/infinite", About: "items appear for ever as the page is scrolled", serve: file("infinite.html")},
		{Path: "/act/keys", About: "writes down every key that is pressed", serve: file("keys.html")},
		{Path: "/act/vanishing", About: "a button that removes itself when it is approached", serve: file("vanishing.html")},
	}
}

func greeting(w http.ResponseWriter, r *http.Request) {
	writeHTML(w, document("Greeting", "<h1>Hello, "+html.EscapeString(r.FormValue("name"))+"</h1>"))
}

func login(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost && r.FormValue("user") == "keeper" && r.FormValue("password") == "lantern" {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "keeper", Path: "/act", HttpOnly: true})
		http.Redirect(w, r, "/act/account", http.StatusSeeOther)
		return
	}
	notice := ""
	if r.Method == http.MethodPost {
		notice = "<p class=\"error\">Unknown name or password.</p>"
	}
	writeHTML(w, document("Log in", "<h1>Log in</h1>"+notice+`<form method="post" action="/act/login">
<label>Name <input id="user" name="user"></label>
<label>Password <input id="password" name="password" type="password"></label>
<button id="enter" type="submit">Enter</button></form>`))
}

func account(w http.ResponseWriter, r *http.Request) {
	c, err := r.Cookie("session")
	if err != nil || c.Value != "keeper" {
		http.Redirect(w, r, "/act/login", http.StatusFound)
		return
	}
	writeHTML(w, document("Account", "<h1>Account of the keeper</h1><p>Nobody else sees this.</p>"))
}
