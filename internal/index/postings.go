package index

import "encoding/binary"

// A postings list is a run of (id, count) pairs in rising order of id, written
// as the distance to the id before it, shifted left by one; the low bit says
// that the count is one and is not written.

// postingsBuffer gathers one list in memory.
type postingsBuffer struct {
	bytes []byte
	last  uint32 // id+1 of the newest pair
	n     uint32 // pairs
	docs  uint32 // documents they belong to; equals n where ids are documents
	doc   uint32 // newest document+1
}

func (p *postingsBuffer) add(id, count, doc uint32) {
	delta := uint64(id + 1 - p.last)
	if count == 1 {
		p.bytes = binary.AppendUvarint(p.bytes, delta<<1|1)
	} else {
		p.bytes = binary.AppendUvarint(p.bytes, delta<<1)
		p.bytes = binary.AppendUvarint(p.bytes, uint64(count))
	}
	p.last = id + 1
	p.n++
	if doc+1 != p.doc {
		p.docs++
		p.doc = doc + 1
	}
}

// postings is a list on disk, read into memory as bytes.
type postings struct {
	bytes []byte
	docs  uint32
	n     uint32
	limit uint32 // ids are below it
}

// each calls f for every pair in order. A damaged list ends early, and no id
// outside the segment is ever given.
func (p postings) each(f func(id, count uint32)) {
	b := p.bytes
	next := uint32(0) // id+1 of the pair before
	for i := 0; i < len(b); {
		v := uint64(b[i])
		i++
		if v >= 0x80 {
			var n int
			v, n = binary.Uvarint(b[i-1:])
			if n <= 0 {
				return
			}
			i += n - 1
		}
		count := uint32(1)
		if v&1 == 0 {
			c, n := binary.Uvarint(b[i:])
			if n <= 0 {
				return
			}
			i += n
			count = uint32(c)
		}
		next += uint32(v >> 1)
		if next-1 >= p.limit {
			return
		}
		f(next-1, count)
	}
}
