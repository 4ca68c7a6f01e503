// Package omml writes the formulas of Word and PowerPoint as TeX.
package omml

import (
	"strings"
	"unicode"

	"github.com/trawlhq/trawl/internal/document/xmlpull"
)

// TeX writes a formula. Parts it does not know give the text inside them.
func TeX(n *xmlpull.Node) string {
	return strings.TrimSpace(sequence(n))
}

// sequence writes all children of n, one after the other.
func sequence(n *xmlpull.Node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	for _, k := range n.Kids {
		b.WriteString(element(k))
	}
	return b.String()
}

// element writes one part of a formula.
func element(n *xmlpull.Node) string {
	switch n.Name {
	case "m:r":
		return run(n)
	case "m:f":
		return fraction(n)
	case "m:rad":
		return radical(n)
	case "m:sSup":
		return base(n) + script("^", n.Child("m:sup"))
	case "m:sSub":
		return base(n) + script("_", n.Child("m:sub"))
	case "m:sSubSup":
		return base(n) + script("_", n.Child("m:sub")) + script("^", n.Child("m:sup"))
	case "m:sPre":
		return "{}" + script("_", n.Child("m:sub")) + script("^", n.Child("m:sup")) + group(n.Child("m:e"))
	case "m:nary":
		return nary(n)
	case "m:d":
		return delimited(n)
	case "m:func":
		return function(n)
	case "m:limLow":
		return sequence(n.Child("m:e")) + script("_", n.Child("m:lim"))
	case "m:limUpp":
		return sequence(n.Child("m:e")) + script("^", n.Child("m:lim"))
	case "m:m":
		return matrix(n)
	case "m:eqArr":
		return rows("aligned", n.All("m:e"))
	case "m:bar":
		return bar(n)
	case "m:acc":
		return accent(n)
	case "m:groupChr":
		return grouped(n)
	case "m:borderBox":
		return `\boxed` + group(n.Child("m:e"))
	case "w:del", "w:moveFrom":
		return ""
	}
	if strings.HasSuffix(n.Name, "Pr") { // properties
		return ""
	}
	return sequence(n)
}

// run writes text: letters as they are, symbols by their command. A run marked
// as plain text becomes \text.
func run(n *xmlpull.Node) string {
	var text strings.Builder
	for _, t := range n.All("m:t") {
		text.WriteString(t.Content())
	}
	if n.Child("m:rPr", "m:nor") != nil && strings.ContainsAny(text.String(), " \u00a0") {
		return `\text{` + text.String() + "}"
	}
	return symbols(text.String())
}

func group(n *xmlpull.Node) string { return "{" + sequence(n) + "}" }

func script(mark string, n *xmlpull.Node) string {
	s := sequence(n)
	if s == "" {
		return ""
	}
	return mark + "{" + s + "}"
}

// base writes what a script hangs on; a built-up one is kept together.
func base(n *xmlpull.Node) string {
	e := n.Child("m:e")
	s := sequence(e)
	for _, built := range []string{"m:f", "m:sSup", "m:sSub", "m:sSubSup", "m:nary"} {
		if e.Child(built) != nil {
			return "{" + s + "}"
		}
	}
	return s
}

func fraction(n *xmlpull.Node) string {
	num, den := group(n.Child("m:num")), group(n.Child("m:den"))
	switch n.Child("m:fPr", "m:type").Attr("m:val") {
	case "noBar":
		return `\genfrac{}{}{0pt}{}` + num + den
	case "lin":
		return num + "/" + den
	}
	return `\frac` + num + den
}

func radical(n *xmlpull.Node) string {
	degree := sequence(n.Child("m:deg"))
	if degree == "" || hidden(n.Child("m:radPr", "m:degHide")) {
		return `\sqrt` + group(n.Child("m:e"))
	}
	return `\sqrt[` + degree + "]" + group(n.Child("m:e"))
}

// nary writes sums, integrals and their like. Without a character it is an
// integral, as the standard says.
func nary(n *xmlpull.Node) string {
	props := n.Child("m:naryPr")
	op := "∫"
	if chr, ok := props.Child("m:chr").Lookup("m:val"); ok {
		op = chr
	}
	s := strings.TrimSpace(symbols(op))
	if !hidden(props.Child("m:subHide")) {
		s += script("_", n.Child("m:sub"))
	}
	if !hidden(props.Child("m:supHide")) {
		s += script("^", n.Child("m:sup"))
	}
	body := sequence(n.Child("m:e"))
	if isCommand(s) && body != "" && unicode.IsLetter(rune(body[0])) {
		s += " "
	}
	return s + body
}

// isCommand tells whether s ends in a command, which would swallow a letter
// that follows it.
func isCommand(s string) bool {
	i := strings.LastIndexByte(s, '\\')
	return i >= 0 && strings.IndexFunc(s[i+1:], func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// delimited writes brackets that grow with what they hold.
func delimited(n *xmlpull.Node) string {
	props := n.Child("m:dPr")
	begin, end, between := "(", ")", "|"
	if v, ok := props.Child("m:begChr").Lookup("m:val"); ok {
		begin = v
	}
	if v, ok := props.Child("m:endChr").Lookup("m:val"); ok {
		end = v
	}
	if v, ok := props.Child("m:sepChr").Lookup("m:val"); ok {
		between = v
	}
	var parts []string
	for _, e := range n.All("m:e") {
		parts = append(parts, sequence(e))
	}
	return `\left` + delimiter(begin) + strings.Join(parts, between) + `\right` + delimiter(end)
}

func delimiter(s string) string {
	switch s {
	case "":
		return "."
	case "{", "}":
		return `\` + s
	case "⌊", "⌋", "⌈", "⌉", "⟨", "⟩", "‖", "〈", "〉":
		return strings.TrimSpace(symbols(s))
	}
	return s
}

func function(n *xmlpull.Node) string {
	name := strings.TrimSpace(sequence(n.Child("m:fName")))
	plain, rest := name, ""
	if i := strings.IndexAny(name, "_^"); i > 0 {
		plain, rest = name[:i], name[i:]
	}
	if functions[plain] {
		name = `\` + plain + rest
	}
	return name + group(n.Child("m:e"))
}

func matrix(n *xmlpull.Node) string {
	var lines []string
	for _, row := range n.All("m:mr") {
		var cells []string
		for _, e := range row.All("m:e") {
			cells = append(cells, sequence(e))
		}
		lines = append(lines, strings.Join(cells, " & "))
	}
	return `\begin{matrix}` + strings.Join(lines, ` \\ `) + `\end{matrix}`
}

func rows(env string, elements []*xmlpull.Node) string {
	if len(elements) == 1 {
		return sequence(elements[0])
	}
	var lines []string
	for _, e := range elements {
		lines = append(lines, sequence(e))
	}
	return `\begin{` + env + "}" + strings.Join(lines, ` \\ `) + `\end{` + env + "}"
}

func bar(n *xmlpull.Node) string {
	if n.Child("m:barPr", "m:pos").Attr("m:val") == "top" {
		return `\overline` + group(n.Child("m:e"))
	}
	return `\underline` + group(n.Child("m:e"))
}

func accent(n *xmlpull.Node) string {
	chr, ok := n.Child("m:accPr", "m:chr").Lookup("m:val")
	if !ok {
		chr = "\u0302"
	}
	command, ok := accents[chr]
	if !ok {
		return sequence(n.Child("m:e"))
	}
	return command + group(n.Child("m:e"))
}

func grouped(n *xmlpull.Node) string {
	switch n.Child("m:groupChrPr", "m:chr").Attr("m:val") {
	case "⏞":
		return `\overbrace` + group(n.Child("m:e"))
	case "", "⏟":
		return `\underbrace` + group(n.Child("m:e"))
	}
	return sequence(n.Child("m:e"))
}

// hidden reads a switch, which is on unless it says otherwise.
func hidden(n *xmlpull.Node) bool {
	v, given := n.Lookup("m:val")
	return n != nil && (!given || v == "1" || v == "on" || v == "true")
}
