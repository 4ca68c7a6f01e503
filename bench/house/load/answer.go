package load

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// reader skips over answers.
type reader struct{ buf *bufio.Reader }

func newReader(from io.Reader) *reader { return &reader{bufio.NewReaderSize(from, 64<<10)} }

// errorBody is how much of a refusal is shown.
const errorBody = 500

// skip reads one answer to its end. It must be a 200 that tells its length.
func (r *reader) skip() error {
	line, err := r.line()
	if err != nil {
		return err
	}
	ok := bytes.HasPrefix(line, []byte("HTTP/1.1 200 "))
	status := string(line)
	length, err := r.head()
	if err != nil {
		return err
	}
	if ok {
		_, err = r.buf.Discard(length)
		return err
	}
	body := make([]byte, min(length, errorBody))
	if _, err := io.ReadFull(r.buf, body); err != nil {
		return err
	}
	return fmt.Errorf("%s: %s", status, body)
}

// head reads the header lines for the length of the body.
func (r *reader) head() (length int, err error) {
	length = -1
	for {
		line, err := r.line()
		if err != nil {
			return 0, err
		}
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		if !bytes.EqualFold(name, []byte("Content-Length")) {
			continue
		}
		if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
			return 0, err
		}
	}
	if length < 0 {
		return 0, errors.New("the answer does not tell its length")
	}
	return length, nil
}

func (r *reader) line() ([]byte, error) {
	line, err := r.buf.ReadSlice('\n')
	return bytes.TrimRight(line, "\r\n"), err
}
