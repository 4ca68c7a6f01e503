package htmltree

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// sloppy writes pages the way nobody should: a grammar of tags, texts and
// entities put together by chance, with a bent for what interacts.
type sloppy struct {
	*rand.Rand
	out   strings.Builder
	names []string // the few this page is made of
}

func newSloppy(seed uint64) *sloppy {
	s := &sloppy{Rand: rand.New(rand.NewPCG(seed, 1))}
	for range 2 + s.IntN(8) {
		family := tagFamilies[s.IntN(len(tagFamilies))]
		s.names = append(s.names, family[s.IntN(len(family))])
	}
	return s
}

var tagFamilies = [][]string{
	strings.Fields("b i a nobr font em code u big"),
	strings.Fields("p div section ul ol li dl dd dt h1 h2 pre listing blockquote address center button"),
	strings.Fields("table tbody thead tfoot tr td th caption col colgroup"),
	strings.Fields("html head body frameset frame noframes"),
	strings.Fields("template select option optgroup input textarea form hr"),
	strings.Fields("svg math mi mo mtext annotation-xml foreignObject desc title path mglyph malignmark"),
	strings.Fields("script style title textarea xmp iframe noembed noscript plaintext"),
	strings.Fields("ruby rb rt rtc rp object applet marquee"),
	strings.Fields("br img image area param source wbr keygen meta link base span custom-x X-Y search"),
}

var texts = []string{
	" ", "\n", "\r\n", "\r", "x", " x ", "\x00", "a\x00b", "<", "< ", "</", "</>", "<!", "<!>", "<?x?>", "</ x>", "&", "&amp;",
	"&amp", "&ampx", "&notit;", "&not;in", "&#", "&#x", "&#0;", "&#128;", "&#x110000;", "&#13;", "&#10;", "&copy=1", "&lt;b>",
	"&NotEqualTilde;", "\xff\xfe", "é", "\t\f", "<!-- c -->", "<!--", "-->", "<!---->", "<!-->", "<!--->", "<!--a--!>",
	"<!DOCTYPE html>", "<!doctype x PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">", "<![CDATA[x]]>", "<![CDATA[ ]]>",
	"<!--<script>", "</script>", "--!>", "<script><!--<script></script>-->", "]]>", "=", "\"", "'", "/", ">",
}

var attributes = []string{
	"a=1", "b", "A=2", "a='x&amp;y'", "a=\"&copy=1\"", "a=&notit", "type=hidden", "type=HIDDEN", "color=red", "/", "=x", "x=/",
	"encoding=text/html", "xlink:href=#a", "viewbox=1", "definitionurl=u", "a=\x00", "\x00=1", "a\r\n=\r\n2", "a=\"\r\n\"",
	"class=x id=y", "z=1 a=2 m=3", "\"=1", "x=y'z", "xml:lang=en",
}

// page writes one of about that many pieces.
func (s *sloppy) page(pieces int) string {
	if s.IntN(3) == 0 {
		s.out.WriteString("<!DOCTYPE html>")
	}
	for range pieces {
		s.piece()
	}
	return s.out.String()
}

func (s *sloppy) piece() {
	switch n := s.IntN(20); {
	case n < 4:
		s.out.WriteString(texts[s.IntN(len(texts))])
	case n < 6:
		s.out.WriteString(strconv.Itoa(s.IntN(10)))
	case n < 13:
		s.startTag()
	default:
		s.out.WriteString("</" + s.name() + ">")
	}
}

func (s *sloppy) startTag() {
	s.out.WriteString("<" + s.name())
	for s.IntN(4) == 0 {
		s.out.WriteString(" " + attributes[s.IntN(len(attributes))])
	}
	if s.IntN(12) == 0 {
		s.out.WriteString("/")
	}
	s.out.WriteString(">")
}

// name is mostly one the page has used before: chance alone rarely closes what
// it opened.
func (s *sloppy) name() string {
	name := s.names[s.IntN(len(s.names))]
	if s.IntN(8) == 0 {
		family := tagFamilies[s.IntN(len(tagFamilies))]
		name = family[s.IntN(len(family))]
	}
	if s.IntN(20) == 0 {
		return strings.ToUpper(name)
	}
	return name
}

func TestTreesAreThoseOfTheOracleOnSloppyPages(t *testing.T) {
	around := contexts()
	refused := 0
	const pages = 6000
	for seed := range uint64(pages) {
		s := newSloppy(seed)
		page := s.page(1 + s.IntN(60))
		agree(t, page)
		agreeInside(t, page, around[seed%uint64(len(around))])
		if _, err := html.Parse(strings.NewReader(page)); err != nil {
			refused++
		}
		if t.Failed() {
			t.Fatalf("that was seed %d", seed)
		}
	}
	if refused > pages/100 {
		t.Errorf("the oracle refused %d of %d pages: too many to compare", refused, pages)
	}
}

// TestSloppyPagesAreFlattenedInEveryMode lowers the bound of depth so far that
// every insertion mode meets it.
func TestSloppyPagesAreFlattenedInEveryMode(t *testing.T) {
	for seed := range uint64(6000) {
		s := newSloppy(seed)
		page := s.page(1 + s.IntN(200))
		bound := 2 + s.IntN(8)
		p := newParser([]byte(page), bound)
		p.framesetOK = true
		if !p.run() {
			t.Fatalf("seed %d: given up", seed)
		}
		checkLinks(t, p.doc)
		if len(p.open.elements) > bound {
			t.Fatalf("seed %d: %d elements are open, the bound is %d", seed, len(p.open.elements), bound)
		}
		checkRemembered(t, p)
	}
}

// checkRemembered makes sure that what is remembered of the stack is true.
func checkRemembered(t *testing.T, p *parser) {
	t.Helper()
	paragraphs := 0
	for _, e := range p.open.elements {
		if isParagraph(e) {
			paragraphs++
		}
	}
	if paragraphs != p.open.paragraphs {
		t.Fatalf("%d paragraphs are open, the stack counted %d", paragraphs, p.open.paragraphs)
	}
	for i, a := range p.formatting {
		if depth := p.open.index(a.node); !a.isMarker() && p.isOpen(i) != (depth >= 0) {
			t.Fatalf("<%s> is at depth %d of the stack, and remembered at %d", a.node.Data, depth, a.depth)
		}
	}
}
