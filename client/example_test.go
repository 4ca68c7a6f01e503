package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/client"
)

func ExampleClient_Scrape() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"success":true,"data":{"markdown":"# Tides","metadata":{"statusCode":200}}}`)
	}))
	defer server.Close()

	c, err := client.New(client.Options{BaseURL: server.URL, Key: "fc-0123456789abcdef0123456789abcdef"})
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, err := c.Scrape(context.Background(), trawl.ScrapeRequest{URL: "https://quay.test/tides"})
	var failed *trawl.Error
	if errors.As(err, &failed) && failed.Kind == trawl.Unauthorized {
		fmt.Println("the key is not valid")
		return
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(doc.Markdown)
	// Output: # Tides
}
