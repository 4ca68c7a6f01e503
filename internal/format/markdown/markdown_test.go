package markdown_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/htmltree"
	"github.com/trawlhq/trawl/internal/format/markdown"
)

var update = flag.Bool("update", false, "rewrite the wanted part of the golden cases")

// TestGolden runs testdata/*.txtar: the first line says what a case shows, then
// come input.html, sometimes options, and want.md.
func TestGolden(t *testing.T) {
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
			c := parseCase(string(src))
			got := convert(t, c["input.html"], markdown.Options{KeepBase64Images: strings.Contains(c["options"], "keepBase64Images")}) + "\n"
			if *update {
				head, _, _ := strings.Cut(string(src), "-- want.md --\n")
				if err := os.WriteFile(file, []byte(head+"-- want.md --\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(c["want.md"], got); diff != "" {
				t.Errorf("%s(-want +got):\n%s", c[""], diff)
			}
		})
	}
}

// parseCase splits a case at its "-- name --" lines; "" is what stands first.
func parseCase(src string) map[string]string {
	parts := map[string]string{}
	name := ""
	for line := range strings.Lines(src) {
		if inner, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok && strings.HasSuffix(inner, " --") {
			name = strings.TrimSuffix(inner, " --")
			continue
		}
		parts[name] += line
	}
	return parts
}

func convert(t *testing.T, src string, opts markdown.Options) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	return markdown.Convert(root, opts)
}

func TestConvertOfNothingIsEmpty(t *testing.T) {
	for _, src := range []string{"", "<p> </p>", "<script>x()</script>", "<ul></ul>"} {
		if got := convert(t, src, markdown.Options{}); got != "" {
			t.Errorf("Convert(%q) = %q, want nothing", src, got)
		}
	}
}

func TestDeepNestingKeepsItsText(t *testing.T) {
	inner := &html.Node{Type: html.TextNode, Data: "at the bottom"}
	root := &html.Node{Type: html.DocumentNode}
	at := root
	for range 5000 {
		div := &html.Node{Type: html.ElementNode, Data: "blockquote", DataAtom: 0}
		at.AppendChild(div)
		at = div
	}
	at.AppendChild(inner)
	if got := markdown.Convert(root, markdown.Options{}); !strings.Contains(got, "at the bottom") {
		t.Errorf("text at depth 5000 is lost: %q", got)
	}
}

func FuzzConvert(f *testing.F) {
	for _, seed := range []string{"<b>a</b><b>b</b>", "<table><tr><td rowspan=3>x<td><pre>y", "<ol start=7><li><p>a<p>b", "<a href='x y)('>[</a>", "<sup>1</sup><p><sup>1</sup> note"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		root, err := htmltree.Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		markdown.Convert(root, markdown.Options{})
	})
}

func TestDeepNestingDoesNotMultiplyThePage(t *testing.T) {
	for name, level := range map[string]string{"lists": "<ul><li>words", "quotes": "<blockquote>words"} {
		t.Run(name, func(t *testing.T) {
			page := strings.Repeat(level, 2000)
			root, err := htmltree.Parse([]byte(page))
			if err != nil {
				t.Fatal(err)
			}
			got := markdown.Convert(root, markdown.Options{})
			if n := strings.Count(got, "words"); n != 2000 || len(got) > 10*len(page) {
				t.Errorf("%d of 2000 words in %d bytes of Markdown, from a page of %d", n, len(got), len(page))
			}
		})
	}
}
