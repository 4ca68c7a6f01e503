package scrape

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/store"
	"github.com/trawlhq/trawl/internal/weburl"
)

func TestLinksOfAPageAreResolved(t *testing.T) {
	base, err := url.Parse("http://a.test/x/y/page.html?q=1")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, href, want string }{
		{"beside the page", "other.html", "http://a.test/x/y/other.html"},
		{"one step up", "../up.html", "http://a.test/x/up.html"},
		{"two steps up", "../../up.html#part", "http://a.test/up.html#part"},
		{"more steps than there are", "../../../../up.html", "http://a.test/up.html"},
		{"up and into a folder", "../z/w/", "http://a.test/x/z/w/"},
		{"up alone", "../", "http://a.test/x/"},
		{"up with dots further on", "../a/../b", "http://a.test/x/b"},
		{"from the root", "/z", "http://a.test/z"},
		{"another host", "//b.test/z", "http://b.test/z"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root, err := html.Parse(strings.NewReader(`<a href="` + tc.href + `">x</a>`))
			if err != nil {
				t.Fatal(err)
			}
			links := addressesOn(&document.Doc{Root: root, Base: base})
			if len(links) != 1 || links[0].String() != tc.want {
				t.Errorf("links of %q = %v, want %s", tc.href, links, tc.want)
			}
		})
	}
}

func FuzzClimbingChangesNothing(f *testing.F) {
	f.Add("http://a.test/x/y", "../z")
	f.Add("http://a.test", "../../..//?#")
	f.Add("http://a.test/a%2fb/c", "../%2e%2e/d")
	f.Fuzz(func(t *testing.T, page, href string) {
		base, err := weburl.Resolve(nil, page)
		if err != nil || !weburl.IsWeb(base) {
			return
		}
		plain, errPlain := weburl.Resolve(base, href)
		climbed, errClimbed := weburl.Resolve(base, climb(base, href))
		if (errPlain == nil) != (errClimbed == nil) || errPlain == nil && plain.String() != climbed.String() {
			t.Errorf("%q on %q: %v, %v after climbing", href, page, plain, climbed)
		}
	})
}

func TestStoredContentAndMetadataAreOneDocumentOnTheWire(t *testing.T) {
	s := &Service{}
	doc := trawl.Document{Markdown: "# A <b>", Links: []string{"http://a.test/"}}
	doc.Metadata = trawl.Metadata{ScrapeID: "1", SourceURL: "http://a.test/", StatusCode: 200, Page: map[string]any{"title": "A"}}
	c, err := s.newContent(t.Context(), &doc)
	if err != nil {
		t.Fatal(err)
	}
	metadata, err := json.Marshal(doc.Metadata)
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.Wire(t.Context(), string(metadata), store.Body{Inline: c.body.Inline})
	if err != nil {
		t.Fatal(err)
	}
	want, err := doc.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != string(want) {
		t.Errorf("document on the wire = %s, want %s", text, want)
	}
	if empty, err := (&trawl.Document{}).ContentJSON(); err != nil || string(empty) != "{}" {
		t.Errorf("content of nothing = %s, %v", empty, err)
	}
}
