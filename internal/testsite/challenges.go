package testsite

import "net/http"

// challengePages are what a blocked visitor gets instead of the page. They are
// written in the manner of the common protections, without any of their code.
func challengePages() []Page {
	return []Page{
		{Path: "/challenge/interstitial", About: "403 \"checking your browser\" page with a challenge script", serve: challenge(http.StatusForbidden, file("challenge.html"))},
		{Path: "/challenge/captcha", About: "200 with a captcha and nothing else", serve: file("captcha.html")},
		{Path: "/challenge/denied", About: "403 \"access denied\" with a reference number", serve: challenge(http.StatusForbidden, file("denied.html"))},
		{Path: "/challenge/rate", About: "429 asking to slow down", serve: challenge(http.StatusTooManyRequests, file("denied.html"))},
		{Path: "/challenge/form-with-captcha", About: "an ordinary page whose contact form has a captcha: no block", serve: file("form-with-captcha.html")},
		{Path: "/challenge/about-captchas", About: "an article about captchas: no block", serve: file("about-captchas.html")},
	}
}

func challenge(code int, page http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(code)
		page(w, r)
	}
}
