package cfb

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
)

// file builds a compound file of 512-byte sectors: a table, a directory, then
// the streams one after the other. All are stored in whole sectors.
func file(streams map[string]string, order ...string) []byte {
	le := binary.LittleEndian
	const none, end = 0xFFFFFFFF, 0xFFFFFFFE
	fat := []uint32{0xFFFFFFFD, end}
	dirSectors := (len(order)+1+3)/4 - 1
	for range dirSectors {
		fat[len(fat)-1] = uint32(len(fat))
		fat = append(fat, end)
	}
	dir := entryBytes("Root Entry", typeRoot, 1, end, 0)
	var data []byte
	for i, name := range order {
		body := streams[name]
		start := uint32(len(fat))
		sectors := (len(body) + 511) / 512
		for s := range sectors {
			next := uint32(len(fat) + 1)
			if s == sectors-1 {
				next = end
			}
			fat = append(fat, next)
		}
		e := entryBytes(name, typeStream, none, start, len(body))
		if i+1 < len(order) {
			le.PutUint32(e[72:], uint32(i+2)) // its right sibling is the next one
		}
		dir = append(dir, e...)
		data = append(data, body...)
		data = append(data, make([]byte, sectors*512-len(body))...)
	}
	dir = append(dir, make([]byte, (1+dirSectors)*512-len(dir))...)

	head := make([]byte, 512)
	copy(head, Signature)
	le.PutUint16(head[30:], 9)
	le.PutUint32(head[48:], 1)   // the directory
	le.PutUint32(head[56:], 0)   // nothing is small
	le.PutUint32(head[60:], end) // no small sectors
	le.PutUint32(head[68:], end) // no further list of tables
	for i := range inHeader {
		le.PutUint32(head[76+4*i:], none)
	}
	le.PutUint32(head[76:], 0)
	table := make([]byte, 512)
	for i := range 128 {
		v := uint32(none)
		if i < len(fat) {
			v = fat[i]
		}
		le.PutUint32(table[4*i:], v)
	}
	out := append(head, table...)
	out = append(out, dir...)
	return append(out, data...)
}

func entryBytes(name string, kind byte, child, start uint32, size int) []byte {
	le := binary.LittleEndian
	e := make([]byte, entrySize)
	units := utf16.Encode([]rune(name))
	for i, u := range units {
		le.PutUint16(e[2*i:], u)
	}
	le.PutUint16(e[64:], uint16(2*len(units)+2))
	e[66] = kind
	le.PutUint32(e[68:], noEntry)
	le.PutUint32(e[72:], noEntry)
	le.PutUint32(e[76:], child)
	le.PutUint32(e[116:], start)
	le.PutUint32(e[120:], uint32(size))
	return e
}

func sample() []byte {
	return file(map[string]string{"WordDocument": strings.Repeat("sea ", 300), "1Table": "table"}, "WordDocument", "1Table")
}

func TestStreamsAreFoundByName(t *testing.T) {
	f, err := Open(sample())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"worddocument": strings.Repeat("sea ", 300), "1Table": "table"} {
		if got, err := f.Stream(name); err != nil || string(got) != want {
			t.Errorf("%s = %.20q… (%d bytes), %v; want %d bytes", name, got, len(got), err, len(want))
		}
	}
	if _, err := f.Stream("none"); err == nil {
		t.Error("a stream that is not there was found")
	}
}

func TestChainsThatRunInACircleEnd(t *testing.T) {
	body := sample()
	table := 512
	binary.LittleEndian.PutUint32(body[table+4*3:], 2) // the second sector of the text leads back to the first
	f, err := Open(body)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Stream("WordDocument"); err != nil || len(got) != 1200 {
		t.Errorf("%d bytes, %v; want the 1,200 that the directory says", len(got), err)
	}
}

func TestCutFilesGiveWhatThereIs(t *testing.T) {
	body := sample()
	for n := range len(body) {
		f, err := Open(body[:n])
		if err != nil {
			continue
		}
		for _, name := range f.Names() {
			if _, err := f.Stream(name); err != nil {
				t.Fatalf("cut at %d: %v", n, err)
			}
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(sample())
	f.Fuzz(func(t *testing.T, body []byte) {
		c, err := Open(body)
		if err != nil {
			return
		}
		c.Summary()
		for _, name := range c.Names() {
			_, _ = c.Stream(name) // only that it ends
		}
	})
}
