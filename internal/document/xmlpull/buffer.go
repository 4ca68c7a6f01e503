package xmlpull

import (
	"bytes"
	"fmt"
	"io"
)

// more makes sure that n unread bytes are at hand, if the input has them.
func (s *Scanner) more(n int) bool {
	for len(s.buf)-s.pos < n && s.fill() {
	}
	return len(s.buf)-s.pos >= n
}

// fill reads on. What is unread moves to the front first, so the buffer grows
// only with the longest token.
func (s *Scanner) fill() bool {
	if s.atEOF {
		return false
	}
	if s.pos > 0 {
		s.buf = s.buf[:copy(s.buf, s.buf[s.pos:])]
		s.pos = 0
	}
	if len(s.buf) > maxToken {
		s.err, s.atEOF = ErrToken, true
		return false
	}
	if cap(s.buf)-len(s.buf) < window/2 {
		s.buf = append(make([]byte, 0, 2*cap(s.buf)+window), s.buf...)
	}
	n, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
	s.buf = s.buf[:len(s.buf)+n]
	if err != nil {
		s.atEOF = true
		if err != io.EOF {
			s.err = fmt.Errorf("read XML: %w", err)
		}
	}
	return n > 0 || err == nil
}

// find gives the distance from pos to the first mark at or after distance from,
// or to the end of the input.
func (s *Scanner) find(mark []byte, from int) int {
	for {
		if from <= len(s.buf)-s.pos {
			if i := bytes.Index(s.buf[s.pos+from:], mark); i >= 0 {
				return from + i
			}
		}
		from = max(from, len(s.buf)-s.pos-len(mark)+1)
		if !s.fill() {
			return len(s.buf) - s.pos
		}
	}
}

func (s *Scanner) skipPast(mark []byte) {
	for {
		if i := bytes.Index(s.buf[s.pos:], mark); i >= 0 {
			s.pos += i + len(mark)
			return
		}
		s.pos = max(s.pos, len(s.buf)-len(mark)+1) // a comment may be long: it is not kept
		if !s.fill() {
			s.pos = len(s.buf)
			return
		}
	}
}

func (s *Scanner) startsWith(mark string) bool {
	return s.more(len(mark)) && string(s.buf[s.pos:s.pos+len(mark)]) == mark
}
