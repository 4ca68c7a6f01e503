package htmldoc

import (
	"github.com/andybalholm/cascadia"

	"github.com/trawlhq/trawl/internal/document"
)

// Attributes lists the values of an attribute of all elements that match a
// selector, in document order. No match gives an empty list.
func Attributes(doc *document.Doc, selector, attribute string) ([]string, error) {
	group, err := compileSelector("attributes", selector)
	if err != nil {
		return nil, err
	}
	values := []string{}
	for _, n := range cascadia.QueryAll(doc.Root, group) {
		for _, a := range n.Attr {
			if a.Key == attribute {
				values = append(values, a.Val)
			}
		}
	}
	return values, nil
}
