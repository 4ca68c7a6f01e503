package web

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/document"
)

// metaTruth is what a set knows of a page besides its text.
type metaTruth struct{ title, author, date string }

// names is a field that holds one name or a list of them.
type names string

// UnmarshalJSON reads both forms.
func (n *names) UnmarshalJSON(b []byte) error {
	var list []string
	if json.Unmarshal(b, &list) == nil {
		*n = names(strings.Join(list, "; "))
		return nil
	}
	return json.Unmarshal(b, (*string)(n))
}

// metaScore counts right answers among the pages that have the field.
type metaScore struct{ title, author, date mean }

func (m *metaScore) add(doc *document.Doc, t metaTruth) {
	if t.title != "" {
		m.title.add(one(sameTitle(metaText(doc, "title"), t.title)))
	}
	if t.author != "" {
		m.author.add(one(slices.Equal(lowerWords(metaText(doc, "author")), lowerWords(t.author))))
	}
	if t.date != "" {
		got := metaText(doc, "publishedTime")
		m.date.add(one(len(got) >= 10 && len(t.date) >= 10 && got[:10] == t.date[:10]))
	}
}

func (m *metaScore) results(set string) []suite.Result {
	return []suite.Result{
		{Name: set + ".title", Value: m.title.value(), Unit: "share"},
		{Name: set + ".author", Value: m.author.value(), Unit: "share"},
		{Name: set + ".date", Value: m.date.value(), Unit: "share"},
	}
}

func one(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}

func metaText(doc *document.Doc, name string) string {
	switch v := doc.Meta[name].(type) {
	case string:
		return v
	case []string:
		return v[0]
	}
	return ""
}

// sameTitle takes titles as equal when the words are, or when one begins with
// the other.
func sameTitle(got, want string) bool {
	g, w := strings.Join(lowerWords(got), " "), strings.Join(lowerWords(want), " ")
	if g == w {
		return true
	}
	short, long := g, w
	if len(short) > len(long) {
		short, long = long, short
	}
	return len(short) > 8 && strings.HasPrefix(long, short)
}
