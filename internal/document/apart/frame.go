package apart

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Parent and child speak in frames: a byte that says what follows, four that say
// how long it is, and as many bytes. An exchange is
//
//	parent: question, body
//	child:  progress …, answer, tree …, or
//	        progress …, answer, made
//
// with a progress whenever another page is done, and as many trees as the answer
// announces. Trees come one by one, so that no side ever holds all of a document
// as bytes beside the document itself.
type frameKind byte

const (
	frameQuestion frameKind = 'q' // question, without the body of the file
	frameBody     frameKind = 'b' // the body of the file
	frameProgress frameKind = 'p' // two numbers: pages done, pages in all
	frameAnswer   frameKind = 'a' // answer, without its trees
	frameTree     frameKind = 't' // a tree: see tree.go
	frameMade     frameKind = 'm' // the formats that were wanted, as JSON
)

const frameHeader = 5

// errFrame says that the other side does not speak as agreed.
var errFrame = errors.New("a message is not as agreed")

// errFrameSize says that a message is longer than was agreed.
var errFrameSize = errors.New("a message is too long")

func writeFrame(w io.Writer, kind frameKind, payload []byte) error {
	if uint64(len(payload)) > 1<<32-1 {
		return fmt.Errorf("write %c: %w", kind, errFrameSize)
	}
	header := binary.BigEndian.AppendUint32([]byte{byte(kind)}, uint32(len(payload)))
	if _, err := w.Write(header); err != nil {
		return err
	}
	_, err := w.Write(payload)
	return err
}

// readHeader reads what kind of frame comes and how long it is, which is no more than limit.
func readHeader(r io.Reader, limit int64) (frameKind, int64, error) {
	var header [frameHeader]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return 0, 0, err
	}
	kind, size := frameKind(header[0]), int64(binary.BigEndian.Uint32(header[1:]))
	if size > limit {
		return kind, size, fmt.Errorf("read %d bytes of %q: %w", size, kind, errFrameSize)
	}
	return kind, size, nil
}

// readFrame reads a frame of a kind that must come now.
func readFrame(r io.Reader, want frameKind, limit int64) ([]byte, error) {
	kind, size, err := readHeader(r, limit)
	if err != nil {
		return nil, err
	}
	if kind != want {
		return nil, fmt.Errorf("read %q instead of %q: %w", kind, want, errFrame)
	}
	payload := make([]byte, size)
	_, err = io.ReadFull(r, payload)
	return payload, whole(err)
}

// readText is readFrame for a frame that is kept as a string.
func readText(r io.Reader, want frameKind, limit int64) (string, error) {
	kind, size, err := readHeader(r, limit)
	if err != nil {
		return "", err
	}
	if kind != want {
		return "", fmt.Errorf("read %q instead of %q: %w", kind, want, errFrame)
	}
	var b strings.Builder
	b.Grow(int(size))
	_, err = io.CopyN(&b, r, size)
	return b.String(), whole(err)
}

// whole says that an end inside of a frame is not the end of the talk.
func whole(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
