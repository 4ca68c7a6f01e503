package htmltree

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

func TestDeepPagesAreReadWholeAndStayFlat(t *testing.T) {
	nested := func(open, close string) string {
		return strings.Repeat(open, 2000) + "<p>deep <a href=x>link</a></p>" + strings.Repeat(close, 2000) + "<p>after</p>"
	}
	cases := []struct{ name, page string }{
		{"balanced blocks", nested("<div>", "</div>")},
		{"unclosed formatting", nested("<font color=red>", "")},
		{"formatting around blocks", nested("<b><div>", "</div></b>")},
		{"lists in lists", nested("<ul><li>", "</li></ul>")},
		{"tables in cells", nested("<table><tr><td>", "</td></tr></table>")},
		{"unclosed tables", nested("<table><tr><td>", "")},
		{"templates", nested("<template>", "</template>")},
		{"drawings", nested("<svg><g>", "</g></svg>")},
		{"formulas", nested("<math><mi>", "</mi></math>")},
		{"objects", nested("<object><i>", "</object>")},
		{"selects and buttons", nested("<button><select><option>", "</button>")},
		{"captions", nested("<table><caption>", "")},
		{"framesets", "<frameset>" + nested("<frameset>", "</frameset>")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			root, err := Parse([]byte(c.page))
			if err != nil {
				t.Fatal(err)
			}
			checkLinks(t, root)
			deepest, text := measure(root)
			if deepest > flatOpen+1 {
				t.Errorf("a node lies %d deep", deepest)
			}
			if c.name == "framesets" {
				return // those have no text
			}
			for _, want := range []string{"deep ", "link", "after"} {
				if !strings.Contains(text, want) {
					t.Errorf("the text %q is lost", want)
				}
			}
		})
	}
}

func TestWhatFollowsADeepElementIsNotInsideItNorFurtherOut(t *testing.T) {
	for _, tags := range [][2]string{{"<div>", "</div>"}, {"<ul><li>", "</li></ul>"}, {"<section><span>", "</span></section>"}} {
		page := "<main><article>" + strings.Repeat(tags[0], 1000) + "x" + strings.Repeat(tags[1], 1000) + "</article><p>after"
		root, err := Parse([]byte(page))
		if err != nil {
			t.Fatal(err)
		}
		for n := range root.Descendants() {
			if n.Data == "after" && n.Parent.Parent.Data != "main" {
				t.Errorf("%s: the paragraph stands in <%s>", tags[0], n.Parent.Parent.Data)
			}
		}
	}
}

// measure is the depth of a tree and all its text.
func measure(root *html.Node) (deepest int, text string) {
	var b strings.Builder
	d := 0
	for n := root; n != nil; {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		deepest = max(deepest, d)
		if n.FirstChild != nil {
			n = n.FirstChild
			d++
			continue
		}
		for n != nil && n.NextSibling == nil {
			n = n.Parent
			d--
		}
		if n != nil {
			n = n.NextSibling
		}
	}
	return deepest, b.String()
}

func TestTheBoundOfDepthIsThatOfTheOracle(t *testing.T) {
	for _, divs := range []int{maxOpen - 3, maxOpen - 2, maxOpen - 1} {
		page := strings.Repeat("<div>", divs) + "<br>x"
		_, err := html.Parse(strings.NewReader(page))
		if refused := divs >= maxOpen-2; refused != (err != nil) {
			t.Errorf("%d elements: the oracle says %v; is its bound another now?", divs, err)
		}
		agree(t, page)
	}
	agree(t, strings.Repeat("<div>", maxOpen-3)+strings.Repeat("<p>x", 100)+strings.Repeat("<li>y", 100))
}

// TestHostilePagesTakeLinearTime gives pages of half a megabyte, on which work that
// grows with the square of their size would take hours, a time that is generous
// on any machine.
func TestHostilePagesTakeLinearTime(t *testing.T) {
	const size = 1 << 19
	fill := func(piece string) string { return strings.Repeat(piece, size/len(piece)+1) }
	numbered := func(piece string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, piece, i)
		}
		return b.String()
	}
	cases := []struct{ name, page string }{
		{"open blocks", fill("<div>")},
		{"open paragraphs in formatting", fill("<b><p>")},
		{"unclosed formatting, all different", numbered("<b id=%d>")},
		{"formatting reopened in every paragraph", numbered("<p><b id=%d>x")},
		{"many formats, many paragraphs", strings.Repeat("<b><i><u><s>", 100) + numbered("<font size=%d>") + fill("<p>x")},
		{"formatting closed across blocks", fill("<b><i><u><div></b></i></u>")},
		{"links in links", fill("<a><div>")},
		{"no line breaks", fill("<nobr>")},
		{"stray end tags in a deep page", strings.Repeat("<div>", 500) + fill("</span></section></i>")},
		{"text before a table", "<table>" + fill("x<tr> ")},
		{"text put together", fill("x</y>")},
		{"attributes of one tag", "<p " + numbered("a%d ") + ">"},
		{"attributes of the body", numbered("<body a%d>")},
		{"open quote", "<p a=\"" + fill("<p a='")},
		{"unknown references", fill("&abcdefg")},
		{"one long reference", "&" + fill("a")},
		{"numbers", fill("&#1114112;&#128;")},
		{"comment that never ends", "<!--" + fill("-- !")},
		{"dashes", "<!--" + fill("-")},
		{"script that never ends", "<script><!--" + fill("<script></scrip")},
		{"title that never ends", "<title>" + fill("</titl")},
		{"cdata that never ends", fill("<svg><![CDATA[]]")},
		{"tables in tables", fill("<table><tr><td>")},
		{"templates", fill("<template>")},
		{"templates with tables", fill("<template><tr><td>")},
		{"drawings", fill("<svg><g>")},
		{"drawings and formulas in turn", fill("<svg><foreignObject><math><mi>")},
		{"objects with formatting", fill("<object><b>")},
		{"options", "<select>" + fill("<optgroup><option>")},
		{"rubies", fill("<ruby><rt><rtc>")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			began := time.Now()
			root, err := Parse([]byte(c.page))
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took > time.Minute {
				t.Errorf("took %v", took)
			}
			if nodes := count(root); nodes > 3*len(c.page)+reopenFloor {
				t.Errorf("a page of %d bytes became %d nodes", len(c.page), nodes)
			}
			if deepest, _ := measure(root); deepest > maxOpen+1 {
				t.Errorf("a node lies %d deep", deepest)
			}
		})
	}
}

func count(root *html.Node) int {
	nodes := 0
	for n := root; n != nil; n = following(n) {
		nodes++
	}
	return nodes
}
