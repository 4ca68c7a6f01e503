package htmltree

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// TestConstructs holds each construct against the oracle and against a tree
// written down here, so that neither can change unseen.
func TestConstructs(t *testing.T) {
	cases := []struct{ name, page, want string }{
		{"nothing is a page with head and body", "", "<html><head></head><body></body></html>"},
		{"a paragraph ends where a block begins", "<p>a<div>b", "<p>a</p><div>b</div>"},
		{"an end tag without a paragraph makes an empty one", "a</p>b", "a<p></p>b"},
		{"an item ends the item before it", "<ul><li>a<li>b<ul><li>c", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>"},
		{"terms and definitions end each other", "<dl><dt>a<dd>b<dt>c", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>"},
		{"a heading ends a heading", "<h1>a<h2>b", "<h1>a</h1><h2>b</h2>"},
		{"formatting is reopened in the next block", "<p><b>a<p>c", "<p><b>a</b></p><p><b>c</b></p>"},
		{"formatting is reopened three times at most", "<p><b><b><b><b>a<p>c",
			"<p><b><b><b><b>a</b></b></b></b></p><p><b><b><b>c</b></b></b></p>"},
		{"a block moves out of formatting", "<b>1<p>2</b>3", "<b>1</b><p><b>2</b>3</p>"},
		{"misnested formatting is nested", "<b>1<i>2</b>3</i>", "<b>1<i>2</i></b><i>3</i>"},
		{"a link ends the link before it", "<a href=1>x<a href=2>y", `<a href="1">x</a><a href="2">y</a>`},
		{"attributes of formatting are sorted", "<a title=t href=h>x</a>", `<a href="h" title="t">x</a>`},
		{"a table gets its section and row", "<table><td>x", "<table><tbody><tr><td>x</td></tr></tbody></table>"},
		{"text in a table goes before it", "<table>a<tr>b<td>c", "ab<table><tbody><tr><td>c</td></tr></tbody></table>"},
		{"formatting does not leak into cells", "<b><table><td>x", "<b><table><tbody><tr><td>x</td></tr></tbody></table></b>"},
		{"a column makes a group", "<table><col>", "<table><colgroup><col/></colgroup></table>"},
		{"a table ends a paragraph in standards mode", "<!DOCTYPE html><p><table>", "<p></p><table></table>"},
		{"a table stands in a paragraph in quirks mode", "<p><table>", "<p><table></table></p>"},
		{"a script is text", "<script>a<b></b></script>c", "<script>a<b></b></script></head><body>c"},
		{"a hidden end tag does not end a script", "<body><script><!--<script></script>--></script>c",
			"<script><!--<script></script>--></script>c"},
		{"a text area loses its first line end", "<textarea>\n\na</textarea>", "<textarea>\n\na</textarea>"},
		{"noscript is text", "<body><noscript><p>a</noscript>", "<noscript><p>a</noscript>"},
		{"options end options", "<select><option>a<option>b</select>c", "<select><option>a</option><option>b</option></select>c"},
		{"a template holds rows", "<body><template><tr><td>x</template>y", "<template><tr><td>x</td></tr></template>y"},
		{"a drawing keeps its capitals", "<svg viewbox=1><LINEARGRADIENT/>x",
			`<svg viewBox="1"><linearGradient></linearGradient>x</svg>`},
		{"a block ends a drawing", "<svg><g><p>x", "<svg><g></g></svg><p>x</p>"},
		{"HTML goes on inside a foreign object", "<svg><foreignObject><p>x", "<svg><foreignObject><p>x</p></foreignObject></svg>"},
		{"a formula holds text", "<math><mi>x<b>y", "<math><mi>x<b>y</b></mi></math>"},
		{"CDATA is text in a drawing only", "<svg><![CDATA[a<b]]></svg><![CDATA[c]]>", "<svg>a&lt;b</svg><!--[CDATA[c]]-->"},
		{"an image is an img", "<image src=a>", `<img src="a"/>`},
		{"names are lowered", "<DIV CLASS=X>y</DIV>", `<div class="X">y</div>`},
		{"the first of equal attributes counts", "<p a=1 A=2 b=3>", `<p a="1" b="3"></p>`},
		{"references are resolved", "&amp;&copy&notit;&#128;&#x41;&nosuch;", "&amp;©¬it;€A&amp;nosuch;"},
		{"references in attributes need an end", `<p a="&copy=1&copy;&notit">`, `<p a="&amp;copy=1©&amp;notit"></p>`},
		{"NUL is dropped from text", "a\x00b", "ab"},
		{"NUL is replaced in names and values", "<p\x00 a\x00=\x00>", "<p\ufffd a\ufffd=\"\ufffd\"></p\ufffd>"},
		{"line ends are unified", "<p a='\r\n'>x\ry\r\nz", "<p a=\"\n\">x\ny\nz</p>"},
		{"broken UTF-8 stays", "<p>\xff", "<p>\xff</p>"},
		{"a tag the page ends in does not count", "<p>x<b a='", "<p>x</p>"},
		{"a lone bracket is text", "1 < 2 <", "1 &lt; 2 &lt;"},
		{"text after the body is in the body", "<body>a</body>b</html>c", "abc"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			agree(t, c.page)
			root, err := Parse([]byte(c.page))
			if err != nil {
				t.Fatal(err)
			}
			if got := render(root); !strings.Contains(got, c.want) {
				t.Errorf("Parse(%q)\ngot  %s\nwant %s", c.page, got, c.want)
			}
		})
	}
}

func TestAFragmentIsReadInItsContext(t *testing.T) {
	element := func(name string) *html.Node {
		return &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name))}
	}
	cases := []struct {
		name, fragment string
		context        *html.Node
		want           string
	}{
		{"in a block", "<p>a<p>b", element("div"), "<p>a</p> | <p>b</p>"},
		{"in a row", "<td>a<td>b", element("tr"), "<td>a</td> | <td>b</td>"},
		{"cells without a row are none", "<td>a", element("div"), "a"},
		{"in a script", "<b>", element("script"), "&lt;b&gt;"},
		{"in a title", "<b>&amp;", element("title"), "&lt;b&gt;&amp;"},
		{"without a context", "a", nil, "<html><head></head><body>a</body></html>"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			agreeInside(t, c.fragment, c.context)
			nodes, err := ParseFragment([]byte(c.fragment), c.context)
			if err != nil {
				t.Fatal(err)
			}
			if got := renderAll(nodes); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestAnImpossibleContextIsRefused(t *testing.T) {
	cases := []struct {
		name    string
		context *html.Node
	}{
		{"a text", &html.Node{Type: html.TextNode, Data: "x"}},
		{"another atom than name", &html.Node{Type: html.ElementNode, Data: "p", DataAtom: atom.Div}},
		{"an unknown namespace", &html.Node{Type: html.ElementNode, Data: "p", DataAtom: atom.P, Namespace: "xul"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := ParseFragment([]byte("x"), c.context); err == nil {
				t.Error("no error")
			}
		})
	}
}

func TestAppendingToAttributesLeavesOthersAlone(t *testing.T) {
	root, err := Parse([]byte("<p a=1><q b=2>"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.DataAtom == atom.P {
			n.Attr = append(n.Attr, html.Attribute{Key: "new"})
		}
	}
	if got := render(root); !strings.Contains(got, `<p a="1" new=""><q b="2">`) {
		t.Errorf("got %s", got)
	}
}

func TestTheCallersBytesAreNotKept(t *testing.T) {
	body := []byte("<p class=first>one &amp; two")
	root, err := Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	before := render(root)
	for i := range body {
		body[i] = '!'
	}
	if after := render(root); after != before {
		t.Errorf("the tree changed with the bytes: %s", after)
	}
}
