package ppt

import "github.com/trawlhq/trawl/internal/document/flow"

// paraRun is how a stretch of paragraphs is set.
type paraRun struct {
	from, to  int
	level     int
	hasBullet bool // it says whether there is a bullet
	bullet    bool
}

// charRun is how a stretch of characters is set.
type charRun struct {
	from, to int
	marks    flow.Mark
	number   int // which entry about numbers holds for paragraphs that begin here
}

// numbering is the number before a paragraph.
type numbering struct {
	shown bool
	start int
}

// cursor reads values one after the other; beyond the end all are zero.
type cursor struct {
	b     []byte
	ended bool
}

func (c *cursor) u16() int {
	if len(c.b) < 2 {
		c.b, c.ended = nil, true
		return 0
	}
	v := le.Uint16(c.b)
	c.b = c.b[2:]
	return int(v)
}

func (c *cursor) u32() uint32 {
	if len(c.b) < 4 {
		c.b, c.ended = nil, true
		return 0
	}
	v := le.Uint32(c.b)
	c.b = c.b[4:]
	return v
}

func (c *cursor) skip(n int) {
	if n > len(c.b) {
		c.ended = true
	}
	c.b = c.b[min(n, len(c.b)):]
}

// readStyle reads runs of paragraphs, then runs of characters. Both cover the
// text and the mark at its end.
func (t *text) readStyle(b []byte) {
	c := &cursor{b: b}
	total := len([]rune(t.chars)) + 1
	for at := 0; at < total && !c.ended; {
		count := int(min(c.u32(), 1<<20))
		run := paraRun{from: at, to: at + count, level: c.u16()}
		readParaRun(c, &run)
		if count == 0 {
			break
		}
		t.paras = append(t.paras, run)
		at += count
	}
	for at := 0; at < total && !c.ended; {
		count := int(min(c.u32(), 1<<20))
		if count == 0 {
			break
		}
		run := charRun{from: at, to: at + count}
		readCharRun(c, &run)
		t.spans = append(t.spans, run)
		at += count
	}
}

// readParaRun reads the properties that a mask says are there, in their order.
func readParaRun(c *cursor, run *paraRun) {
	mask := c.u32()
	if mask&0x0F != 0 {
		flags := c.u16()
		if mask&1 != 0 {
			run.hasBullet, run.bullet = true, flags&1 != 0
		}
	}
	for _, f := range []struct {
		bit  uint32
		size int
	}{{0x80, 2}, {0x10, 2}, {0x40, 2}, {0x20, 4}, {0x800, 2}, {0x1000, 2}, {0x2000, 2}, {0x4000, 2}, {0x100, 2},
		{0x400, 2}, {0x8000, 2}} {
		if mask&f.bit != 0 {
			c.skip(f.size)
		}
	}
	if mask&0x100000 != 0 { // tab stops
		c.skip(4 * c.u16())
	}
	if mask&0x10000 != 0 {
		c.skip(2)
	}
	if mask&0xE0000 != 0 {
		c.skip(2)
	}
	if mask&0x200000 != 0 {
		c.skip(2)
	}
}

func readCharRun(c *cursor, run *charRun) {
	mask := c.u32()
	if mask&0xFFFF != 0 {
		style := uint32(c.u16())
		run.number = int(style >> 10 & 0xF)
		if style&mask&1 != 0 {
			run.marks |= flow.Bold
		}
		if style&mask&2 != 0 {
			run.marks |= flow.Italic
		}
	}
	for _, bit := range []uint32{0x10000, 0x200000, 0x400000, 0x800000, 0x20000} {
		if mask&bit != 0 {
			c.skip(2)
		}
	}
	if mask&0x40000 != 0 {
		c.skip(4)
	}
	if mask&0x80000 != 0 {
		switch raised := int16(c.u16()); {
		case raised > 0:
			run.marks |= flow.Super
		case raised < 0:
			run.marks |= flow.Sub
		}
	}
}

// number reads what later versions keep in a record of its own: entries that say
// something about numbers, then about characters, then about languages. Runs of
// characters say which entry holds for them.
func (t *text) number(data record) {
	blob, ok := data.first(recBlob)
	if !ok {
		return
	}
	for _, rec := range children(blob.data) {
		if rec.kind == recStyle9 {
			t.numbers = readNumbers(rec.data)
		}
	}
}

func readNumbers(b []byte) []numbering {
	var list []numbering
	for c := (&cursor{b: b}); len(c.b) > 0 && !c.ended; {
		var n numbering
		mask := c.u32()
		if mask&0x800000 != 0 {
			c.skip(2)
		}
		if mask&0x2000000 != 0 {
			n.shown = c.u16() != 0
		}
		n.start = 1
		if mask&0x1000000 != 0 {
			c.skip(2) // how it is spelled
			n.start = max(c.u16(), 1)
		}
		if chars := c.u32(); chars&0x100000 != 0 {
			c.skip(4)
		}
		skipLanguage(c)
		list = append(list, n)
	}
	return list
}

func skipLanguage(c *cursor) {
	mask := c.u32()
	for _, bit := range []uint32{1, 2, 4, 0x40} {
		if mask&bit != 0 {
			c.skip(2)
		}
	}
	if mask&0x20 != 0 {
		c.skip(4)
	}
	if mask&0x200 != 0 {
		c.skip(4 * int(min(c.u32(), 1<<16)))
	}
}
