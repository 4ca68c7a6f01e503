// Package cfb reads compound files, the container of the office formats from
// before 2007: a small file system of its own, with a table of sectors, a
// directory, and a second set of small sectors for short streams.
//
// Every chain of sectors is bounded by the number of sectors there are, so a
// chain that runs in a circle ends; a chain that leaves the file gives what came
// before.
package cfb

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf16"
)

// Signature is how every compound file begins.
const Signature = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

const (
	headerSize   = 512
	entrySize    = 128
	miniSize     = 64
	maxRegular   = 0xFFFFFFFA // sector numbers from here on have meanings of their own
	maxEntries   = 20_000
	inHeader     = 109 // sectors of the table that the header itself names
	typeStorage  = 1
	typeStream   = 2
	typeRoot     = 5
	noEntry      = 0xFFFFFFFF
	maxDirectory = maxEntries * entrySize
)

// ErrFormat says that the bytes are no compound file.
var ErrFormat = errors.New("not a compound file")

// File is an opened compound file.
type File struct {
	body       []byte
	sectorSize int
	cutoff     int // streams shorter than this live in the mini stream
	fat        []uint32
	miniFAT    []uint32
	mini       []byte
	streams    map[string]entry // by lower-case path
	names      []string
}

type entry struct {
	name               string
	kind               byte
	left, right, child uint32
	start              uint32
	size               int64
}

// Open reads the tables and the directory.
func Open(body []byte) (*File, error) {
	if len(body) < headerSize || !bytes.HasPrefix(body, []byte(Signature)) {
		return nil, ErrFormat
	}
	shift := binary.LittleEndian.Uint16(body[30:])
	if shift != 9 && shift != 12 {
		return nil, fmt.Errorf("sector size 2^%d: %w", shift, ErrFormat)
	}
	f := &File{body: body, sectorSize: 1 << shift, streams: map[string]entry{}}
	f.cutoff = int(min(binary.LittleEndian.Uint32(body[56:]), 1<<20))
	f.fat = f.readFAT()
	f.miniFAT = numbers(f.chain(binary.LittleEndian.Uint32(body[60:]), len(body)))
	entries := parseEntries(f.chain(binary.LittleEndian.Uint32(body[48:]), maxDirectory))
	if len(entries) == 0 || entries[0].kind != typeRoot {
		return nil, fmt.Errorf("no root directory: %w", ErrFormat)
	}
	f.mini = f.chain(entries[0].start, int(min(entries[0].size, int64(len(body)))))
	f.index(entries)
	return f, nil
}

// readFAT gathers the table that says which sector follows which: its first
// sectors are named in the header, the others in a chain of their own.
func (f *File) readFAT() []uint32 {
	var fat []uint32
	take := func(list []byte) {
		for _, n := range numbers(list) {
			if n < maxRegular {
				fat = append(fat, numbers(f.sector(n))...)
			}
		}
	}
	take(f.body[76 : 76+4*inHeader])
	next := binary.LittleEndian.Uint32(f.body[68:])
	for range len(f.body) / f.sectorSize {
		sector := f.sector(next)
		if next >= maxRegular || len(sector) < f.sectorSize {
			break
		}
		take(sector[:f.sectorSize-4])
		next = binary.LittleEndian.Uint32(sector[f.sectorSize-4:])
	}
	return fat
}

func numbers(b []byte) []uint32 {
	list := make([]uint32, len(b)/4)
	for i := range list {
		list[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return list
}

// sector gives the bytes of a sector; the last one of a cut-off file is short.
func (f *File) sector(n uint32) []byte {
	start := (int64(n) + 1) * int64(f.sectorSize)
	if start >= int64(len(f.body)) {
		return nil
	}
	return f.body[start:min(start+int64(f.sectorSize), int64(len(f.body)))]
}

// chain reads the sectors that follow each other from start, up to size bytes.
func (f *File) chain(start uint32, size int) []byte {
	var out []byte
	for n, steps := start, 0; n < maxRegular && len(out) < size && steps <= len(f.fat); steps++ {
		sector := f.sector(n)
		if sector == nil {
			break
		}
		out = append(out, sector...)
		if int(n) >= len(f.fat) {
			break
		}
		n = f.fat[n]
	}
	return out[:min(len(out), size)]
}

// miniChain is the same in the mini stream.
func (f *File) miniChain(start uint32, size int) []byte {
	var out []byte
	for n, steps := start, 0; n < maxRegular && len(out) < size && steps <= len(f.miniFAT); steps++ {
		at := int(n) * miniSize
		if at >= len(f.mini) {
			break
		}
		out = append(out, f.mini[at:min(at+miniSize, len(f.mini))]...)
		if int(n) >= len(f.miniFAT) {
			break
		}
		n = f.miniFAT[n]
	}
	return out[:min(len(out), size)]
}

func parseEntries(dir []byte) []entry {
	var entries []entry
	for ; len(dir) >= entrySize; dir = dir[entrySize:] {
		nameLen := min(int(binary.LittleEndian.Uint16(dir[64:])), 64)
		units := make([]uint16, 0, 32)
		for i := 0; i+2 < nameLen; i += 2 { // the last unit is a zero
			units = append(units, binary.LittleEndian.Uint16(dir[i:]))
		}
		entries = append(entries, entry{
			name:  string(utf16.Decode(units)),
			kind:  dir[66],
			left:  binary.LittleEndian.Uint32(dir[68:]),
			right: binary.LittleEndian.Uint32(dir[72:]),
			child: binary.LittleEndian.Uint32(dir[76:]),
			start: binary.LittleEndian.Uint32(dir[116:]),
			size:  int64(binary.LittleEndian.Uint32(dir[120:])),
		})
	}
	return entries
}

// index walks the directory, whose storages are trees of siblings, each entry
// once. Entries the tree lost are found under their bare name.
func (f *File) index(entries []entry) {
	type place struct {
		at   uint32
		path string
	}
	seen := make([]bool, len(entries))
	todo := []place{{entries[0].child, ""}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.at == noEntry || int64(p.at) >= int64(len(entries)) || seen[p.at] {
			continue
		}
		seen[p.at] = true
		e := entries[p.at]
		f.add(p.path+e.name, e)
		todo = append(todo, place{e.right, p.path}, place{e.left, p.path})
		if e.kind == typeStorage {
			todo = append(todo, place{e.child, p.path + e.name + "/"})
		}
	}
	for i, e := range entries {
		if !seen[i] && i > 0 {
			f.add(e.name, e)
		}
	}
}

func (f *File) add(path string, e entry) {
	key := strings.ToLower(path)
	if _, twice := f.streams[key]; e.kind != typeStream || twice {
		return
	}
	f.streams[key] = e
	f.names = append(f.names, path)
}

// Names lists the paths of all streams.
func (f *File) Names() []string { return f.names }

// Has tells whether there is a stream at a path such as "ObjectPool/_1/Ole".
func (f *File) Has(path string) bool {
	_, ok := f.streams[strings.ToLower(path)]
	return ok
}

// Stream gives the bytes of a stream, as many of them as the file still has.
func (f *File) Stream(path string) ([]byte, error) {
	e, ok := f.streams[strings.ToLower(path)]
	if !ok {
		return nil, fmt.Errorf("stream %q: %w", path, fs.ErrNotExist)
	}
	size := int(min(e.size, int64(len(f.body))))
	if size < f.cutoff {
		return f.miniChain(e.start, size), nil
	}
	return f.chain(e.start, size), nil
}
