package pages

// head writes what stands in the head of most pages: cards for social networks,
// structured data, and the styles of the first screen.
func (w *writer) head(title string) {
	w.f("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"description\" content=\"%s\">\n<link rel=\"canonical\" href=\"https://www.example.com/%s\">\n", w.phrase(18), w.word())
	for _, name := range []string{"og:title", "og:description", "og:image", "og:url", "og:type", "og:site_name", "article:published_time", "article:section"} {
		w.f("<meta property=\"%s\" content=\"%s\">\n", name, w.phrase(7))
	}
	for _, name := range []string{"twitter:card", "twitter:title", "twitter:description", "twitter:image", "theme-color", "robots"} {
		w.f("<meta name=\"%s\" content=\"%s\">\n", name, w.phrase(5))
	}
	w.f("<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"WebPage\",\"headline\":%q,\"author\":{\"@type\":\"Person\",\"name\":%q},\"description\":%q}</script>\n", title, w.phrase(2), w.phrase(30))
	for i := range 12 {
		w.f("<link rel=\"preload\" as=\"script\" href=\"/static/chunks/%s-%d.%x.js\" crossorigin=\"anonymous\">\n", w.word(), i, w.rand.Uint64())
	}
	w.f("<style>")
	for range 90 {
		w.f(".%s__%s--%s{display:flex;margin:0 auto %dpx;padding:%dpx;color:#%06x}", w.word(), w.word(), w.word(), w.rand.IntN(40), w.rand.IntN(40), w.rand.IntN(1<<24))
	}
	w.f("</style>\n")
}

func (w *writer) menu(entries int) {
	w.f("<header class=\"site-header\" role=\"banner\"><a class=\"logo\" href=\"/\"><svg viewBox=\"0 0 64 64\" aria-hidden=\"true\">")
	for range 6 {
		w.f("<path d=\"M%d %dL%d %dC%d %d %d %d %d %dZ\"/>", w.rand.IntN(64), w.rand.IntN(64), w.rand.IntN(64), w.rand.IntN(64), w.rand.IntN(64),
			w.rand.IntN(64), w.rand.IntN(64), w.rand.IntN(64), w.rand.IntN(64), w.rand.IntN(64))
	}
	w.f("</svg></a>\n<nav class=\"nav nav--primary\" aria-label=\"Main\"><ul class=\"nav__list\">\n")
	for i := range entries {
		w.f("<li class=\"nav__item nav__item--%d\"><a class=\"nav__link\" href=\"/section/%s\" data-track=\"nav|%[1]d\">%s</a>", i, w.word(), w.phrase(2))
		if i%4 == 0 {
			w.f("<ul class=\"nav__sub\" hidden>")
			for range 6 {
				w.f("<li><a class=\"nav__link\" href=\"/section/%s/%s\">%s</a></li>", w.word(), w.word(), w.phrase(2))
			}
			w.f("</ul>")
		}
		w.f("</li>\n")
	}
	w.f("</ul></nav></header>\n")
}

// rail is the column beside the content.
func (w *writer) rail() {
	w.f("<aside class=\"rail\" role=\"complementary\"><div class=\"ad ad--rail\" data-slot=\"rail-1\"></div><h2 class=\"rail__title\">Most read</h2><ol>\n")
	for i := range 20 {
		w.f("<li class=\"teaser\"><a href=\"/story/%d\"><img src=\"/thumb/%[1]d.jpg\" alt=\"\" width=\"80\" height=\"60\" loading=\"lazy\"><span class=\"teaser__title\">%s</span></a></li>\n", i, w.phrase(8))
	}
	w.f("</ol></aside>\n")
}

func (w *writer) footer() {
	w.f("<footer class=\"site-footer\" role=\"contentinfo\">\n")
	for range 4 {
		w.f("<div class=\"site-footer__column\"><h2>%s</h2><ul>", w.phrase(2))
		for range 8 {
			w.f("<li><a href=\"/about/%s\">%s</a></li>", w.word(), w.phrase(2))
		}
		w.f("</ul></div>\n")
	}
	w.f("<p class=\"legal\">© 2024 The Daily Example. %s</p></footer>\n", w.phrase(20))
}

// scripts ends the page with its state and a few snippets, as bundlers write them.
func (w *writer) scripts() {
	w.f("<script>window.__STATE__={")
	for i := range 110 {
		w.f("\"%s%d\":{\"id\":%d,\"title\":\"%s\",\"tags\":[\"%s\",\"%s\"]},", w.word(), i, w.rand.IntN(1e6), w.phrase(6), w.word(), w.word())
	}
	w.f("\"end\":null};</script>\n")
	for range 4 {
		w.f("<script async src=\"/static/%x.js\"></script><script>(function(w,d){var s=d.createElement('script');s.src='/t/%s.js?v='+%d;d.head.appendChild(s)})(window,document)</script>\n",
			w.rand.Uint64(), w.word(), w.rand.IntN(1e6))
	}
}
