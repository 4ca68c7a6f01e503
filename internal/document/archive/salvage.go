package archive

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document/fault"
)

func isRefusal(err error) bool {
	var own *trawl.Error
	return errors.As(err, &own)
}

// A local header: signature, version, flags, method, time, date, checksum,
// packed size, size, length of name, length of extra, then both.
const localHeader = 30

var localSignature = []byte("PK\x03\x04")

// salvage rebuilds the directory of a cut-off file from the headers that stand
// before each entry, and opens that. Cause is why the ordinary way failed.
func salvage(body []byte, limits Limits, cause error) (*Archive, error) {
	var rebuilt bytes.Buffer
	w := zip.NewWriter(&rebuilt)
	found := 0
	for at := bytes.Index(body, localSignature); at >= 0; {
		next := nextHeader(body, at+4)
		if found++; found > limits.Entries {
			return nil, fault.Limit("file", "archive entries")
		}
		if err := copyEntry(w, body[at:next]); err != nil {
			return nil, fault.Damaged("file", err)
		}
		if next == len(body) {
			break
		}
		at = next
	}
	if err := w.Close(); err != nil || found == 0 {
		return nil, fault.Damaged("file", cause)
	}
	r, err := zip.NewReader(bytes.NewReader(rebuilt.Bytes()), int64(rebuilt.Len()))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fault.Damaged("file", err)
	}
	a := newArchive(limits)
	for _, f := range r.File {
		a.add(f.Name, f)
	}
	return a, nil
}

func nextHeader(body []byte, from int) int {
	if i := bytes.Index(body[from:], localSignature); i >= 0 {
		return from + i
	}
	return len(body)
}

// copyEntry writes one entry, header included, to w as it is packed. Its sizes
// are unknown, so what follows the packed bytes is taken along; the
// decompressor stops where the data says.
func copyEntry(w *zip.Writer, entry []byte) error {
	if len(entry) < localHeader {
		return nil
	}
	method := binary.LittleEndian.Uint16(entry[8:])
	packed := int(binary.LittleEndian.Uint32(entry[18:]))
	nameLen := int(binary.LittleEndian.Uint16(entry[26:]))
	start := localHeader + nameLen + int(binary.LittleEndian.Uint16(entry[28:]))
	if start > len(entry) || method != zip.Store && method != zip.Deflate {
		return nil
	}
	data := entry[start:]
	if packed > 0 && packed < len(data) {
		data = data[:packed]
	}
	header := &zip.FileHeader{Name: string(entry[localHeader : localHeader+nameLen]), Method: method}
	header.CompressedSize64 = uint64(len(data))
	header.UncompressedSize64 = uint64(len(data))
	if method == zip.Deflate {
		header.UncompressedSize64 = 1 << 40 // unknown: the decompressor finds the end
	}
	out, err := w.CreateRaw(header)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, bytes.NewReader(data))
	return err
}
