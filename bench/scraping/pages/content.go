package pages

// article is a long text with pictures and quotes.
func article(w *writer) {
	w.f("<p class=\"byline\">By <a rel=\"author\" href=\"/people/%s\">%s</a>, <time datetime=\"2024-05-17T08:00:00Z\">17 May 2024</time></p>\n", w.word(), w.phrase(2))
	w.f("<article class=\"story\" itemscope itemtype=\"https://schema.org/NewsArticle\">\n")
	for i := range 50 {
		w.f("<p class=\"story__paragraph\" data-index=\"%d\">%s</p>\n", i, w.prose(3+w.rand.IntN(4)))
		switch i % 8 {
		case 3:
			w.f("<figure class=\"story__figure\"><picture><source srcset=\"/img/%d-800.webp 800w, /img/%[1]d-1600.webp 1600w\" type=\"image/webp\"><img src=\"/img/%[1]d.jpg\" loading=\"lazy\" width=\"800\" height=\"533\" alt=\"%s\"></picture><figcaption>%s</figcaption></figure>\n", i, w.phrase(4), w.phrase(9))
		case 5:
			w.f("<h2 id=\"part-%d\">%s</h2>\n", i, w.phrase(4))
		case 7:
			w.f("<blockquote><p>%s</p></blockquote>\n<aside class=\"related\"><h3>Read more</h3><ul><li><a href=\"/%d\">%s</a></li></ul></aside>\n", w.prose(2), i, w.phrase(6))
		}
	}
	w.f("</article>\n")
}

// manual is documentation: sections with code, lists and a table.
func manual(w *writer) {
	for i := range 14 {
		w.f("<section id=\"s%d\"><h2>%s <a class=\"anchor\" href=\"#s%[1]d\" aria-label=\"Link to this section\">#</a></h2>\n<p>%s</p>\n", i, w.phrase(3), w.prose(4))
		w.f("<div class=\"highlight highlight-go\"><pre><code class=\"language-go\">")
		for line := range 14 {
			w.f("<span class=\"kd\">func</span> <span class=\"nf\">%s%d</span>() { <span class=\"k\">return</span> <span class=\"s\">&quot;%s&quot;</span> }\n", w.word(), line, w.word())
		}
		w.f("</code></pre></div>\n<ul>\n")
		for range 5 {
			w.f("<li><p>%s</p></li>\n", w.prose(1))
		}
		w.f("</ul>\n<table class=\"docutils\"><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead><tbody>\n")
		for range 6 {
			w.f("<tr><td><code>%s</code></td><td>%s</td><td>%s</td></tr>\n", w.word(), w.word(), w.prose(1))
		}
		w.f("</tbody></table></section>\n")
	}
}

// listing is a page of cards that link onward.
func listing(w *writer) {
	w.f("<ul class=\"grid grid--3\">\n")
	for i := range 60 {
		w.f("<li class=\"card card--product\" data-id=\"%d\"><a class=\"card__media\" href=\"/item/%[1]d\"><img class=\"card__image\" src=\"/img/%[1]d-300.jpg\" srcset=\"/img/%[1]d-600.jpg 2x\" alt=\"%s\" loading=\"lazy\"></a>", i, w.phrase(3))
		w.f("<div class=\"card__body\"><h3 class=\"card__title\"><a href=\"/item/%d\">%s</a></h3><p class=\"card__text\">%s</p><span class=\"price\"><span class=\"price__currency\">€</span>%d.%02d</span><button class=\"button button--small\" type=\"button\" data-action=\"add\">Add</button></div></li>\n",
			i, w.phrase(5), w.prose(2), w.rand.IntN(900), w.rand.IntN(100))
	}
	w.f("</ul>\n")
}

// thread is a discussion: posts with authors, quotes and signatures.
func thread(w *writer) {
	for i := range 30 {
		w.f("<div class=\"post\" id=\"post-%d\"><div class=\"post__author\"><img class=\"avatar\" src=\"/avatar/%[1]d.png\" alt=\"\" width=\"48\" height=\"48\"><a class=\"username\" href=\"/user/%[1]d\">%s</a><span class=\"rank\">Member</span></div>\n", i, w.word())
		w.f("<div class=\"post__content\">")
		if i%3 == 1 {
			w.f("<blockquote class=\"quote\"><cite>%s wrote:</cite><p>%s</p></blockquote>", w.word(), w.prose(1))
		}
		w.f("<p>%s</p><p>%s</p></div><div class=\"post__signature\">%s</div>", w.prose(4), w.prose(3), w.phrase(7))
		w.f("<ul class=\"post__actions\"><li><a href=\"#reply\">Reply</a></li><li><a href=\"#quote\">Quote</a></li><li><a href=\"#report\">Report</a></li></ul></div>\n")
	}
}
