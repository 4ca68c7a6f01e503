package index

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
)

// bitset marks documents of a segment.
type bitset struct {
	words []uint64
	count int
}

func (b *bitset) has(i uint32) bool {
	return int(i/64) < len(b.words) && b.words[i/64]&(1<<(i%64)) != 0
}

func (b *bitset) set(i uint32) {
	for int(i/64) >= len(b.words) {
		b.words = append(b.words, 0)
	}
	if !b.has(i) {
		b.words[i/64] |= 1 << (i % 64)
		b.count++
	}
}

func (b *bitset) clone() bitset {
	return bitset{words: append([]uint64(nil), b.words...), count: b.count}
}

func (b *bitset) encode(limit uint32) []byte {
	var out []byte
	for i := range limit {
		if b.has(i) {
			out = binary.LittleEndian.AppendUint32(out, i)
		}
	}
	return out
}

func readDeleted(dir, name string, docs uint32) (bitset, error) {
	var b bitset
	if name == "" {
		return b, nil
	}
	body, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return b, fmt.Errorf("read deletions: %w", err)
	}
	for ; len(body) >= 4; body = body[4:] {
		i := binary.LittleEndian.Uint32(body)
		if i >= docs {
			return b, errDamaged
		}
		b.set(i)
	}
	return b, nil
}
