package api

import (
	"encoding/binary"
	"hash/crc32"
	"net/http"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
)

// takesGzip tells whether a caller can read compressed answers.
func takesGzip(r *http.Request) bool {
	for _, line := range r.Header.Values("Accept-Encoding") {
		for offer := range strings.SplitSeq(line, ",") {
			name, weight, weighed := strings.Cut(strings.TrimSpace(offer), ";")
			if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
				continue
			}
			q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(weight), "q="), 64)
			return !weighed || err == nil && q > 0
		}
	}
	return false
}

// gzipAround makes a gzip file (RFC 1952) of a text whose middle is compressed
// already. The ends are short and change with every answer, so they are put in
// as they are, and nothing is compressed to answer.
func gzipAround(head []byte, middle *trawl.Packed, tail []byte) [][]byte {
	sum := joinSums(crc32.ChecksumIEEE(head), middle.Sum, middle.Size)
	sum = crc32.Update(sum, crc32.IEEETable, tail)
	end := binary.LittleEndian.AppendUint32(nil, sum)
	end = binary.LittleEndian.AppendUint32(end, uint32(len(head)+middle.Size+len(tail)))
	return [][]byte{
		{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}, // deflate; no name, no time, no system
		stored(head, false), middle.Deflate, stored(tail, true), end,
	}
}

// largestStored is what the length of a stored block can tell.
const largestStored = 1<<16 - 1

// stored gives bytes as blocks of a deflate stream that are not compressed.
func stored(text []byte, final bool) []byte {
	var out []byte
	for {
		n := min(len(text), largestStored)
		kind := byte(0)
		if final && n == len(text) {
			kind = 1
		}
		out = append(out, kind)
		out = binary.LittleEndian.AppendUint16(out, uint16(n))
		out = binary.LittleEndian.AppendUint16(out, ^uint16(n))
		out = append(out, text[:n]...)
		if text = text[n:]; len(text) == 0 {
			return out
		}
	}
}

// joinSums gives the CRC-32 of two texts one after the other from those of
// each. A sum is a polynomial over GF(2); n more bytes multiply it by x to the 8n.
func joinSums(first, second uint32, n int) uint32 {
	power, square := uint32(1)<<31, uint32(1)<<30 // 1 and x: the highest bit is the lowest power
	for bits := uint64(n) * 8; bits > 0; bits >>= 1 {
		if bits&1 == 1 {
			power = multiply(power, square)
		}
		square = multiply(square, square)
	}
	return multiply(power, first) ^ second
}

// multiply multiplies two polynomials modulo that of CRC-32.
func multiply(a, b uint32) (product uint32) {
	for bit := uint32(1) << 31; bit != 0; bit >>= 1 {
		if a&bit != 0 {
			product ^= b
		}
		carry := b & 1
		b >>= 1
		if carry == 1 {
			b ^= crc32.IEEE
		}
	}
	return product
}
