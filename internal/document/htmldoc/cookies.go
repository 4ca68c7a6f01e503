package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
)

// dropCookieNotices takes out paragraphs that ask for leave to store cookies,
// where nothing around them said so. A page that has many speaks about them.
func (p *page) dropCookieNotices(region int) {
	var notices []int
	mentions := 0
	for at := region + 1; at < p.els[region].end; at++ {
		e := &p.els[at]
		if e.gone || e.text != e.own || e.own > 1500 || !e.isProse() {
			continue
		}
		if !mentionsCookies(e.node) {
			continue
		}
		mentions++
		if asksForCookies(strings.ToLower(collapse(textOf(e.node)))) {
			notices = append(notices, at)
		}
	}
	if mentions > 3 {
		return
	}
	for _, at := range notices {
		p.drop(at, "a cookie notice")
	}
}

func mentionsCookies(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type == html.TextNode && strings.Contains(d.Data, "ookie") {
			return true
		}
	}
	return false
}

func asksForCookies(s string) bool {
	for _, phrase := range cookiePhrases {
		if strings.Contains(s, phrase) {
			return true
		}
	}
	return false
}

var cookiePhrases = []string{
	"we use cookie", "uses cookies", "use cookies", "use of cookies", "accept all cookies",
	"verwenden cookies", "verwendet cookies", "nutzt cookies", "nutzen cookies",
	"utilise des cookies", "utilisons des cookies", "utiliza cookies", "utilizamos cookies",
	"usa cookie", "utilizza i cookie", "utilizza cookie", "usiamo cookie", "gebruikt cookies", "gebruiken cookies",
	"używa cookies", "plików cookie", "используем cookie", "файлы cookie", "bruker cookies", "använder cookies", "bruger cookies",
}
