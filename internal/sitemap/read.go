package sitemap

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// Kind says what an entry of a file leads to.
type Kind int

// The kinds of entries.
const (
	Page     Kind = iota // an address of the site
	File                 // a further sitemap file
	FeedItem             // an address a feed announces
)

// Entry is one address of a sitemap file.
type Entry struct {
	Kind Kind
	Loc  string // as written, without the spaces around it
}

// Limits bound what is read of one file. Zero values are the defaults.
type Limits struct {
	MaxBytes   int64 // after unpacking; 0: 64 MiB, a little over what the protocol permits
	MaxEntries int   // 0: 100,000, twice what the protocol permits
}

var (
	// ErrTooLarge is given for a file over its limits, after what was within them.
	ErrTooLarge = errors.New("sitemap over its limits")
	// ErrNotSitemap is given for a file that is something else, a page for instance.
	ErrNotSitemap = errors.New("not a sitemap")
)

// Read calls each for the entries of a file in order. A file that breaks off or
// is malformed gives an error after the entries before that place; what each
// returns ends the reading and is returned.
func Read(from io.Reader, limits Limits, each func(Entry) error) error {
	if limits.MaxBytes == 0 {
		limits.MaxBytes = 64 << 20
	}
	if limits.MaxEntries == 0 {
		limits.MaxEntries = 100_000
	}
	buf, err := unpacked(bufio.NewReaderSize(from, 32<<10), limits.MaxBytes)
	if err != nil {
		return err
	}
	count := 0
	counted := func(e Entry) error {
		if count++; count > limits.MaxEntries {
			return ErrTooLarge
		}
		return each(e)
	}
	first, err := firstByte(buf)
	switch {
	case errors.Is(err, io.EOF):
		return ErrNotSitemap
	case err != nil:
		return fmt.Errorf("read sitemap: %w", err)
	case first == '<':
		return readXML(buf, counted)
	}
	return readText(buf, counted)
}

// unpacked undoes gzip, whatever the file is called, as often as it was applied
// by mistake, and makes UTF-8 of what comes out.
func unpacked(buf *bufio.Reader, most int64) (*bufio.Reader, error) {
	for range 2 {
		head, err := buf.Peek(2)
		if err != nil || head[0] != 0x1f || head[1] != 0x8b {
			break
		}
		z, err := gzip.NewReader(buf)
		if err != nil {
			return nil, fmt.Errorf("unpack sitemap: %w", err)
		}
		buf = bufio.NewReaderSize(&capped{z, most}, 32<<10)
	}
	return bufio.NewReaderSize(utf8FromBOM(&capped{buf, most}), 32<<10), nil
}

// capped fails past its limit, where io.LimitReader would pretend an end.
type capped struct {
	from io.Reader
	left int64
}

func (c *capped) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, ErrTooLarge
	}
	n, err := c.from.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// firstByte looks past white space at what kind of file this is.
func firstByte(buf *bufio.Reader) (byte, error) {
	for {
		c, err := buf.ReadByte()
		if err != nil {
			return 0, err
		}
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c, buf.UnreadByte()
		}
	}
}
