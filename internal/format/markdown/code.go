package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// codeBlock writes a fenced block: the text exactly as the page has it.
func (c *converter) codeBlock(n *html.Node) {
	var b strings.Builder
	writeCode(&b, n)
	text := strings.ReplaceAll(b.String(), "\r\n", "\n")
	if n.DataAtom == atom.Code {
		text = strings.Trim(text, " \t\n") // white space around the <pre> inside
	}
	text = strings.TrimRight(text, "\n")
	language := codeLanguage(n)
	if language != "" {
		text = strings.TrimLeft(text, "\n") // highlighters begin with an empty line
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if text != "" {
		text += "\n"
	}
	c.out.block(fence + language + "\n" + text + fence)
}

// writeCode gathers code: line breaks of any make, without the numbers beside
// the lines and the button that copies them.
func writeCode(b *strings.Builder, n *html.Node) {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		switch {
		case child.Type == html.TextNode:
			b.WriteString(child.Data)
		case child.Type != html.ElementNode || isCodeDecoration(child) || isLineNumber(child):
		case child.DataAtom == atom.Br:
			b.WriteByte('\n')
		default:
			line := isCodeLine(child)
			if line {
				endLine(b)
			}
			before := b.Len()
			writeCode(b, child)
			if line && isBlock(child) && b.Len() > before {
				endLine(b)
			}
		}
	}
}

func endLine(b *strings.Builder) {
	if s := b.String(); s != "" && s[len(s)-1] != '\n' {
		b.WriteByte('\n')
	}
}

// isCodeLine reports whether an element is one line of code.
func isCodeLine(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Div, atom.P, atom.Li, atom.Tr:
		return true
	}
	return hasClass(n, "line", "code-line", "token-line", "view-line", "cl")
}

// isCodeDecoration reports whether an element stands beside code, not in it.
func isCodeDecoration(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Button, atom.Style, atom.Script, atom.Svg, atom.Textarea:
		return true
	}
	return isGutter(n)
}

// isLineNumber reports whether an element is a number with the line it counts
// beside it in a block of its own.
func isLineNumber(n *html.Node) bool {
	next := n.NextSibling
	return n.DataAtom == atom.Span && n.PrevSibling == nil && isElement(next) && next.DataAtom == atom.Div &&
		strings.Trim(textOf(n), "0123456789 ") == "" && textOf(n) != ""
}

func isGutter(n *html.Node) bool {
	return hasClass(n, "gutter", "lineno", "linenos", "linenumber", "line-number", "line-numbers", "linenodiv",
		"line-numbers-rows", "blob-num", "rouge-gutter", "ln", "lnt", "hljs-ln-numbers",
		"react-syntax-highlighter-line-number", "toolbar", "code-toolbar-item", "copy", "copy-button")
}

// isCodeFigure reports whether n is a highlighter's wrapper with the numbers in
// one place and the code in another.
func isCodeFigure(n *html.Node) bool {
	if n.DataAtom != atom.Figure && n.DataAtom != atom.Div || !hasClass(n, "highlight") {
		return false
	}
	gutter := false
	for d := range n.Descendants() {
		if d.DataAtom == atom.P || d.DataAtom == atom.H2 || d.DataAtom == atom.Figcaption {
			return false
		}
		gutter = gutter || d.Type == html.ElementNode && isGutter(d)
	}
	return gutter
}

// isCodeTable reports whether a table only sets line numbers beside code.
func isCodeTable(n *html.Node) bool {
	gutter, code := false, false
	for d := range n.Descendants() {
		if d.Type != html.ElementNode {
			continue
		}
		gutter = gutter || isGutter(d)
		code = code || d.DataAtom == atom.Pre || hasClass(d, "blob-code", "code", "hljs-ln-code")
		if d.DataAtom == atom.Th {
			return false
		}
	}
	return gutter && code
}

// codeLanguage reads the language off the block, what is in it, or the
// wrappers a highlighter puts around it.
func codeLanguage(n *html.Node) string {
	if lang := ownLanguage(n); lang != "" {
		return lang
	}
	for d := range n.Descendants() {
		if d.DataAtom == atom.Code || d.DataAtom == atom.Pre {
			if lang := ownLanguage(d); lang != "" {
				return lang
			}
		}
	}
	up := n.Parent
	for range 3 {
		if !isElement(up) || up.DataAtom == atom.Body {
			break
		}
		if lang := ownLanguage(up); lang != "" {
			return lang
		}
		up = up.Parent
	}
	return ""
}

func ownLanguage(n *html.Node) string {
	for _, key := range []string{"data-lang", "data-language", "data-code-lang", "data-code-language"} {
		if lang := attr(n, key); lang != "" && len(lang) < 30 && !strings.ContainsAny(lang, " `\n") {
			return speaking(strings.ToLower(lang))
		}
	}
	highlighter := false
	for class := range strings.FieldsSeq(attr(n, "class")) {
		for _, prefix := range []string{"language-", "lang-", "highlight-source-", "highlight-text-", "brush:", "code-"} {
			if lang, ok := strings.CutPrefix(class, prefix); ok && lang != "" && (prefix != "code-" || knownLanguage(lang)) {
				return speaking(lang)
			}
		}
		if lang, ok := strings.CutPrefix(class, "highlight-"); ok && knownLanguage(lang) {
			return lang
		}
		if highlighter && knownLanguage(class) {
			return class
		}
		highlighter = highlighter || class == "hljs" || class == "sourceCode" || class == "highlight" || class == "prettyprint"
	}
	return ""
}

// speaking drops names that say "no language".
func speaking(lang string) string {
	switch lang {
	case "none", "text", "plaintext", "plain", "default", "nohighlight", "unknown", "notranslate":
		return ""
	}
	return lang
}

// knownLanguage tells a language from the other classes highlighters write.
func knownLanguage(name string) bool {
	switch strings.ToLower(name) {
	case "bash", "c", "clojure", "cpp", "csharp", "css", "dart", "diff", "dockerfile", "elixir", "erlang", "go", "graphql",
		"groovy", "haskell", "html", "ini", "java", "javascript", "js", "json", "jsx", "julia", "kotlin", "latex", "lua",
		"makefile", "markdown", "matlab", "nginx", "objc", "ocaml", "perl", "php", "powershell", "python", "py", "r", "ruby",
		"rust", "sass", "scala", "scss", "sh", "shell", "sql", "swift", "toml", "ts", "tsx", "typescript", "vim", "xml", "yaml", "yml", "zig":
		return true
	}
	return false
}
