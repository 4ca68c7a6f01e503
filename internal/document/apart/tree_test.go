package apart

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document"
)

func plenty() *allowance { return &allowance{nodes: maxNodes, bytes: maxBytes} }

func rendered(t testing.TB, n *html.Node) string {
	t.Helper()
	var b strings.Builder
	if err := html.Render(&b, n); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestATreeComesOverAsItWas(t *testing.T) {
	for _, text := range []string{
		"", "words", "<!-- note --><p>a<p>b", `<a href="https://a.test/?x=1&amp;y=2" title="">there</a>`,
		"<table><tr><td rowspan=2>1<td>2<tr><td>3</table>", "<own-name><unknown a=b></unknown></own-name>",
		`<svg viewBox="0 0 1 1"><a xlink:href="#x"/></svg><math><mi>x</mi></math>`, "<ul><li>1<ul><li>2</ul></ul>",
	} {
		root, err := html.Parse(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		packed, err := plenty().appendTree(nil, root)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		back, err := plenty().tree(string(packed))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, want := rendered(t, back), rendered(t, root); got != want {
			t.Errorf("%s came back as %s", want, got)
		}
	}
}

// TestNestingThatNoPageHasComesOver shows what would be lost on the way as HTML.
func TestNestingThatNoPageHasComesOver(t *testing.T) {
	outer, inner := &html.Node{Type: html.ElementNode, Data: "p"}, &html.Node{Type: html.ElementNode, Data: "p"}
	outer.AppendChild(inner)
	packed, err := plenty().appendTree(nil, outer)
	if err != nil {
		t.Fatal(err)
	}
	back, err := plenty().tree(string(packed))
	if err != nil || back.FirstChild == nil || back.FirstChild.Data != "p" {
		t.Errorf("%+v, %v", back, err)
	}
}

func TestTheParentCountsToo(t *testing.T) {
	root, err := html.Parse(strings.NewReader(strings.Repeat("<p>words", 100)))
	if err != nil {
		t.Fatal(err)
	}
	packed, err := plenty().appendTree(nil, root)
	if err != nil {
		t.Fatal(err)
	}
	for _, left := range []allowance{{nodes: 50, bytes: maxBytes}, {nodes: maxNodes, bytes: 50}} {
		if _, err := left.tree(string(packed)); !errors.Is(err, errLarge) {
			t.Errorf("with %+v left: %v", left, err)
		}
	}
	for cut := range packed {
		if _, err := plenty().tree(string(packed[:cut])); !errors.Is(err, errTree) {
			t.Fatalf("cut off after %d bytes of %d: %v", cut, len(packed), err)
		}
	}
	chain := bytes.Repeat([]byte{stepNamed, 1, 'a', 0, 0}, maxDepth+10)
	if _, err := plenty().tree(string(chain)); !errors.Is(err, errDeep) {
		t.Errorf("a deep tree: %v", err)
	}
}

// FuzzAnswer reads whatever a child that has gone wrong may say.
func FuzzAnswer(f *testing.F) {
	root, err := html.Parse(strings.NewReader("<title>T</title><p class=x>words<!-- c --><table><tr><td>1"))
	if err != nil {
		f.Fatal(err)
	}
	var sound bytes.Buffer
	if err := writeProgress(&sound, 1, 2); err != nil {
		f.Fatal(err)
	}
	err = writeDoc(&sound, &document.Doc{
		Kind: document.PDF, Root: root, Pages: []document.Page{{Number: 1, Root: root}}, Meta: map[string]any{"title": "T"},
		Layout: []document.PageLayout{{PageNumber: 1, Items: []document.PageBlock{{ID: "p1.b1", Node: root}, {ID: "p1.b2"}}}},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sound.Bytes())
	f.Add(sound.Bytes()[:sound.Len()/2])
	f.Fuzz(func(t *testing.T, said []byte) {
		doc, err := readDoc(bytes.NewReader(said), func(int, int) {})
		if err == nil && doc.Root == nil && doc.Made == nil {
			t.Error("a document without a tree")
		}
	})
}

// FuzzTree reads damaged trees; those that are whole must go over again.
func FuzzTree(f *testing.F) {
	for _, text := range []string{"words", "<p class=x>a</p><!-- b -->", "<svg><a xlink:href=x>"} {
		root, err := html.Parse(strings.NewReader(text))
		if err != nil {
			f.Fatal(err)
		}
		packed, err := plenty().appendTree(nil, root)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(packed)
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		root, err := plenty().tree(string(packed))
		if err != nil {
			return
		}
		again, err := plenty().appendTree(nil, root)
		if err != nil {
			t.Fatal(err)
		}
		back, err := plenty().tree(string(again))
		if err != nil {
			t.Fatal(err)
		}
		if third, err := plenty().appendTree(nil, back); err != nil || !bytes.Equal(third, again) {
			t.Errorf("%x became %x, %v", again, third, err)
		}
	})
}
