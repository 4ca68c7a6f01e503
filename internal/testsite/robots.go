package testsite

import (
	"net/http"
	"strings"
)

// robotsOrigins are origins that differ in their robots.txt only. Each has the
// pages /open and /closed, linked from its front page.
func robotsOrigins() []*origin {
	huge := "User-agent: *\nDisallow: /closed\n" + strings.Repeat("# filler filler filler filler\n", 20000) + "Disallow: /open\n"
	return []*origin{
		robots("robots-none", "no robots.txt: 404", func(w http.ResponseWriter, r *http.Request) { refuse(w, r, http.StatusNotFound) }),
		robots("robots-closed", "everything disallowed for everyone", text("User-agent: *\nDisallow: /\n")),
		robots("robots-path", "/closed disallowed for everyone", text("User-agent: *\nDisallow: /closed\n")),
		robots("robots-own-group", "a group for trawl that wins over the one for everyone", text("User-agent: *\nDisallow: /\n\nUser-agent: trawl\nDisallow: /closed\n")),
		robots("robots-peer-group", "a group for FirecrawlAgent and one for everyone", text("User-agent: *\nDisallow: /\n\nUser-agent: FirecrawlAgent\nDisallow: /closed\n")),
		robots("robots-delay", "Crawl-delay of 10 seconds", text("User-agent: *\nCrawl-delay: 10\nDisallow: /closed\n")),
		robots("robots-messy", "byte order mark, odd line ends, comments, wrong case", text("\ufeff# rules\r\nuser-AGENT : *   # all\rDISALLOW:/closed\r\nnonsense\n")),
		robots("robots-html", "an HTML page where robots.txt should be", htmlPage("Welcome", "<h1>Welcome</h1>User-agent: *\nDisallow: /\n")),
		robots("robots-error", "robots.txt answers 500", func(w http.ResponseWriter, r *http.Request) { refuse(w, r, http.StatusInternalServerError) }),
		robots("robots-redirect", "robots.txt redirects to its rules", to("/rules.txt")),
		robots("robots-huge", "a rule after 600 KiB of comments, past what a reader must read", text(huge)),
		robots("robots-silent", "robots.txt never answers", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }),
	}
}

func robots(name, about string, rules http.HandlerFunc) *origin {
	mux := http.NewServeMux()
	mux.HandleFunc("/robots.txt", rules)
	mux.HandleFunc("/rules.txt", text("User-agent: *\nDisallow: /closed\n"))
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		writeHTML(w, linkPage("front", []string{"/open", "/closed"}))
	})
	mux.HandleFunc("/open", htmlPage("Open", "<h1>Open</h1><p>Robots may read this.</p>"))
	mux.HandleFunc("/closed", htmlPage("Closed", "<h1>Closed</h1><p>Robots may not, under most rules.</p>"))
	return &origin{Origin: Origin{Name: name, About: about}, handler: mux}
}
