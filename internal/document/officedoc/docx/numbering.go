package docx

import (
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// level is one depth of a list.
type level struct {
	format string // "bullet", "decimal", …
	text   string // what stands before the item, such as "%1."
	start  int
	legal  bool // the numbers of the levels above are shown as digits, however they count
}

// list is one use of a list definition.
type list struct {
	abstract  string
	levels    map[int]level
	restarts  map[int]int // levels that this use starts anew, until they did
	styleLink string
}

type numbering struct {
	lists    map[string]*list
	counters map[string]map[int]int // by definition and level: the last number given
}

// readNumbering reads the definitions of lists and their uses.
func readNumbering(root *xmlpull.Node, s *styles) *numbering {
	definitions := map[string]*list{}
	for _, n := range root.All("w:abstractNum") {
		id := n.Attr("w:abstractNumId")
		definitions[id] = &list{abstract: id, levels: readLevels(n), styleLink: n.Child("w:numStyleLink").Attr("w:val")}
	}
	nb := &numbering{lists: map[string]*list{}, counters: map[string]map[int]int{}}
	uses := map[string]string{}
	for _, n := range root.All("w:num") {
		abstract := n.Child("w:abstractNumId").Attr("w:val")
		uses[n.Attr("w:numId")] = abstract
		if def := definitions[abstract]; def != nil {
			nb.lists[n.Attr("w:numId")] = override(def, n)
		}
	}
	for _, l := range nb.lists { // a definition may only name a style that has one
		if l.styleLink != "" {
			if def := definitions[uses[s.resolve(l.styleLink, 0).numID]]; def != nil {
				l.levels = def.levels
			}
		}
	}
	return nb
}

func readLevels(n *xmlpull.Node) map[int]level {
	levels := map[int]level{}
	for _, l := range n.All("w:lvl") {
		at := atoi(l.Attr("w:ilvl"))
		start, ok := number(l.Child("w:start"))
		if !ok {
			start = 1
		}
		levels[at] = level{
			format: l.Child("w:numFmt").Attr("w:val"),
			text:   l.Child("w:lvlText").Attr("w:val"),
			start:  start,
			legal:  enabled(l.Child("w:isLgl")),
		}
	}
	return levels
}

// override applies what a use changes in its definition.
func override(def *list, n *xmlpull.Node) *list {
	l := &list{abstract: def.abstract, levels: map[int]level{}, restarts: map[int]int{}, styleLink: def.styleLink}
	for at, lv := range def.levels {
		l.levels[at] = lv
	}
	for _, o := range n.All("w:lvlOverride") {
		at := atoi(o.Attr("w:ilvl"))
		for i, lv := range readLevels(o) {
			l.levels[i] = lv
		}
		if start, ok := number(o.Child("w:startOverride")); ok {
			l.restarts[at] = start
		}
	}
	return l
}

// item reads the place of a paragraph in a list; false if it is in none.
func (nb *numbering) item(props *xmlpull.Node, s *style) (flow.Para, bool) {
	id, at := s.numID, s.ilvl
	if num := props.Child("w:numPr"); num != nil {
		if v := num.Child("w:numId").Attr("w:val"); v != "" {
			id = v
		}
		if v, ok := number(num.Child("w:ilvl")); ok {
			at = v
		}
	}
	if id == "0" && s.numID != "" { // of a list by its style, with its number taken away
		return flow.Para{Form: flow.More, Level: deepest}, true
	}
	l := nb.lists[id]
	if id == "" || id == "0" || l == nil {
		return flow.Para{}, false
	}
	at = min(max(at, 0), 8)
	lv := l.levels[at]
	if strings.TrimSpace(lv.text) == "" && lv.format != "" {
		return flow.Para{Form: flow.More, Level: at}, true
	}
	p := flow.Para{Form: flow.Item, Level: at, List: l.abstract}
	if lv.format == "bullet" {
		return p, true
	}
	p.Number = nb.count(l, at, lv.start)
	if strings.Count(lv.text, "%") > 1 {
		p.Label = nb.label(l, at, lv.text)
		return p, true
	}
	p.Ordered = true
	return p, true
}

// label writes a number that has those of the levels above in it, such as
// "2.1.", which texts refer to.
func (nb *numbering) label(l *list, at int, text string) string {
	for i := at; i >= 0; i-- {
		n, counted := nb.counters[l.abstract][i]
		if !counted {
			n = l.levels[i].start
		}
		format := l.levels[i].format
		if l.levels[at].legal {
			format = "decimal"
		}
		text = strings.ReplaceAll(text, "%"+strconv.Itoa(i+1), spell(n, format))
	}
	return strings.TrimSpace(text)
}

// spell writes a number in one of the ways of counting that lists use.
func spell(n int, format string) string {
	switch format {
	case "lowerLetter":
		return letters(n)
	case "upperLetter":
		return strings.ToUpper(letters(n))
	case "lowerRoman":
		return roman(n)
	case "upperRoman":
		return strings.ToUpper(roman(n))
	}
	return strconv.Itoa(n)
}

// letters counts a to z, then aa to zz, and so on.
func letters(n int) string {
	if n < 1 || n > 26*20 {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(rune('a'+(n-1)%26)), (n-1)/26+1)
}

func roman(n int) string {
	if n < 1 || n > 3999 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, d := range []struct {
		value int
		text  string
	}{{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"},
		{5, "v"}, {4, "iv"}, {1, "i"}} {
		for ; n >= d.value; n -= d.value {
			b.WriteString(d.text)
		}
	}
	return b.String()
}

// count gives the next number. Uses of one definition go on counting together,
// unless a use says that it starts anew.
func (nb *numbering) count(l *list, at, start int) int {
	c := nb.counters[l.abstract]
	if c == nil {
		c = map[int]int{}
		nb.counters[l.abstract] = c
	}
	if from, ok := l.restarts[at]; ok {
		c[at] = from - 1
		delete(l.restarts, at)
	} else if _, counted := c[at]; !counted {
		c[at] = start - 1
	}
	c[at]++
	for deeper := range c {
		if deeper > at {
			delete(c, deeper)
		}
	}
	return c[at]
}
