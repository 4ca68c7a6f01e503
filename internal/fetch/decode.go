package fetch

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

const (
	maxEncodings = 3       // one on top of the other; more is an attack
	zstdWindow   = 8 << 20 // what RFC 9659 permits on the web
)

// decoders keeps content decoders for use again: each costs tens of kilobytes to make.
type decoders struct {
	gzip, brotli, zstd, buffered sync.Pool
}

// open undoes the content encodings, the last one first. done gives the decoders back.
func (d *decoders) open(encodings string, from io.Reader) (decoded io.Reader, done func(), err error) {
	var used []func()
	done = func() {
		for _, giveBack := range used {
			giveBack()
		}
	}
	names := encodingNames(encodings)
	if len(names) > maxEncodings {
		return nil, done, fmt.Errorf("%d content encodings on one body", len(names))
	}
	for i := len(names) - 1; i >= 0; i-- {
		next, giveBack, err := d.one(names[i], from)
		if err != nil {
			done()
			return nil, done, fmt.Errorf("decode %s: %w", names[i], err)
		}
		from, used = next, append(used, giveBack)
	}
	return from, done, nil
}

func encodingNames(header string) []string {
	var names []string
	for name := range strings.SplitSeq(strings.ToLower(header), ",") {
		switch name = strings.TrimSpace(name); name {
		case "gzip", "x-gzip", "deflate", "br", "zstd":
			names = append(names, name)
		} // identity, and words such as "utf-8" that servers put here by mistake, change nothing
	}
	return names
}

// one undoes one encoding. A body that does not begin like its encoding is taken
// as it is: servers that announce gzip and send plain text are common.
func (d *decoders) one(name string, from io.Reader) (io.Reader, func(), error) {
	buf, giveBack := d.peekable(from)
	head, err := buf.Peek(4)
	if len(head) == 0 {
		if err == io.EOF { // an empty body, as with 304, has nothing to decode
			err = nil
		}
		return buf, giveBack, err
	}
	var decoded io.Reader
	release := func() {}
	switch {
	case strings.HasSuffix(name, "gzip") && len(head) > 1 && head[0] == 0x1f && head[1] == 0x8b:
		decoded, release, err = d.openGzip(buf)
	case name == "zstd" && string(head) == "\x28\xb5\x2f\xfd":
		decoded, release, err = d.openZstd(buf)
	case name == "br":
		decoded, release, err = d.openBrotli(buf)
	case name == "deflate":
		decoded, err = openDeflate(buf, head)
	default:
		return buf, giveBack, nil
	}
	return decoded, func() { release(); giveBack() }, err
}

func (d *decoders) peekable(from io.Reader) (*bufio.Reader, func()) {
	buf, ok := d.buffered.Get().(*bufio.Reader)
	if !ok {
		buf = bufio.NewReaderSize(nil, 16<<10)
	}
	buf.Reset(from)
	return buf, func() { buf.Reset(nil); d.buffered.Put(buf) }
}

func (d *decoders) openGzip(from io.Reader) (io.Reader, func(), error) {
	z, ok := d.gzip.Get().(*gzip.Reader)
	if !ok {
		z = new(gzip.Reader)
	}
	err := z.Reset(from)
	return z, func() { d.gzip.Put(z) }, err
}

func (d *decoders) openBrotli(from io.Reader) (io.Reader, func(), error) {
	z, ok := d.brotli.Get().(*brotli.Reader)
	if !ok {
		z = new(brotli.Reader)
	}
	err := z.Reset(from)
	return z, func() { d.brotli.Put(z) }, err
}

func (d *decoders) openZstd(from io.Reader) (io.Reader, func(), error) {
	z, ok := d.zstd.Get().(*zstd.Decoder)
	if !ok {
		fresh, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow))
		if err != nil {
			return nil, func() {}, err
		}
		z = fresh
	}
	err := z.Reset(from)
	return z, func() {
		if z.Reset(nil) == nil {
			d.zstd.Put(z)
		}
	}, err
}

// openDeflate reads both things servers call deflate: a zlib stream, as the
// standard says, and the bare data.
func openDeflate(from io.Reader, head []byte) (io.Reader, error) {
	if len(head) > 1 && head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(from)
	}
	return flate.NewReader(from), nil
}
