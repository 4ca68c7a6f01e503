package testsite

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// The shop of origin "shop": as many products as pages times products per page.
const (
	shopPages       = 50
	productsPerPage = 20
)

// ShopPaths are all product pages of origin "shop". They are reached only by
// walking its pages one after the other: there is no sitemap.
func ShopPaths() []string {
	var paths []string
	for i := range shopPages * productsPerPage {
		paths = append(paths, fmt.Sprintf("/product/%d", i+1))
	}
	return paths
}

func shopHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { writeHTML(w, shopPage(1)) })
	mux.HandleFunc("/page/{n}", numbered(shopPages, shopPage))
	mux.HandleFunc("/product/{n}", numbered(shopPages*productsPerPage, product))
	return mux
}

// numbered serves pages 1 to last and 404 for the rest.
func numbered(last int, page func(n int) string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.PathValue("n"))
		if err != nil || n < 1 || n > last {
			refuse(w, r, http.StatusNotFound)
			return
		}
		writeHTML(w, page(n))
	}
}

// shopPage lists its products and links to its neighbours only, so that page 50
// is 49 steps from page 1.
func shopPage(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<h1>Lanterns, page %d</h1>\n", n)
	for i := range productsPerPage {
		id := (n-1)*productsPerPage + i + 1
		fmt.Fprintf(&b, "<div class=\"card\"><a href=\"/product/%d\">Lantern no. %[1]d</a> <span class=\"price\">€%d.50</span></div>\n", id, 20+id%80)
	}
	b.WriteString("<nav class=\"pagination\">")
	if n > 1 {
		fmt.Fprintf(&b, "<a rel=\"prev\" href=\"/page/%d\">previous</a> ", n-1)
	}
	if n < shopPages {
		fmt.Fprintf(&b, "<a rel=\"next\" href=\"/page/%d\">next</a>", n+1)
	}
	b.WriteString("</nav>")
	return document(fmt.Sprintf("Lanterns, page %d", n), b.String())
}

func product(n int) string {
	return document(fmt.Sprintf("Lantern no. %d", n), fmt.Sprintf(
		`<main><h1>Lantern no. %d</h1><p class="price">€%d.50</p><p>Number %[1]d of a series of %[3]d, each with a flame of its own.</p><a href="/">All lanterns</a></main>`,
		n, 20+n%80, shopPages*productsPerPage))
}
