// Package browserbench measures the browser engine: what a render costs beside
// a hand-written navigate and outerHTML, what ten tabs weigh, and what five
// hundred pages leave behind.
package browserbench

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/browser"
)

// Suites are the measurements of this package.
func Suites() []suite.Suite {
	return []suite.Suite{
		{Name: "browser-render", Run: renderCost},
		{Name: "browser-tabs", Run: tenTabs},
		{Name: "browser-leftovers", Run: leftovers},
	}
}

// site serves a page like many: some tens of kilobytes of text and links, a
// style sheet, a few images, with or without a script.
func site() *httptest.Server {
	var article strings.Builder
	for i := range 200 {
		fmt.Fprintf(&article, `<h2>Part %d</h2><p>Some text about the matter, with <a href="/page/%d">a link</a> and <em>some weight</em>. %s</p><img src="/dot.svg?%d" width=20 height=20>`,
			i, i, strings.Repeat("It goes on for a while. ", 8), i%5)
	}
	page := `<!doctype html><html lang=en><head><title>A page</title><link rel=stylesheet href="/style.css"></head><body><main>` + article.String() + `</main>`
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/style.css":
			w.Header().Set("Content-Type", "text/css")
			fmt.Fprint(w, `body { font: 16px sans-serif; max-width: 60em; margin: auto } img { float: right }`)
		case "/dot.svg":
			w.Header().Set("Content-Type", "image/svg+xml")
			fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg"><circle r="10" cx="10" cy="10"/></svg>`)
		case "/script":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, page, `<script>for (const h of document.querySelectorAll('h2')) h.id = h.textContent.toLowerCase().replace(' ', '-')</script></body></html>`)
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, page, `</body></html>`)
		}
	}))
}

// open makes a pool that may reach this machine.
func open(pages int) (pool *browser.Pool, done func(), err error) {
	dir, err := os.MkdirTemp("", "trawl-bench-")
	if err != nil {
		return nil, nil, fmt.Errorf("make bench folder: %w", err)
	}
	pool, err = browser.Open(browser.Options{
		MaxBrowsers: 1, PagesPerBrowser: pages, RecyclePages: 100_000,
		Dial: new(net.Dialer).DialContext, DataDir: dir,
	})
	if err != nil {
		return nil, nil, err
	}
	return pool, func() {
		_ = pool.Close()      // measured, not kept
		_ = os.RemoveAll(dir) // ours alone
	}, nil
}

// render brings one page and checks that it is one.
func render(ctx context.Context, pool *browser.Pool, r browser.Request) error {
	got, err := pool.Render(ctx, r)
	if err != nil {
		return err
	}
	if !strings.Contains(got.HTML, "Part 199") {
		return fmt.Errorf("render %s: %d bytes without its last part", r.URL, len(got.HTML))
	}
	return nil
}
