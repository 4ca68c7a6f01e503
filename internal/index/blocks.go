package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sort"

	"github.com/klauspost/compress/zstd"
)

var errDamaged = errors.New("index file is damaged")

// blockSize is how much text is compressed together: small enough that reading
// one passage costs tens of microseconds, large enough to compress well.
const blockSize = 16 << 10

// blockWriter stores numbered items one after the other in compressed blocks.
type blockWriter struct {
	w      *countingWriter
	enc    *zstd.Encoder
	buf    []byte
	items  uint32
	Starts []uint32 // number of the first item of each block
	Offs   []int64  // where each block begins in the file; one more for the end
}

func newBlockWriter(w *countingWriter) (*blockWriter, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("make compressor: %w", err)
	}
	return &blockWriter{w: w, enc: enc}, nil
}

func (b *blockWriter) add(item string) error {
	if len(b.buf) == 0 {
		b.Starts = append(b.Starts, b.items)
	}
	b.buf = binary.AppendUvarint(b.buf, uint64(len(item)))
	b.buf = append(b.buf, item...)
	b.items++
	if len(b.buf) < blockSize {
		return nil
	}
	return b.flush()
}

func (b *blockWriter) flush() error {
	if len(b.buf) == 0 {
		return nil
	}
	b.Offs = append(b.Offs, b.w.n)
	if _, err := b.w.Write(b.enc.EncodeAll(b.buf, nil)); err != nil {
		return fmt.Errorf("write text block: %w", err)
	}
	b.buf = b.buf[:0]
	return nil
}

func (b *blockWriter) close() error {
	if err := b.flush(); err != nil {
		return err
	}
	b.Offs = append(b.Offs, b.w.n)
	return b.enc.Close()
}

// blockReader reads items back.
type blockReader struct {
	r      io.ReaderAt
	starts []uint32
	offs   []int64
	dec    *zstd.Decoder
}

// find gives the number of the block that holds item i.
func (b *blockReader) find(i uint32) int {
	return sort.Search(len(b.starts), func(n int) bool { return b.starts[n] > i }) - 1
}

// block gives the uncompressed bytes of a block.
func (b *blockReader) block(n int) ([]byte, error) {
	if n < 0 || n+1 >= len(b.offs) || b.offs[n+1] < b.offs[n] {
		return nil, errDamaged
	}
	packed := make([]byte, b.offs[n+1]-b.offs[n])
	if _, err := b.r.ReadAt(packed, b.offs[n]); err != nil {
		return nil, fmt.Errorf("read text block: %w", err)
	}
	raw, err := b.dec.DecodeAll(packed, make([]byte, 0, blockSize+blockSize/2))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	return raw, nil
}

// item reads item i.
func (b *blockReader) item(i uint32) (string, error) {
	n := b.find(i)
	raw, err := b.block(n)
	if err != nil {
		return "", err
	}
	for at := b.starts[n]; ; at++ {
		item, rest, ok := cutItem(raw)
		if !ok {
			return "", errDamaged
		}
		if at == i {
			return string(item), nil
		}
		raw = rest
	}
}

// each calls f for all items in order.
func (b *blockReader) each(f func(i uint32, item string) error) error {
	for n := range b.starts {
		raw, err := b.block(n)
		if err != nil {
			return err
		}
		for at := b.starts[n]; len(raw) > 0; at++ {
			item, rest, ok := cutItem(raw)
			if !ok {
				return errDamaged
			}
			if err := f(at, string(item)); err != nil {
				return err
			}
			raw = rest
		}
	}
	return nil
}

func cutItem(raw []byte) (item, rest []byte, ok bool) {
	size, n := binary.Uvarint(raw)
	if n <= 0 || uint64(len(raw)-n) < size {
		return nil, nil, false
	}
	return raw[n : n+int(size)], raw[n+int(size):], true
}

// countingWriter knows how far it has come.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
