package parse

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/trawlhq/trawl"
)

func TestAFileArrivesWholeHoweverLargeItIs(t *testing.T) {
	for _, size := range []int{0, 1, inMemory - 1, inMemory, inMemory + 1, maxFile} {
		dir := t.TempDir()
		sent := bytes.Repeat([]byte("0123456789abcdef"), size/16+1)[:size]
		s, err := Receive(bytes.NewReader(sent), dir)
		if err != nil {
			t.Fatal(err)
		}
		if s.head.Len() > inMemory {
			t.Errorf("%d bytes: %d of them in memory", size, s.head.Len())
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%d bytes: the disk shows %v, %v", size, left, err)
		}
		got, err := io.ReadAll(s)
		if err != nil || !bytes.Equal(got, sent) || s.Size != int64(size) {
			t.Errorf("%d bytes: %d came back, size %d, %v", size, len(got), s.Size, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// endless counts what is taken of it.
type endless struct{ read int64 }

func (e *endless) Read(p []byte) (int, error) {
	e.read += int64(len(p))
	return len(p), nil
}

func TestAFileOverTheLimitIsNotReadToItsEnd(t *testing.T) {
	src := &endless{}
	_, err := Receive(src, t.TempDir())
	var e *trawl.Error
	if !errors.As(err, &e) || e.Kind != trawl.TooLarge || src.read > maxFile+1 {
		t.Errorf("%v after %d bytes", err, src.read)
	}
}

func TestAFileThatBreaksOffIsAnError(t *testing.T) {
	broken := errors.New("line cut")
	for _, size := range []int64{10, inMemory + 10} {
		src := io.MultiReader(io.LimitReader(&endless{}, size), failing{broken})
		if _, err := Receive(src, t.TempDir()); !errors.Is(err, broken) {
			t.Errorf("after %d bytes: %v", size, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
