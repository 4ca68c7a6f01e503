package parse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// inMemory is how much of a file that arrives is held in memory; the rest of a
// larger one waits on disk, so that slow senders cost disk and not memory.
const inMemory = 8 << 20

// Spool is a file that has arrived.
type Spool struct {
	head bytes.Buffer
	rest *os.File // nil: all of it is in head
	Size int64
}

// Receive takes a file in, up to the limit of a file. It must be closed.
func Receive(src io.Reader, dir string) (_ *Spool, err error) {
	s := &Spool{}
	src = io.LimitReader(src, maxFile+1)
	n, err := io.CopyN(&s.head, src, inMemory)
	s.Size = n
	if errors.Is(err, io.EOF) {
		return s, nil
	}
	if err == nil {
		err = s.spill(src, dir)
	}
	if err == nil && s.Size > maxFile {
		err = TooLarge()
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// spill writes the rest to a file that has no name any more once it is open, so
// that nothing is left behind however the process ends.
func (s *Spool) spill(src io.Reader, dir string) error {
	f, err := os.CreateTemp(dir, "upload-*")
	if err != nil {
		return fmt.Errorf("spool upload: %w", err)
	}
	s.rest = f
	if err := os.Remove(f.Name()); err != nil {
		return fmt.Errorf("spool upload: %w", err)
	}
	n, err := io.Copy(f, src)
	s.Size += n
	if err != nil {
		return err
	}
	_, err = f.Seek(0, io.SeekStart)
	return err
}

// Read gives the bytes, once.
func (s *Spool) Read(p []byte) (int, error) {
	if s.head.Len() > 0 {
		return s.head.Read(p)
	}
	if s.rest == nil {
		return 0, io.EOF
	}
	return s.rest.Read(p)
}

// Close frees the disk.
func (s *Spool) Close() error {
	if s.rest == nil {
		return nil
	}
	return s.rest.Close()
}
