package rtf

import (
	"strconv"
	"unicode/utf16"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
	"github.com/trawlhq/trawl/internal/document/officedoc/field"
)

// control carries out a command.
func (r *reader) control(t token) {
	if t.word == "'" {
		if r.lex.skipChars > 0 {
			r.lex.skipChars--
			return
		}
		r.tables.bytes = append(r.tables.bytes, t.hex)
		return
	}
	r.flushBytes()
	if r.lex.skipChars > 0 && t.word != "u" { // a command counts as one character
		r.lex.skipChars--
		if _, ok := characters[t.word]; ok {
			return
		}
	}
	fresh := r.state.fresh
	r.state.fresh = false
	switch {
	case t.word == "*":
		r.state.ignorable, r.state.fresh = true, true
		return
	case t.word == "u":
		r.unicode(t.number)
		return
	case t.word == "uc":
		r.state.skip = min(max(t.number, 0), 8)
		return
	}
	if r.destination(t, fresh) {
		return
	}
	switch r.state.dest {
	case destText:
		r.inText(t)
	case destInstruction:
		if s, ok := characters[t.word]; ok { // switches begin with a backslash, which is written as two
			r.write(s)
		}
	case destNowhere:
	default:
		r.inTable(t)
	}
}

// unicode writes a character by its number. Large ones come as two halves.
func (r *reader) unicode(n int) {
	c := rune(uint16(n))
	r.lex.skipChars = r.state.skip
	switch {
	case utf16.IsSurrogate(c) && c < 0xDC00:
		r.story.high = c
		return
	case utf16.IsSurrogate(c):
		c = utf16.DecodeRune(r.story.high, c)
	case c >= 0xF000 && c <= 0xF0FF && r.tables.fonts[r.state.char.font].symbol:
		c -= 0xF000 // the font says what it looks like
	}
	r.write(string(c))
}

var characters = map[string]string{
	"tab": "\t", "line": "\n", "lbr": "\n", "emdash": "—", "endash": "–", "emspace": " ", "enspace": " ", "qmspace": " ",
	"bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "~": "\u00a0", "_": "\u2011",
	"{": "{", "}": "}", "\\": "\\", "\t": "\t", "softline": "\n",
}

// inText carries out a command about the text of the document.
func (r *reader) inText(t token) {
	if s, ok := characters[t.word]; ok {
		r.write(s)
		return
	}
	if r.charFormat(t) || r.paraFormat(t) || r.story.tableFormat(t, r.state.nested) {
		return
	}
	switch t.word {
	case "par", "\n", "\r", "sect", "page":
		r.endParagraph()
	case "cell":
		r.endParagraph()
		r.story.text.EndCell(1)
	case "nestcell":
		depth := max(r.state.para.tableDepth(), 2)
		r.endParagraph()
		r.story.text.EndCell(depth)
	case "row":
		r.story.text.EndRow(1, r.story.outerRow.RowDef)
	case "nestrow":
		r.story.text.EndRow(max(r.state.para.tableDepth(), 2), r.story.nestedRow.RowDef)
	case "ansicpg":
		r.tables.page = t.number
	case "deff":
		r.tables.defaultFont = t.number
		r.state.char.font = t.number
	case "mac":
		r.tables.page = 10000
	case "pc":
		r.tables.page = 437
	}
}

func (r *reader) charFormat(t token) bool {
	c := &r.state.char
	on := !t.given || t.number != 0
	switch t.word {
	case "plain":
		*c = char{font: r.tables.defaultFont}
	case "b":
		c.marks = flip(c.marks, flow.Bold, on)
	case "i":
		c.marks = flip(c.marks, flow.Italic, on)
	case "strike", "striked":
		c.marks = flip(c.marks, flow.Strike, on)
	case "super":
		c.marks = flip(c.marks&^flow.Sub, flow.Super, on)
	case "sub":
		c.marks = flip(c.marks&^flow.Super, flow.Sub, on)
	case "nosupersub":
		c.marks &^= flow.Super | flow.Sub
	case "up": // raised by so many half points, which older programs do for want of the real thing
		c.marks = flip(c.marks&^flow.Sub, flow.Super, on)
	case "dn":
		c.marks = flip(c.marks&^flow.Super, flow.Sub, on)
	case "v":
		c.hidden = on
	case "deleted":
		c.deleted = on
	case "caps":
		c.caps = on
	case "f":
		c.font = t.number
	default:
		return false
	}
	return true
}

func flip(marks, mark flow.Mark, on bool) flow.Mark {
	if on {
		return marks | mark
	}
	return marks &^ mark
}

func (r *reader) paraFormat(t token) bool {
	p := &r.state.para
	switch t.word {
	case "pard":
		*p = para{}
	case "s":
		p.style = t.number
	case "outlinelevel":
		p.outline = 0
		if t.number >= 0 && t.number < 9 {
			p.outline = t.number + 1
		}
	case "ls":
		p.list = t.number
	case "ilvl":
		p.level = min(max(t.number, 0), 8)
	case "li":
		p.left = t.number
	case "fi":
		p.first = t.number
	case "intbl":
		p.inTable = true
	case "itap":
		p.depth = max(t.number, 0)
		p.inTable = p.depth > 0
	case "pnlvlblt":
		r.numbered(oldList{shown: true})
	case "pnlvlbody", "pnlvl":
		r.numbered(oldList{shown: true, ordered: true})
	case "pnlvlcont":
		r.numbered(oldList{})
	default:
		return false
	}
	return true
}

// numbered says what stands before a paragraph in the manner of Word 6. It is said
// in a group of its own and holds for the paragraph around it.
func (r *reader) numbered(list oldList) {
	r.state.para.old = list
	if n := len(r.saved); n > 0 {
		r.saved[n-1].para.old = list
	}
}

// destination carries out a command that says where text goes.
func (r *reader) destination(t token, fresh bool) bool {
	if !fresh {
		return false
	}
	switch t.word {
	case "fonttbl":
		r.state.dest = destFonts
	case "stylesheet":
		r.state.dest = destStyles
	case "info":
		r.state.dest = destInfo
	case "listtable":
		r.state.dest = destLists
	case "listoverridetable":
		r.state.dest = destOverrides
	case "leveltext":
		r.state.dest = destLevelText
		r.tables.text = ""
	case "field":
		r.state.instruction = ""
	case "nesttableprops":
		r.state.nested = true
	case "shp", "shpinst", "pn", "do", "dptxbx", "shppict", "shpgrp", "object", "result":
		r.state.ignorable = false // known: read what is inside
	case "upr": // the same twice, the second time for readers that know Unicode
		r.state.second, r.state.dest = r.state.dest, destNowhere
	case "ud":
		r.state.dest = r.state.second
	case "fldinst":
		r.state.dest = destInstruction
	case "fldrslt":
		if href := field.Hyperlink(r.state.instruction); href != "" {
			r.state.href = href
		}
	case "footnote":
		r.footnote()
	case "shptxt", "dptxbxtext":
		if r.state.dest != destNowhere {
			r.openStory(func(r *reader, nodes []*html.Node) { r.story.floats = append(r.story.floats, nodes...) })
		}
	case "bkmkstart":
		r.state.dest = destMark
		r.tables.text = ""
	case "pict":
		r.picture()
	default:
		return r.skipped(t)
	}
	return true
}

// skipped closes destinations whose text is not part of the document, and those
// nobody knows.
func (r *reader) skipped(t token) bool {
	switch t.word {
	case "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf", "colortbl", "ftnsep",
		"ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "pntext", "listtext", "nonesttables", "nonshppict", "shprslt",
		"objdata", "objclass", "objname", "xe", "tc", "rxe", "txe", "bkmkend", "themedata", "datastore", "latentstyles", "rsidtbl", "generator",
		"comment", "annotation", "atnid", "atnauthor", "template", "filetbl", "revtbl", "pgptbl", "pntxta", "pntxtb", "sp":
		r.state.dest = destNowhere
		return true
	}
	if r.state.ignorable && r.state.dest == destText {
		r.state.dest = destNowhere
		return true
	}
	return false
}

func (r *reader) footnote() {
	if r.state.dest == destNowhere {
		return
	}
	r.seen++
	key := strconv.Itoa(r.seen)
	r.openStory(func(r *reader, nodes []*html.Node) {
		ref := r.notes.Ref(key, func() []*html.Node { return nodes })
		r.story.add(flow.Span{Node: ref}, r.state.para)
	})
}

// picture stands for a picture; its bytes are hexadecimal text that is passed.
func (r *reader) picture() {
	if r.state.dest == destText {
		r.seen++
		r.story.add(flow.Span{Node: flow.Image("picture", "")}, r.state.para)
	}
	r.state.dest = destNowhere
}
