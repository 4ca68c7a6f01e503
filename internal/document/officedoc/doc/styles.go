package doc

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/trawlhq/trawl/internal/document/flow"
)

// compactName drops what programs put between the words of a style.
var compactName = strings.NewReplacer(" ", "", "_", "", "-", "")

// style is a named style, what it is based on included.
type style struct {
	name    string
	heading int // level; 0: none
	code    bool
	quote   bool
	mono    bool
	isChar  bool
	base    int
	chars   charProps
	para    paraProps
	rawPara []byte
	rawChar []byte
	settled int // 0: not yet, 1: being settled, 2: done
}

const noStyle = 0xFFF

// readStyles reads the style sheet: a header that says how long the fixed part
// of an entry is, then the entries with their names and properties.
func readStyles(b []byte, fonts []string) []style {
	if len(b) < 6 {
		return nil
	}
	header := int(le.Uint16(b))
	if header+2 > len(b) || header < 4 {
		return nil
	}
	count, fixed := int(le.Uint16(b[2:])), int(le.Uint16(b[4:]))
	b = b[2+header:]
	var list []style
	for range count {
		if len(b) < 2 {
			break
		}
		size := int(le.Uint16(b))
		entry := slice(b, 2, int64(size))
		list = append(list, readStyle(entry, fixed))
		b = b[min(2+size, len(b)):]
	}
	for i := range list {
		settle(list, i, fonts)
	}
	return list
}

func readStyle(entry []byte, fixed int) style {
	if len(entry) < 10 || fixed < 10 || fixed+2 > len(entry) {
		return style{base: noStyle, settled: 2, chars: charProps{font: -1}}
	}
	kind, base := le.Uint16(entry[2:])&0xF, int(le.Uint16(entry[2:])>>4)
	s := style{base: base, isChar: kind == 2}
	size := int(le.Uint16(entry[fixed:]))
	at := fixed + 2
	var units []uint16
	for i := 0; i < size && at+2*i+2 <= len(entry); i++ {
		units = append(units, le.Uint16(entry[at+2*i:]))
	}
	s.name = string(utf16.Decode(units))
	at += 2*size + 2
	var parts [][]byte
	for at+2 <= len(entry) && len(parts) < 2 {
		n := int(le.Uint16(entry[at:]))
		parts = append(parts, slice(entry, int64(at+2), int64(n)))
		at += 2 + n + n&1
	}
	switch {
	case kind == 1 && len(parts) > 0:
		if len(parts[0]) > 2 {
			s.rawPara = parts[0][2:] // after the number of the style itself
		}
		if len(parts) > 1 {
			s.rawChar = parts[1]
		}
	case kind == 2 && len(parts) > 0:
		s.rawChar = parts[0]
	}
	return s
}

// settle resolves what a style is based on; a circle ends where it meets itself.
func settle(list []style, i int, fonts []string) {
	s := &list[i]
	if s.settled != 0 {
		return
	}
	s.settled = 1
	s.chars.font, s.para.outline = -1, -1
	if s.base != noStyle && s.base < len(list) && s.base != i {
		settle(list, s.base, fonts)
		b := list[s.base]
		if b.settled == 2 {
			s.chars, s.para = b.chars, b.para
			s.heading, s.code, s.quote = b.heading, b.code, b.quote
		}
	}
	s.chars.apply(s.rawChar, s.chars)
	s.para.apply(s.rawPara)
	s.named()
	s.mono = s.mono || s.chars.font >= 0 && s.chars.font < len(fonts) && flow.IsMono(fonts[s.chars.font])
	s.settled = 2
}

func (s *style) named() {
	name, _, _ := strings.Cut(strings.ToLower(s.name), ",")
	compact := compactName.Replace(name)
	if level, ok := strings.CutPrefix(compact, "heading"); ok {
		if n, err := strconv.Atoi(level); err == nil && n > 0 {
			s.heading = min(n, 6)
		}
	}
	switch compact {
	case "title":
		s.heading = 1
	case "subtitle":
		s.heading = 2
	case "normal", "bodytext", "textbody":
		s.heading, s.code, s.quote = 0, false, false
	case "sourcecode", "htmlpreformatted", "preformattedtext", "code", "verbatim", "macrotext":
		s.code = true
	case "quote", "intensequote", "blocktext", "blockquote", "quotations":
		s.quote = true
	case "verbatimchar", "sourcetext", "htmlcode", "htmltypewriter", "htmlkeyboard", "htmlsample":
		s.mono = true
	}
}

func (r *reader) style(i int) *style {
	if i < 0 || i >= len(r.styles) {
		return nil
	}
	return &r.styles[i]
}

// readFonts reads the names of fonts: a count, then entries with their length,
// a fixed part of 39 bytes and the name.
func readFonts(b []byte) []string {
	if len(b) < 4 {
		return nil
	}
	count := int(le.Uint16(b))
	b = b[4:]
	var fonts []string
	for range count {
		if len(b) < 1 {
			break
		}
		size := int(b[0]) + 1
		entry := b[:min(size, len(b))]
		b = b[len(entry):]
		var units []uint16
		for at := 40; at+2 <= len(entry); at += 2 {
			u := le.Uint16(entry[at:])
			if u == 0 {
				break
			}
			units = append(units, u)
		}
		fonts = append(fonts, string(utf16.Decode(units)))
	}
	return fonts
}
