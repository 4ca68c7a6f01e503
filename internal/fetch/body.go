package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
)

const (
	drainAtMost = 16 << 10 // bytes of a body nobody wants: worth reading to use the connection again
	keepAtMost  = 4 << 20  // bytes of a buffer between fetches
)

// errTooLarge marks a body over its cap.
var errTooLarge = errors.New("body over its cap")

// bodyReader reads bodies into buffers that are used again.
type bodyReader struct {
	decoders decoders
	buffers  sync.Pool
}

func newBodyReader() *bodyReader {
	return &bodyReader{buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
}

// read gives the body with its content encodings undone, as much of it as the
// request wants, and closes it.
func (b *bodyReader) read(ctx context.Context, res *http.Response, r Request) ([]byte, error) {
	defer res.Body.Close()
	wire := &wireReader{from: res.Body}
	decoded, done, err := b.decoders.open(res.Header.Get("Content-Encoding"), wire)
	if err != nil {
		return nil, b.failure(ctx, res, wire, err)
	}
	defer done()
	buf, _ := b.buffers.Get().(*bytes.Buffer)
	buf.Reset()
	defer func() {
		if buf.Cap() <= keepAtMost {
			b.buffers.Put(buf)
		}
	}()
	most := r.maxBytes()
	n, err := buf.ReadFrom(io.LimitReader(decoded, most+1))
	if n > most && r.CutBody {
		return bytes.Clone(buf.Bytes()[:most]), nil
	}
	if n > most {
		return nil, b.failure(ctx, res, wire, errTooLarge)
	}
	if err != nil {
		return nil, b.failure(ctx, res, wire, err)
	}
	res.Header.Del("Content-Encoding") // of the wire; both would be wrong about what is returned
	res.Header.Del("Content-Length")
	if buf.Cap() > keepAtMost { // not used again, so no need to copy it
		return buf.Bytes(), nil
	}
	return bytes.Clone(buf.Bytes()), nil
}

// failure tells a broken connection from broken content.
func (b *bodyReader) failure(ctx context.Context, res *http.Response, wire *wireReader, err error) error {
	switch {
	case errors.Is(err, errTooLarge):
		return siteError("ERR_FILE_TOO_BIG", "The page is too large").Because(err)
	case wire.err == nil && ctx.Err() == nil:
		return siteError("ERR_CONTENT_DECODING_FAILED", "The page's content encoding is broken").Because(err)
	}
	return bodyError(ctx, err, res.ContentLength < 0)
}

// discard reads a small body that nobody wants, so that its connection can serve
// the next hop. One of unknown length might never end: its connection is given up.
func (b *bodyReader) discard(res *http.Response) {
	if 0 <= res.ContentLength && res.ContentLength <= drainAtMost {
		_, _ = io.Copy(io.Discard, res.Body) // an error here is the next request's to meet
	}
	_ = res.Body.Close()
}

// wireReader remembers whether the network failed, which a decoder above it
// reports as broken content.
type wireReader struct {
	from io.Reader
	err  error
}

func (w *wireReader) Read(p []byte) (int, error) {
	n, err := w.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}
