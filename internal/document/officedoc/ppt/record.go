package ppt

// Kinds of records.
const (
	recDocument    = 1000
	recSlide       = 1006
	recSlideAtom   = 1007
	recNotes       = 1008
	recNotesAtom   = 1009
	recPersist     = 1011
	recSlideInfo   = 1017
	recObjects     = 1033
	recDrawing     = 1036
	recPlaceholder = 3011
	recOutlineRef  = 3998
	recTextHeader  = 3999
	recChars       = 4000
	recStyle       = 4001
	recBytes       = 4008
	recStyle9      = 4012
	recString      = 4026
	recHyperlinkID = 4051
	recHyperlink   = 4055
	recClickText   = 4063
	recSlideList   = 4080
	recClick       = 4082
	recClickInfo   = 4083
	recUserEdit    = 4085
	recBlob        = 5003
	recDirectory   = 6002

	artGroup       = 0xF003
	artShape       = 0xF004
	artShapeInfo   = 0xF00A
	artOptions     = 0xF00B
	artTextbox     = 0xF00D
	artChildAnchor = 0xF00F
	artAnchor      = 0xF010
	artClientData  = 0xF011
	artOptions3    = 0xF122

	recordHead = 8
	maxDepth   = 60
)

// record is a piece of the stream. Its data may be records in turn.
type record struct {
	kind     uint16
	instance int
	box      bool // its data are records
	data     []byte
}

// at reads the record at an offset.
func (r *reader) at(offset uint32) (record, bool) {
	if int64(offset)+recordHead > int64(len(r.stream)) {
		return record{}, false
	}
	rec, _ := next(r.stream[offset:])
	return rec, true
}

// next takes one record off the front; its length is cut to what is there.
func next(b []byte) (rec record, rest []byte) {
	head := le.Uint16(b)
	size := int64(le.Uint32(b[4:]))
	end := min(recordHead+size, int64(len(b)))
	return record{
		kind:     le.Uint16(b[2:]),
		instance: int(head >> 4),
		box:      head&0xF == 0xF,
		data:     b[recordHead:end],
	}, b[end:]
}

func children(b []byte) []record {
	var list []record
	for len(b) >= recordHead {
		var rec record
		rec, b = next(b)
		list = append(list, rec)
	}
	return list
}

// kids gives the records inside a record.
func (rec record) kids() []record {
	if !rec.box {
		return nil
	}
	return children(rec.data)
}

// first finds the first record of a kind inside, at any depth.
func (rec record) first(kind uint16) (record, bool) {
	return rec.search(kind, 0)
}

func (rec record) search(kind uint16, depth int) (record, bool) {
	if depth > maxDepth {
		return record{}, false
	}
	for _, k := range rec.kids() {
		if k.kind == kind {
			return k, true
		}
		if found, ok := k.search(kind, depth+1); ok {
			return found, true
		}
	}
	return record{}, false
}
