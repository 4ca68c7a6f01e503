package doc

import "github.com/trawlhq/trawl/internal/document/flow"

// Codes of the properties that matter here.
const (
	sprmDeleted    = 0x0800
	sprmBold       = 0x0835
	sprmItalic     = 0x0836
	sprmStrike     = 0x0837
	sprmHidden     = 0x083C
	sprmSpecial    = 0x0855
	sprmDblStrike  = 0x2A53
	sprmScript     = 0x2A48
	sprmRaised     = 0x4845
	sprmCharStyle  = 0x4A30
	sprmFont       = 0x4A4F
	sprmSymbol     = 0x6A09
	sprmParaStyle  = 0x4600
	sprmLevel      = 0x260A
	sprmList       = 0x460B
	sprmInTable    = 0x2416
	sprmRowEnd     = 0x2417
	sprmInnerCell  = 0x244B
	sprmInnerRow   = 0x244C
	sprmTableDepth = 0x6649
	sprmOutline    = 0x2640
	sprmTable      = 0xD608
	sprmHeaderRow  = 0x3404
	sprmTabs       = 0xC615
)

// eachSprm calls visit for every property of a list. The top bits of a code say
// how long its value is.
func eachSprm(list []byte, visit func(code int, value []byte)) {
	for len(list) >= 2 {
		code := int(le.Uint16(list))
		list = list[2:]
		size, head := 0, 0
		switch code >> 13 {
		case 0, 1:
			size = 1
		case 2, 4, 5:
			size = 2
		case 3:
			size = 4
		case 7:
			size = 3
		case 6:
			if len(list) < 2 {
				return
			}
			size, head = int(list[0]), 1
			switch {
			case code == sprmTable:
				size, head = int(le.Uint16(list))-1, 2
			case code == sprmTabs && size == 255: // too long for a byte: its two lists say how long
				size = tabsSize(list[1:])
			}
		}
		if size < 0 || head+size > len(list) {
			return
		}
		visit(code, list[head:head+size])
		list = list[head+size:]
	}
}

func tabsSize(b []byte) int {
	deleted := int(b[0])
	at := 1 + 4*deleted
	if at >= len(b) {
		return len(b)
	}
	return at + 1 + 3*int(b[at])
}

// charProps is how characters are set.
type charProps struct {
	marks   flow.Mark
	hidden  bool
	deleted bool
	special bool // a character with a meaning of its own, such as a note's mark
	font    int  // number of the font; -1: not said
	symbol  rune // of a symbol font; 0: none
	symFont int
}

// toggle reads a switch: off, on, as the style says, or the opposite of it.
func toggle(v byte, style bool) bool {
	switch v {
	case 0x80:
		return style
	case 0x81:
		return !style
	}
	return v != 0
}

// applyChars lays properties over those of a style.
func (c *charProps) apply(list []byte, base charProps) {
	set := func(mark flow.Mark, v byte) {
		c.marks &^= mark
		if toggle(v, base.marks&mark != 0) {
			c.marks |= mark
		}
	}
	eachSprm(list, func(code int, v []byte) {
		switch code {
		case sprmBold:
			set(flow.Bold, v[0])
		case sprmItalic:
			set(flow.Italic, v[0])
		case sprmStrike, sprmDblStrike:
			set(flow.Strike, v[0])
		case sprmHidden:
			c.hidden = toggle(v[0], base.hidden)
		case sprmDeleted:
			c.deleted = v[0] != 0
		case sprmSpecial:
			c.special = v[0] != 0
		case sprmScript:
			c.marks &^= flow.Super | flow.Sub
			switch v[0] {
			case 1:
				c.marks |= flow.Super
			case 2:
				c.marks |= flow.Sub
			}
		case sprmRaised: // by half points, lowered where below zero
			c.marks &^= flow.Super | flow.Sub
			switch by := int16(le.Uint16(v)); {
			case by > 0:
				c.marks |= flow.Super
			case by < 0:
				c.marks |= flow.Sub
			}
		case sprmFont:
			c.font = int(le.Uint16(v))
		case sprmSymbol:
			c.symFont, c.symbol = int(le.Uint16(v)), rune(le.Uint16(v[2:]))
		}
	})
}

// paraProps is how a paragraph is set.
type paraProps struct {
	style     int
	list      int // number of the use of a list; 0: none
	level     int
	outline   int // 9: body text
	inTable   bool
	rowEnd    bool
	innerCell bool
	innerRow  bool
	depth     int
	row       flow.RowDef
}

func (p *paraProps) apply(list []byte) {
	eachSprm(list, func(code int, v []byte) {
		switch code {
		case sprmParaStyle:
			p.style = int(le.Uint16(v))
		case sprmList:
			p.list = int(le.Uint16(v))
		case sprmLevel:
			p.level = min(int(v[0]), 8)
		case sprmOutline:
			p.outline = int(v[0])
		case sprmInTable:
			p.inTable = v[0] != 0
		case sprmRowEnd:
			p.rowEnd = v[0] != 0
		case sprmInnerCell:
			p.innerCell = v[0] != 0
		case sprmInnerRow:
			p.innerRow = v[0] != 0
		case sprmTableDepth:
			p.depth = int(min(le.Uint32(v), 30))
		case sprmHeaderRow:
			p.row.Header = v[0] != 0
		case sprmTable:
			p.row.Cells = readCells(v)
		}
	})
}

// readCells reads the description of a row: the edges of its cells, then how
// each is merged with others.
func readCells(v []byte) []flow.CellDef {
	if len(v) < 1 {
		return nil
	}
	n := int(v[0])
	flags := 1 + 2*(n+1)
	var cells []flow.CellDef
	for i := range n {
		if 1+2*(i+1)+2 > len(v) {
			break
		}
		c := flow.CellDef{Edge: int(int16(le.Uint16(v[1+2*(i+1):]))) + 1<<16} // never zero, which means unknown
		if at := flags + 20*i; at+2 <= len(v) {
			f := le.Uint16(v[at:])
			c.Along = f&2 != 0
			c.Down = f&0x40 != 0
			c.GoesOn = f&0x20 != 0 && f&0x40 == 0
		}
		cells = append(cells, c)
	}
	return cells
}
