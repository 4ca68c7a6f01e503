package weburl_test

import (
	"fmt"
	"net/url"

	"github.com/trawlhq/trawl/internal/weburl"
)

func ExampleResolve() {
	page, err := url.Parse("https://example.com/docs/guide.html")
	if err != nil {
		panic(err)
	}
	for _, link := range []string{"../about", "?page=2", ` \\cdn.example.com\a b.png`} {
		u, err := weburl.Resolve(page, link)
		fmt.Println(u, err)
	}
	// Output:
	// https://example.com/about <nil>
	// https://example.com/docs/guide.html?page=2 <nil>
	// https://cdn.example.com/a%20b.png <nil>
}

func ExampleScope_Link() {
	start, err := url.Parse("https://example.com/blog")
	if err != nil {
		panic(err)
	}
	scope, err := weburl.NewScope(start, weburl.ScopeOptions{ExcludePaths: []string{`\.pdf$`}})
	if err != nil {
		panic(err)
	}
	for _, link := range []string{"https://www.example.com/blog/one", "https://example.com/shop", "https://example.com/blog/x.pdf"} {
		u, err := url.Parse(link)
		fmt.Printf("%q %v\n", scope.Link(start, u), err)
	}
	// Output:
	// "" <nil>
	// "path is not below the start" <nil>
	// "path is excluded" <nil>
}
