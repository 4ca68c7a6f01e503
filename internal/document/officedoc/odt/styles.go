package odt

import (
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// compactName drops what programs put between the words of a style.
var compactName = strings.NewReplacer("_20_", "", " ", "", "_", "")

// style is what a style means for the text set in it, its parents included.
type style struct {
	marks   flow.Mark
	hidden  bool
	code    bool
	quote   bool
	heading int // a title is a heading although its paragraph is none
}

type styles struct {
	nodes map[string]*xmlpull.Node // by family and name
	known map[string]*style
	lists map[string]map[int]level
	fonts map[string]string // family of a font by the name it has in the file
	plain bool              // everything is set in a fixed-width font, which then says nothing
}

// level is one depth of a list.
type level struct {
	ordered bool
	bare    bool // nothing stands before the item
	start   int
}

func readStyles(parts ...*xmlpull.Node) *styles {
	s := &styles{nodes: map[string]*xmlpull.Node{}, known: map[string]*style{}, lists: map[string]map[int]level{},
		fonts: map[string]string{}}
	for _, part := range parts {
		for _, f := range part.Child("office:font-face-decls").All("style:font-face") {
			s.fonts[f.Attr("style:name")] = f.Attr("svg:font-family") + " " + f.Attr("style:font-pitch")
		}
		for _, group := range []string{"office:styles", "office:automatic-styles"} {
			s.read(part.Child(group))
		}
	}
	return s
}

func (s *styles) read(group *xmlpull.Node) {
	if group == nil {
		return
	}
	for _, n := range group.Kids {
		switch n.Name {
		case "style:style":
			s.nodes[n.Attr("style:family")+" "+n.Attr("style:name")] = n
		case "style:default-style":
			if n.Attr("style:family") == "paragraph" {
				s.plain = s.isMono(n.Child("style:text-properties"))
			}
		case "text:list-style":
			s.lists[n.Attr("style:name")] = readLevels(n)
		}
	}
}

func readLevels(n *xmlpull.Node) map[int]level {
	levels := map[int]level{}
	for _, l := range n.Kids {
		depth, err := strconv.Atoi(l.Attr("text:level"))
		if err != nil {
			continue
		}
		switch l.Name {
		case "text:list-level-style-number":
			start, err := strconv.Atoi(l.Attr("text:start-value"))
			if err != nil {
				start = 1
			}
			levels[depth] = level{ordered: true, start: start, bare: l.Attr("style:num-format") == ""}
		case "text:list-level-style-bullet":
			levels[depth] = level{bare: strings.TrimSpace(l.Attr("text:bullet-char")) == ""}
		case "text:list-level-style-image":
			levels[depth] = level{}
		}
	}
	return levels
}

// of gives a style by its family ("paragraph", "text") and name.
func (s *styles) of(family, name string) *style {
	return s.resolve(family, name, 0)
}

// resolve follows the parents of a style; a long chain runs in a circle.
func (s *styles) resolve(family, name string, depth int) *style {
	key := family + " " + name
	if st, ok := s.known[key]; ok {
		return st
	}
	st := &style{}
	n := s.nodes[key]
	if parent := n.Attr("style:parent-style-name"); parent != "" && depth < 20 {
		*st = *s.resolve(family, parent, depth+1)
	}
	st.named(name)
	st.named(n.Attr("style:display-name"))
	s.apply(st, n.Child("style:text-properties"), family)
	s.known[key] = st
	return st
}

func (st *style) named(name string) {
	switch strings.ToLower(compactName.Replace(name)) {
	case "title":
		st.heading = 1
	case "subtitle":
		st.heading = 2
	case "preformattedtext", "sourcecode", "code", "verbatim":
		st.code = true
	case "quotations", "quote", "blocktext", "intensequote":
		st.quote = true
	case "sourcetext", "teletype", "userentry", "verbatimchar":
		st.marks |= flow.Mono
	case "strongemphasis", "strong":
		st.marks |= flow.Bold
	case "emphasis":
		st.marks |= flow.Italic
	}
}

// apply lays text properties over those of the parents. Of paragraph styles
// only what hides counts: a heading is not bold on top of being a heading.
func (s *styles) apply(st *style, p *xmlpull.Node, family string) {
	if p == nil {
		return
	}
	if d := p.Attr("text:display"); d != "" {
		st.hidden = d == "none"
	}
	if family != "text" {
		return
	}
	set := func(name string, mark flow.Mark, isOn func(string) bool) {
		if v := p.Attr(name); v != "" {
			st.marks &^= mark
			if isOn(v) {
				st.marks |= mark
			}
		}
	}
	set("fo:font-weight", flow.Bold, func(v string) bool { return v == "bold" || v >= "600" && v <= "900" })
	set("fo:font-style", flow.Italic, func(v string) bool { return v == "italic" || v == "oblique" })
	set("style:text-line-through-style", flow.Strike, func(v string) bool { return v != "none" })
	set("style:text-line-through-type", flow.Strike, func(v string) bool { return v != "none" })
	if v := p.Attr("style:text-position"); v != "" {
		st.marks &^= flow.Super | flow.Sub
		switch {
		case strings.HasPrefix(v, "super"), !strings.HasPrefix(v, "-") && !strings.HasPrefix(v, "0") && !strings.HasPrefix(v, "sub"):
			st.marks |= flow.Super
		case strings.HasPrefix(v, "sub"), strings.HasPrefix(v, "-"):
			st.marks |= flow.Sub
		}
	}
	if s.isMono(p) && !s.plain {
		st.marks |= flow.Mono
	}
}

func (s *styles) isMono(p *xmlpull.Node) bool {
	if p == nil {
		return false
	}
	name := p.Attr("style:font-name")
	return flow.IsMono(name) || flow.IsMono(p.Attr("fo:font-family")) || flow.IsMono(s.fonts[name])
}
