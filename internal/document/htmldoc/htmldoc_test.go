package htmldoc_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/htmldoc"
)

var update = flag.Bool("update", false, "rewrite the wanted part of the golden cases")

// TestMainContent runs testdata/*.txtar: the first line says what a case shows,
// then come page.html and want.txt, the kind and the text that is kept.
func TestMainContent(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("golden cases: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			head, want, _ := strings.Cut(string(src), "-- want.txt --\n")
			_, page, _ := strings.Cut(head, "-- page.html --\n")
			view := clean(t, page, htmldoc.Options{OnlyMainContent: true})
			got := view.Kind + "\n" + lines(view.Root)
			if *update {
				if err := os.WriteFile(file, []byte(head+"-- want.txt --\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s\n%s\n(-want +got):\n%s", strings.SplitN(head, "\n", 2)[0], view.Why, diff)
			}
		})
	}
}

const address = "https://pages.test/section/page.html"

func clean(t *testing.T, page string, opts htmldoc.Options) *htmldoc.View {
	t.Helper()
	doc, err := htmldoc.Read([]byte(page), "text/html; charset=utf-8", address)
	if err != nil {
		t.Fatal(err)
	}
	view, err := htmldoc.Clean(doc, opts)
	if err != nil {
		t.Fatal(err)
	}
	return view
}

// lines lists the texts of a tree, one a line.
func lines(root *html.Node) string {
	var b strings.Builder
	for n := range root.Descendants() {
		if text := strings.Join(strings.Fields(n.Data), " "); n.Type == html.TextNode && text != "" {
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

func render(t *testing.T, root *html.Node) string {
	t.Helper()
	var b bytes.Buffer
	if err := html.Render(&b, root); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCleanNeverLosesEverything(t *testing.T) {
	for _, page := range []string{
		`<nav><a href="/">Only a menu</a></nav>`,
		`<div class="cookie-consent">Only a notice</div>`,
		`<footer>Only a footer</footer>`,
		`<div style="display:none">Shown by a script</div>`,
		`Text without any element`,
	} {
		if view := clean(t, page, htmldoc.Options{OnlyMainContent: true}); lines(view.Root) == "" {
			t.Errorf("nothing is left of %s", page)
		}
	}
}

func TestFilesAreAllContent(t *testing.T) {
	doc, err := htmldoc.Read([]byte(`<nav>a table of contents</nav><p>text</p>`), "", address)
	if err != nil {
		t.Fatal(err)
	}
	doc.Kind = document.PDF
	view, err := htmldoc.Clean(doc, htmldoc.Options{OnlyMainContent: true})
	if err != nil || !strings.Contains(lines(view.Root), "a table of contents") {
		t.Errorf("a part of the file is missing: %q, %v", lines(view.Root), err)
	}
}

func TestCleanLeavesThePageAlone(t *testing.T) {
	doc, err := htmldoc.Read([]byte(`<p>a <a href="x">b</a></p><nav>c</nav>`), "", address)
	if err != nil {
		t.Fatal(err)
	}
	before := render(t, doc.Root)
	for range 2 {
		view, err := htmldoc.Clean(doc, htmldoc.Options{OnlyMainContent: true, ExcludeTags: []string{"a"}})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(render(t, view.Root), "<a") {
			t.Error("excluded element is still in the view")
		}
	}
	if after := render(t, doc.Root); after != before {
		t.Errorf("the page changed:\n%s\n%s", before, after)
	}
}

func TestTags(t *testing.T) {
	page := `<main><p class="x">one</p><p>two</p><div class="y" data-role="Promo Box"><b>three</b></div><p class="x">four</p></main>`
	for _, tc := range []struct {
		name             string
		include, exclude []string
		want             string
	}{
		{"keeps matches in document order", []string{".x"}, nil, "one\nfour\n"},
		{"keeps selectors in their order", []string{".y", ".x"}, nil, "three\none\nfour\n"},
		{"takes nothing twice", []string{".y", "b"}, nil, "three\n"},
		{"excludes after including", []string{"p"}, []string{".x"}, "two\n"},
		{"excludes by pattern over attributes, in any case", nil, []string{"*promo*"}, "one\ntwo\nfour\n"},
		{"excludes by pattern over names", []string{"main"}, []string{`*^b$*`, "p"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			view := clean(t, page, htmldoc.Options{IncludeTags: tc.include, ExcludeTags: tc.exclude})
			if got := lines(view.Root); got != tc.want && tc.want != "" {
				t.Errorf("kept %q, want %q", got, tc.want)
			}
		})
	}
	doc, err := htmldoc.Read([]byte(page), "", address)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []htmldoc.Options{{IncludeTags: []string{"p["}}, {ExcludeTags: []string{"::"}}, {ExcludeTags: []string{"*(*"}}} {
		if _, err := htmldoc.Clean(doc, bad); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

func TestLinksAndImages(t *testing.T) {
	page := `<base href="/b/"><main><p>Some text that is long enough to be read as a sentence, and then some more of it.</p>
		<a href="one">1</a><a href="#here">2</a><a href="one">again</a><a href="mailto:a@b.test">3</a><a href="//c.test/x">4</a><a href="javascript:x()">5</a>
		<img src="a.png"><img src="a.png"><img data-src="lazy.png" src="data:image/gif;base64,AA=="><img srcset="s.png 100w, l.png 900w" src="s.png"><img src="p.gif" width=1 height=1></main>`
	view := clean(t, page, htmldoc.Options{})
	want := []string{"https://pages.test/b/one", "mailto:a@b.test", "https://c.test/x"}
	if diff := cmp.Diff(want, htmldoc.Links(view, "https://pages.test/b/")); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	want = []string{"https://pages.test/b/a.png", "https://pages.test/b/lazy.png", "https://pages.test/b/l.png"}
	if diff := cmp.Diff(want, htmldoc.Images(view)); diff != "" {
		t.Errorf("images (-want +got):\n%s", diff)
	}
}

func TestAttributes(t *testing.T) {
	doc, err := htmldoc.Read([]byte(`<i data-id="1"></i><i></i><i data-id="2"></i>`), "", address)
	if err != nil {
		t.Fatal(err)
	}
	for selector, want := range map[string][]string{"i": {"1", "2"}, "b": {}} {
		got, err := htmldoc.Attributes(doc, selector, "data-id")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", selector, diff)
		}
	}
	if _, err := htmldoc.Attributes(doc, "i[", "x"); err == nil {
		t.Error("a broken selector is accepted")
	}
}

func TestRunawayNestingIsRead(t *testing.T) {
	page := strings.Repeat("<div><b>", 10000) + "at the bottom" + strings.Repeat("</b></div>", 10000) + "<p>after it</p>"
	view := clean(t, page, htmldoc.Options{})
	if got := lines(view.Root); !strings.Contains(got, "at the bottom") || !strings.Contains(got, "after it") {
		t.Errorf("text is lost: %.80q", got)
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"<p>a", "<table><tr><td><main>", "<div class=comment><h1>", "<noscript>" + strings.Repeat("<p>x", 400), "\xff\xfe<\x00p\x00"} {
		f.Add([]byte(seed), "text/html")
	}
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		doc, err := htmldoc.Read(body, contentType, address)
		if err != nil {
			return
		}
		view, err := htmldoc.Clean(doc, htmldoc.Options{OnlyMainContent: true})
		if err != nil {
			t.Fatal(err)
		}
		htmldoc.Links(view, address)
		htmldoc.Images(view)
		htmldoc.FindProduct(doc)
	})
}
