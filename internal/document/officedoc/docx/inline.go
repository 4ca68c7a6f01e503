package docx

import (
	"strconv"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/officedoc/omml"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// inline gathers the text of one paragraph.
type inline struct {
	*reader
	style    *style
	spans    []flow.Span
	floats   []*html.Node // text boxes and charts anchored here
	formulas []string     // formulas that stand alone
	href     string       // of the hyperlink element around the text
	id       string       // the first bookmark
	named    bool         // some text is code by a character style, which means code within a sentence
}

func (in *inline) children(n *xmlpull.Node) {
	for _, k := range n.Kids {
		in.node(k)
	}
}

// node reads one child of a paragraph.
func (in *inline) node(n *xmlpull.Node) {
	switch n.Name {
	case "w:r":
		in.run(n)
	case "w:hyperlink":
		in.hyperlink(n)
	case "w:ins", "w:moveTo", "w:smartTag", "w:customXml", "w:dir", "w:bdo":
		in.children(n)
	case "w:sdt":
		if content := n.Child("w:sdtContent"); content != nil {
			in.children(content)
		}
	case "w:fldSimple":
		in.reader.part.fields = append(in.reader.part.fields, openField{instr: n.Attr("w:instr"), result: true})
		in.children(n)
		in.endField()
	case "w:bookmarkStart":
		if name := n.Attr("w:name"); in.id == "" && name != "_GoBack" {
			in.id = name
		}
	case "mc:AlternateContent":
		if chosen := alternative(n); chosen != nil {
			in.children(chosen)
		}
	case "m:oMath":
		tex := omml.TeX(n)
		in.formulas = append(in.formulas, tex)
		in.add(flow.Span{Node: flow.Math(tex, false)})
	case "m:oMathPara":
		for _, m := range n.All("m:oMath") {
			if in.inCell {
				in.add(flow.Span{Node: flow.Math(omml.TeX(m), false)})
				continue
			}
			in.floats = append(in.floats, flow.Wrap("p", []*html.Node{flow.Math(omml.TeX(m), true)}))
		}
	}
}

func (in *inline) hyperlink(n *xmlpull.Node) {
	saved := in.href
	if rel, ok := in.part.rels[n.Attr("r:id")]; ok {
		in.href = rel.Target
	}
	if anchor := n.Attr("w:anchor"); anchor != "" {
		in.href += "#" + anchor
	}
	in.children(n)
	in.href = saved
}

// run reads a stretch of equally formatted text.
func (in *inline) run(n *xmlpull.Node) {
	props := n.Child("w:rPr")
	named := in.styles.character(props.Child("w:rStyle").Attr("w:val"))
	hidden := named.hidden || in.style.hidden
	if v := props.Child("w:vanish"); v != nil {
		hidden = enabled(v)
	}
	if hidden {
		in.fieldMarks(n) // fields begin and end in hidden runs too
		return
	}
	marks := runMarks(props, named.marks)
	mono := named.mono
	direct := false
	if fonts := props.Child("w:rFonts"); fonts != nil && !in.styles.mono && fonts.Attr("w:ascii")+fonts.Attr("w:hAnsi") != "" {
		mono = isMono(fonts)
		direct = true
	}
	if mono && !in.style.mono {
		marks |= flow.Mono
		in.named = in.named || !direct
	}
	for _, k := range n.Kids {
		in.runChild(k, marks)
	}
}

func (in *inline) fieldMarks(n *xmlpull.Node) {
	for _, k := range n.Kids {
		if k.Name == "w:fldChar" || k.Name == "w:instrText" {
			in.runChild(k, 0)
		}
	}
}

func (in *inline) runChild(n *xmlpull.Node, marks flow.Mark) {
	switch n.Name {
	case "w:t":
		in.text(n.Content(), marks)
	case "w:tab", "w:ptab":
		in.text("\t", marks)
	case "w:br":
		if kind := n.Attr("w:type"); kind == "" || kind == "textWrapping" {
			in.text("\n", marks)
		}
	case "w:cr":
		in.text("\n", marks)
	case "w:noBreakHyphen":
		in.text("\u2011", marks)
	case "w:sym":
		in.text(symbol(n.Attr("w:font"), n.Attr("w:char")), marks)
	case "w:fldChar":
		in.fieldChar(n.Attr("w:fldCharType"))
	case "w:instrText":
		in.instruction(n.Content())
	case "w:footnoteReference":
		in.noteRef("footnotes", "w:footnote", n.Attr("w:id"))
	case "w:endnoteReference":
		in.noteRef("endnotes", "w:endnote", n.Attr("w:id"))
	case "w:drawing", "w:pict", "w:object":
		in.drawing(n, "")
	case "w:ruby":
		if base := n.Child("w:rubyBase"); base != nil {
			in.children(base)
		}
	case "mc:AlternateContent":
		if chosen := alternative(n); chosen != nil {
			for _, k := range chosen.Kids {
				in.runChild(k, marks)
			}
		}
	}
}

// text adds text, unless it belongs to the instruction of a field.
func (in *inline) text(s string, marks flow.Mark) {
	in.add(flow.Span{Text: s, Marks: marks})
}

func (in *inline) add(s flow.Span) {
	if in.inInstruction() {
		return
	}
	s.Href = in.link()
	in.spans = append(in.spans, s)
}

// pasted tells whether all text was put into a fixed-width font by hand.
func (in *inline) pasted() bool { return !in.named && flow.AllMono(in.spans) }

// runMarks lays the properties of a run over the marks of its style.
func runMarks(props *xmlpull.Node, marks flow.Mark) flow.Mark {
	if props == nil {
		return marks
	}
	for _, k := range props.Kids {
		switch k.Name {
		case "w:b":
			marks = flip(marks, flow.Bold, enabled(k))
		case "w:i":
			marks = flip(marks, flow.Italic, enabled(k))
		case "w:strike", "w:dstrike":
			marks = flip(marks, flow.Strike, enabled(k))
		case "w:vertAlign":
			marks = flip(marks, flow.Super, k.Attr("w:val") == "superscript")
			marks = flip(marks, flow.Sub, k.Attr("w:val") == "subscript")
		case "w:position": // raised or lowered by half points; with the size left alone it only adjusts a line
			if by, _ := number(k); props.Child("w:sz") != nil {
				marks = flip(marks, flow.Super, by > 0)
				marks = flip(marks, flow.Sub, by < 0)
			}
		}
	}
	return marks
}

func flip(marks, mark flow.Mark, on bool) flow.Mark {
	if on {
		return marks | mark
	}
	return marks &^ mark
}

// symbol gives the character of a symbol font. Word shifts such characters
// into the private area; what is left there has no meaning without the font.
func symbol(font, code string) string {
	n, err := strconv.ParseUint(code, 16, 32)
	if err != nil {
		return ""
	}
	return flow.Symbol(font, rune(n))
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
