package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// titleEscapes keep a quote from ending the title of a link.
var titleEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// anchor writes an <a> inside a line.
func (c *converter) anchor(n *html.Node) {
	if c.notes.isBacklink(n) {
		return
	}
	if label, ok := c.notes.reference(n); ok {
		c.run.raw("[^" + label + "]")
		return
	}
	if !hasAttr(n, "href") || c.run.label > 0 || c.link != nil {
		c.inlineChildren(n)
		return
	}
	c.run.owedSpace()
	at := len(c.run.buf)
	marks := c.run.marks
	c.run.marks = nil
	c.run.label++
	c.inlineChildren(n)
	c.run.label--
	c.run.marks = marks
	text := strings.TrimRight(string(c.run.buf[at:]), " \n")
	if len(text) < len(c.run.buf)-at {
		c.run.space = true
	}
	c.run.buf = append(c.run.buf[:at], c.wrapLink(n, text)...)
}

// wrapLink makes a link of a text that is Markdown already.
func (c *converter) wrapLink(n *html.Node, text string) string {
	if !hasAttr(n, "href") {
		return text
	}
	return "[" + text + "](" + destination(attr(n, "href")) + title(attr(n, "title")) + ")"
}

// blockLink writes an <a> around blocks, a card for instance: its first line
// becomes the link, the rest stays text.
func (c *converter) blockLink(n *html.Node) {
	if hasAttr(n, "href") && c.link == nil {
		c.link = n
	}
	c.children(n)
	c.flush()
	if c.link == n {
		c.link = nil
	}
}

func (c *converter) image(n *html.Node) {
	src := attr(n, "src")
	if src == "" {
		return
	}
	alt := collapse(attr(n, "alt"))
	if isMathImage(n) && alt != "" {
		c.run.raw("$" + alt + "$")
		return
	}
	dest := destination(src)
	if !c.opts.KeepBase64Images && isBase64(src) {
		dest = "<Base64-Image-Removed>"
	}
	var label inline
	label.label, label.cell = 1, c.run.cell
	label.text(alt)
	c.run.raw("![" + string(label.buf) + "](" + dest + title(attr(n, "title")) + ")")
}

func isBase64(src string) bool {
	head, _, ok := strings.Cut(src, ",")
	return ok && strings.HasPrefix(head, "data:image/") && strings.HasSuffix(head, ";base64")
}

// destination writes an address so that nothing in it ends the link.
func destination(url string) string {
	url = strings.TrimSpace(url)
	if url == "" {
		return ""
	}
	if !strings.ContainsAny(url, " \t\n\r\f()<>\\*_`[]") {
		return url
	}
	balanced := parensBalance(url)
	var b strings.Builder
	for i := 0; i < len(url); i++ {
		switch ch := url[i]; ch {
		case ' ', '\t', '\n', '\r', '\f':
			b.WriteString("%20")
		case '<':
			b.WriteString("%3C")
		case '>':
			b.WriteString("%3E")
		case '\\':
			if i+1 < len(url) && isASCIIPunct(url[i+1]) {
				b.WriteString("%5C")
			} else {
				b.WriteByte(ch)
			}
		case '(', ')':
			if !balanced {
				b.WriteByte('\\')
			}
			b.WriteByte(ch)
		default:
			b.WriteByte(ch)
		}
	}
	return b.String()
}

func parensBalance(s string) bool {
	open := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			open++
		case ')':
			if open--; open < 0 {
				return false
			}
		}
	}
	return open == 0
}

func title(s string) string {
	s = collapse(s)
	if s == "" {
		return ""
	}
	return ` "` + titleEscapes.Replace(s) + `"`
}

func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// isMathImage reports whether an image shows a formula whose alt text is TeX.
func isMathImage(n *html.Node) bool {
	return n.DataAtom == atom.Img && hasClass(n, "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display",
		"latex", "tex", "math")
}
