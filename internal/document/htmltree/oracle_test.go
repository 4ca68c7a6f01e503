package htmltree

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// agree holds Parse against the parser of x/net, node by node. Where that one
// refuses a page, it is enough that ours reads it.
func agree(t testing.TB, page string) {
	t.Helper()
	got, err := Parse([]byte(page))
	if err != nil {
		t.Fatalf("Parse(%q): %v", page, err)
	}
	checkLinks(t, got)
	want, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return
	}
	if d := difference(got, want); d != "" {
		t.Errorf("Parse(%q)\n%s\ngot  %s\nwant %s", page, d, render(got), render(want))
	}
}

// agreeInside does so for a fragment.
func agreeInside(t testing.TB, fragment string, context *html.Node) {
	t.Helper()
	got, err := ParseFragment([]byte(fragment), context)
	if err != nil {
		t.Fatalf("ParseFragment(%q, %s): %v", fragment, nameOf(context), err)
	}
	want, err := html.ParseFragment(strings.NewReader(fragment), context)
	if err != nil {
		return
	}
	if len(got) != len(want) {
		t.Errorf("ParseFragment(%q, %s): %d nodes, want %d\ngot  %s\nwant %s", fragment, nameOf(context), len(got), len(want),
			renderAll(got), renderAll(want))
		return
	}
	for i := range got {
		checkLinks(t, got[i])
		if d := difference(got[i], want[i]); d != "" {
			t.Errorf("ParseFragment(%q, %s)\n%s\ngot  %s\nwant %s", fragment, nameOf(context), d, render(got[i]), render(want[i]))
		}
	}
}

func nameOf(n *html.Node) string {
	if n == nil {
		return "no context"
	}
	return n.Namespace + "<" + n.Data + ">"
}

// difference says where two trees first differ.
func difference(got, want *html.Node) string {
	for got != nil && want != nil {
		if a, b := describe(got), describe(want); a != b {
			return fmt.Sprintf("got %s, want %s", a, b)
		}
		if (got.FirstChild == nil) != (want.FirstChild == nil) {
			return fmt.Sprintf("children of %s: got %v, want %v", describe(got), got.FirstChild != nil, want.FirstChild != nil)
		}
		got, want = following(got), following(want)
		if (got == nil) != (want == nil) {
			return fmt.Sprintf("one tree goes on: got %v, want %v", got != nil, want != nil)
		}
		if got != nil && depth(got) != depth(want) {
			return fmt.Sprintf("depth of %s: got %d, want %d", describe(got), depth(got), depth(want))
		}
	}
	return ""
}

func describe(n *html.Node) string {
	return fmt.Sprintf("%d %s %q %q %q", n.Type, n.DataAtom, n.Namespace, n.Data, n.Attr)
}

// following is the next node in the order of the page.
func following(n *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	for n != nil && n.NextSibling == nil {
		n = n.Parent
	}
	if n == nil {
		return nil
	}
	return n.NextSibling
}

func depth(n *html.Node) int {
	d := 0
	for n = n.Parent; n != nil; n = n.Parent {
		d++
	}
	return d
}

// checkLinks makes sure that a tree's links in all directions agree.
func checkLinks(t testing.TB, root *html.Node) {
	t.Helper()
	for n := root; n != nil; n = following(n) {
		var last *html.Node
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Parent != n || c.PrevSibling != last {
				t.Fatalf("%s: a child's links do not lead back", describe(n))
			}
			last = c
		}
		if n.LastChild != last {
			t.Fatalf("%s: the last child is another", describe(n))
		}
	}
}

func render(n *html.Node) string {
	var b bytes.Buffer
	if err := html.Render(&b, n); err != nil {
		return err.Error()
	}
	return b.String()
}

func renderAll(nodes []*html.Node) string {
	var all []string
	for _, n := range nodes {
		all = append(all, render(n))
	}
	return strings.Join(all, " | ")
}

// contexts are elements to parse fragments of.
func contexts() []*html.Node {
	all := []*html.Node{nil}
	for name := range strings.FieldsSeq(`html head body div p table caption colgroup tbody tr td select option template
		frameset title textarea script style noscript plaintext form custom-element`) {
		all = append(all, &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name))})
	}
	for _, name := range []string{"svg path", "svg foreignObject", "svg title", "math mi", "math annotation-xml", "math math"} {
		namespace, data, _ := strings.Cut(name, " ")
		all = append(all, &html.Node{Type: html.ElementNode, Namespace: namespace, Data: data, DataAtom: atom.Lookup([]byte(data))})
	}
	return slices.Clip(all)
}
