package doc

import "sort"

const pageSize = 512

// papx is what is said about the paragraphs of a stretch of the stream.
type papx struct {
	from, to int64
	style    int
	list     []byte // properties beyond the style
}

// chpx is the same about characters.
type chpx struct {
	from, to int64
	list     []byte
}

// pages gives the pages of 512 bytes that a table points to. Each ends with the
// number of stretches it describes.
func pages(main, plc []byte, visit func(page []byte, count int)) {
	n := plcCount(plc, 4)
	for i := range n {
		number := int64(le.Uint32(plc[4*(n+1)+4*i:])) & 0x3FFFFF
		page := slice(main, number*pageSize, pageSize)
		if len(page) == pageSize {
			visit(page, int(page[pageSize-1]))
		}
	}
}

func readParas(main, plc []byte) []papx {
	var list []papx
	pages(main, plc, func(page []byte, count int) {
		for i := range count {
			entry := 4*(count+1) + 13*i
			if entry >= pageSize-1 {
				break
			}
			p := papx{from: int64(le.Uint32(page[4*i:])), to: int64(le.Uint32(page[4*i+4:]))}
			p.style, p.list = paraEntry(page, 2*int(page[entry]))
			list = append(list, p)
		}
	})
	sort.SliceStable(list, func(i, j int) bool { return list[i].from < list[j].from })
	return list
}

// paraEntry reads a style and properties. Their length is counted in words,
// less one byte; where it is zero the next byte has it.
func paraEntry(page []byte, at int) (style int, list []byte) {
	if at == 0 || at+2 > pageSize {
		return 0, nil
	}
	size := 2*int(page[at]) - 1
	at++
	if size < 0 {
		size = 2 * int(page[at])
		at++
	}
	body := slice(page, int64(at), int64(size))
	if len(body) < 2 {
		return 0, nil
	}
	return int(le.Uint16(body)), body[2:]
}

func readChars(main, plc []byte) []chpx {
	var list []chpx
	pages(main, plc, func(page []byte, count int) {
		for i := range count {
			entry := 4*(count+1) + i
			if entry >= pageSize-1 {
				break
			}
			c := chpx{from: int64(le.Uint32(page[4*i:])), to: int64(le.Uint32(page[4*i+4:]))}
			if at := 2 * int(page[entry]); at > 0 && at < pageSize {
				c.list = slice(page, int64(at+1), int64(page[at]))
			}
			list = append(list, c)
		}
	})
	sort.SliceStable(list, func(i, j int) bool { return list[i].from < list[j].from })
	return list
}

// paraAt finds what is said about the paragraph whose mark is at an offset.
func (r *reader) paraAt(offset int64) paraProps {
	i := sort.Search(len(r.paras), func(i int) bool { return r.paras[i].from > offset }) - 1
	p := paraProps{outline: -1}
	if i < 0 || offset >= r.paras[i].to {
		return p
	}
	p.style = r.paras[i].style
	list := r.paras[i].list
	if s := r.style(p.style); s != nil {
		style := p.style
		p = s.para
		p.style = style
	}
	p.apply(list)
	return p
}
