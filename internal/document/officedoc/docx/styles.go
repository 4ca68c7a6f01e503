package docx

import (
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// compactName drops what programs put between the words of a style.
var compactName = strings.NewReplacer(" ", "", "-", "", "_", "")

// style is what a named style means for the text set in it, what it is based
// on included.
type style struct {
	heading int // level; 0: no heading
	code    bool
	quote   bool
	term    bool // the paragraph is a term, and the one after it says what it means
	inList  bool // meant for paragraphs of lists: without a number of its own it goes on with the item before
	mono    bool // set in a fixed-width font
	hidden  bool
	marks   flow.Mark // of a character style
	numID   string    // the list that paragraphs of this style belong to
	ilvl    int
}

type styles struct {
	nodes    map[string]*xmlpull.Node
	known    map[string]*style
	language string
	mono     bool // the whole document is set in a fixed-width font, which then says nothing
	fallback string
}

func readStyles(root *xmlpull.Node) *styles {
	s := &styles{nodes: map[string]*xmlpull.Node{}, known: map[string]*style{}}
	defaults := root.Child("w:docDefaults", "w:rPrDefault", "w:rPr")
	s.language = defaults.Child("w:lang").Attr("w:val")
	s.mono = isMono(defaults.Child("w:rFonts"))
	for _, n := range root.All("w:style") {
		id := n.Attr("w:styleId")
		s.nodes[id] = n
		if on(n.Attr("w:default")) && n.Attr("w:type") == "paragraph" {
			s.fallback = id
			s.mono = s.mono || isMono(n.Child("w:rPr", "w:rFonts"))
		}
	}
	return s
}

// of gives a style by its id; the empty id is the default paragraph style.
func (s *styles) of(id string) *style {
	if id == "" {
		id = s.fallback
	}
	return s.resolve(id, 0)
}

// character gives a character style by its id.
func (s *styles) character(id string) *style { return s.resolve(id, 0) }

// resolve follows what a style is based on; chains are short, so a long one
// runs in a circle.
func (s *styles) resolve(id string, depth int) *style {
	if known, ok := s.known[id]; ok {
		return known
	}
	n := s.nodes[id]
	if n == nil {
		st := &style{}
		if len(s.nodes) == 0 { // without any definitions the id is all there is
			st.named(id)
		}
		return st
	}
	st := &style{}
	if base := n.Child("w:basedOn").Attr("w:val"); base != "" && depth < 20 {
		*st = *s.resolve(base, depth+1)
	}
	name := n.Child("w:name").Attr("w:val")
	st.named(name)
	s.apply(st, n)
	if strings.EqualFold(name, "TOC heading") { // kept out of the contents, but a heading all the same
		st.heading = max(st.heading, 1)
	}
	s.known[id] = st
	return st
}

// apply lays the properties of one style over those it is based on.
func (s *styles) apply(st *style, n *xmlpull.Node) {
	p, r := n.Child("w:pPr"), n.Child("w:rPr")
	if level, ok := number(p.Child("w:outlineLvl")); ok {
		st.heading = outline(level)
	}
	if num := p.Child("w:numPr"); num != nil {
		if id := num.Child("w:numId").Attr("w:val"); id != "" {
			st.numID = id
		}
		if level, ok := number(num.Child("w:ilvl")); ok {
			st.ilvl = level
		}
	}
	if fonts := r.Child("w:rFonts"); fonts != nil && !s.mono {
		st.mono = isMono(fonts)
	}
	if v := r.Child("w:vanish"); v != nil {
		st.hidden = enabled(v)
	}
	if n.Attr("w:type") == "character" {
		st.marks = runMarks(r, st.marks)
	}
}

// named reads what a style's name says. The names of built-in styles are
// English in every language edition.
func (st *style) named(name string) {
	name = strings.ToLower(strings.TrimSpace(name))
	compact := compactName.Replace(name)
	switch compact {
	case "title":
		st.heading = 1
	case "subtitle":
		st.heading = 2
	case "sourcecode", "htmlpreformatted", "preformattedtext", "preformatted", "verbatim", "code", "codeblock",
		"plaintext", "macrotext", "macro", "listing":
		st.code = compact != "plaintext"
	case "quote", "intensequote", "blocktext", "blockquote", "blockquotation", "quotations":
		st.quote = true
	case "definitionterm":
		st.term = true
	case "listparagraph", "listcontinue", "listcontinue2", "listcontinue3":
		st.inList = true
	case "verbatimchar", "sourcetext", "htmlcode", "htmlkeyboard", "htmlsample", "htmltypewriter":
		st.mono = true
	case "normal", "bodytext":
		st.heading, st.code, st.quote = 0, false, false
	}
	if level, ok := strings.CutPrefix(compact, "heading"); ok {
		if n, err := strconv.Atoi(level); err == nil && n >= 1 && n <= 9 {
			st.heading = min(n, 6)
		}
	}
}

// isMono tells whether a font has letters of one width.
func isMono(fonts *xmlpull.Node) bool {
	name := fonts.Attr("w:ascii")
	if name == "" {
		name = fonts.Attr("w:hAnsi")
	}
	return flow.IsMono(name)
}

func number(n *xmlpull.Node) (int, bool) {
	v, err := strconv.Atoi(n.Attr("w:val"))
	return v, err == nil
}

// enabled reads a switch such as <w:b/>, which is on unless it says otherwise.
func enabled(n *xmlpull.Node) bool {
	v, given := n.Lookup("w:val")
	return n != nil && (!given || on(v))
}

func on(v string) bool { return v == "1" || v == "true" || v == "on" }
