package index

import (
	"encoding/binary"
	"fmt"
	"io"
)

// magic ends every segment file; its last digit is the version of the format.
const magic = "trawlix1"

// footer says where the parts of a segment file begin.
type footer struct {
	Meta      int64    `json:"meta"`
	Postings  int64    `json:"postings"`
	Dict      int64    `json:"dict"`
	Tables    int64    `json:"tables"`
	Fields    int      `json:"fields"`
	AboutKeys []string `json:"aboutKeys,omitempty"`
}

// tables are the arrays of a segment that are kept in memory while it is open.
type tables struct {
	fields       int
	FirstPassage []uint32 // per document
	BodyLen      []uint32 // per document, in words, passages about others left out
	FieldLen     []uint16 // per document and field
	MetaOff      []uint32 // per document, one more for the end
	Hash         []byte   // 16 bytes per document
	PassageLen   []uint16 // per passage
	About        []uint32 // per passage: 0, or 1 + number in aboutKeys
	BlockStart   []uint32
	BlockOff     []int64
	DictBlock    []uint32 // where each dictionary block begins

	aboutKeys []string
	aboutIDs  map[string]uint32
}

func (t *tables) aboutID(key string) uint32 {
	if key == "" {
		return 0
	}
	if t.aboutIDs == nil {
		t.aboutIDs = make(map[string]uint32)
	}
	id, ok := t.aboutIDs[key]
	if !ok {
		t.aboutKeys = append(t.aboutKeys, key)
		id = uint32(len(t.aboutKeys))
		t.aboutIDs[key] = id
	}
	return id
}

func (t *tables) write(w io.Writer) error {
	for _, array := range t.arrays() {
		if err := binary.Write(w, binary.LittleEndian, uint32(arrayLen(array))); err != nil {
			return fmt.Errorf("write tables: %w", err)
		}
		if err := binary.Write(w, binary.LittleEndian, deref(array)); err != nil {
			return fmt.Errorf("write tables: %w", err)
		}
	}
	return nil
}

func (t *tables) read(r io.Reader, limit int64) error {
	for _, array := range t.arrays() {
		var n uint32
		if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
			return fmt.Errorf("read tables: %w", err)
		}
		if int64(n) > limit {
			return errDamaged
		}
		resize(array, int(n))
		if err := binary.Read(r, binary.LittleEndian, deref(array)); err != nil {
			return fmt.Errorf("read tables: %w", err)
		}
	}
	return nil
}

// arrays lists them in file order.
func (t *tables) arrays() []any {
	return []any{&t.FirstPassage, &t.BodyLen, &t.FieldLen, &t.MetaOff, &t.Hash, &t.PassageLen, &t.About,
		&t.BlockStart, &t.BlockOff, &t.DictBlock}
}

func arrayLen(array any) int {
	switch a := array.(type) {
	case *[]uint32:
		return len(*a)
	case *[]uint16:
		return len(*a)
	case *[]int64:
		return len(*a)
	case *[]byte:
		return len(*a)
	}
	return 0
}

func resize(array any, n int) {
	switch a := array.(type) {
	case *[]uint32:
		*a = make([]uint32, n)
	case *[]uint16:
		*a = make([]uint16, n)
	case *[]int64:
		*a = make([]int64, n)
	case *[]byte:
		*a = make([]byte, n)
	}
}

func deref(array any) any {
	switch a := array.(type) {
	case *[]uint32:
		return *a
	case *[]uint16:
		return *a
	case *[]int64:
		return *a
	case *[]byte:
		return *a
	}
	return nil
}
