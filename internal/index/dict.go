package index

import (
	"bytes"
	"encoding/binary"
	"sort"
)

// entry is what the dictionary knows of a term in one list.
type entry struct {
	docs uint32 // documents that have it
	n    uint32 // pairs in its postings
	size uint32 // bytes of its postings
	off  int64  // where they begin, from the start of all postings
}

// dictBlock is how many terms share a block: a look-up is a binary search over
// blocks and a walk through one of them.
const dictBlock = 32

// dictWriter writes the dictionary: terms in order of list and spelling, in
// blocks. A block opens with the offset of its first postings; a term is
// written as what it shares with the term before it, and the rest.
type dictWriter struct {
	bytes  []byte
	blocks []uint32
	inside int
	last   []byte
	off    int64
}

func (d *dictWriter) add(list int, term string, e entry) {
	full := append([]byte{byte(list)}, term...)
	if d.inside == 0 {
		d.blocks = append(d.blocks, uint32(len(d.bytes)))
		d.bytes = binary.AppendUvarint(d.bytes, uint64(d.off))
		d.last = d.last[:0]
	}
	shared := commonPrefix(d.last, full)
	d.bytes = binary.AppendUvarint(d.bytes, uint64(shared))
	d.bytes = binary.AppendUvarint(d.bytes, uint64(len(full)-shared))
	d.bytes = append(d.bytes, full[shared:]...)
	for _, v := range []uint32{e.docs, e.n, e.size} {
		d.bytes = binary.AppendUvarint(d.bytes, uint64(v))
	}
	d.off += int64(e.size)
	d.last = append(d.last[:0], full...)
	d.inside = (d.inside + 1) % dictBlock
}

func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// dict is a dictionary in memory.
type dict struct {
	bytes  []byte
	blocks []uint32
	firsts []string // first term of each block
}

// open notes where the blocks begin and with which terms.
func (d *dict) open(blocks []uint32) error {
	d.blocks, d.firsts = blocks, make([]string, len(blocks))
	for i, begin := range blocks {
		if int(begin) > len(d.bytes) || i+1 < len(blocks) && blocks[i+1] < begin {
			return errDamaged
		}
		c := d.first(i)
		if !c.advance() {
			return errDamaged
		}
		d.firsts[i] = string(c.term)
	}
	return nil
}

// dictCursor walks through terms in order.
type dictCursor struct {
	b    []byte
	term []byte // list number, then the term
	entry
	next int64
}

// first opens a block; the cursor stands before its first term.
func (d dict) first(block int) dictCursor {
	end := len(d.bytes)
	if block+1 < len(d.blocks) {
		end = min(end, int(d.blocks[block+1]))
	}
	b := d.bytes[d.blocks[block]:end]
	off, n := binary.Uvarint(b)
	return dictCursor{b: b[max(n, 0):], next: int64(off)}
}

// advance moves to the next term of the block; false at its end.
func (c *dictCursor) advance() bool {
	if len(c.b) == 0 {
		return false
	}
	var v [2]uint64
	for i := range v {
		n := 0
		if v[i], n = binary.Uvarint(c.b); n <= 0 {
			return false
		}
		c.b = c.b[n:]
	}
	if v[0] > uint64(len(c.term)) || v[1] > uint64(len(c.b)) {
		return false
	}
	c.term = append(c.term[:v[0]], c.b[:v[1]]...)
	c.b = c.b[v[1]:]
	for _, field := range []*uint32{&c.docs, &c.n, &c.size} {
		x, n := binary.Uvarint(c.b)
		if n <= 0 {
			return false
		}
		*field = uint32(x)
		c.b = c.b[n:]
	}
	c.off = c.next
	c.next += int64(c.size)
	return true
}

// find looks a term of a list up.
func (d dict) find(list int, term string) (entry, bool) {
	full := append([]byte{byte(list)}, term...)
	block := sort.Search(len(d.firsts), func(i int) bool { return d.firsts[i] > string(full) }) - 1
	if block < 0 {
		return entry{}, false
	}
	for c := d.first(block); c.advance(); {
		switch bytes.Compare(c.term, full) {
		case 0:
			return c.entry, true
		case 1:
			return entry{}, false
		}
	}
	return entry{}, false
}
