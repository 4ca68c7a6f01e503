package book

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
)

// Comment shows a comment that hangs on a cell: who wrote it, when if the file
// says so, and what it says. Comments follow the sheet they are on.
func Comment(author, when, text string) *html.Node {
	head := "[comment"
	if author != "" {
		head = "[author: " + author
	}
	if when != "" {
		head += ", time: " + when
	}
	return flow.Wrap("p", []*html.Node{flow.Text(head + "]: " + strings.TrimSpace(text))})
}
