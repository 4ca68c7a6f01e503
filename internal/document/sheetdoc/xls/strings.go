package xls

import "unicode/utf16"

// chars decodes characters of one or two bytes each.
func chars(data []byte, count int, wide bool) string {
	if wide {
		count = min(count, len(data)/2)
	} else {
		count = min(count, len(data))
	}
	units := make([]uint16, max(count, 0))
	for i := range units {
		if wide {
			units[i] = le.Uint16(data[2*i:])
		} else {
			units[i] = uint16(data[i])
		}
	}
	return string(utf16.Decode(units))
}

// segments reads data that is spread over several records.
type segments struct {
	parts [][]byte
	short bool // the data ended too early
}

// take gives n bytes, wherever the cuts are.
func (s *segments) take(n int) []byte {
	var out []byte
	for n > 0 && !s.short {
		if s.empty() {
			break
		}
		m := min(n, len(s.parts[0]))
		if out == nil && m == n {
			out = s.parts[0][:m]
		} else {
			out = append(out[:len(out):len(out)], s.parts[0][:m]...)
		}
		s.parts[0] = s.parts[0][m:]
		n -= m
	}
	if n > 0 {
		s.short = true
	}
	return out
}

// empty drops parts that are used up and tells whether none is left.
func (s *segments) empty() bool {
	for len(s.parts) > 0 && len(s.parts[0]) == 0 {
		s.parts = s.parts[1:]
	}
	return len(s.parts) == 0
}

func (s *segments) number(size int) int {
	b := s.take(size)
	n := 0
	for i := len(b) - 1; i >= 0; i-- {
		n = n<<8 | int(b[i])
	}
	return n
}

// chars reads characters. Where they are cut, the next record begins with a
// byte that says anew how wide they are.
func (s *segments) chars(count int, wide bool) string {
	text := ""
	for count > 0 && !s.short {
		if s.empty() {
			s.short = true
			break
		}
		size := 1
		if wide {
			size = 2
		}
		n := min(count, len(s.parts[0])/size)
		text += chars(s.parts[0], n, wide)
		s.parts[0] = s.parts[0][n*size:]
		if count -= n; count == 0 {
			break
		}
		s.parts = s.parts[1:]
		wide = s.number(1)&1 != 0
	}
	return text
}

// readStrings reads the table that cells with text point into.
func readStrings(parts [][]byte) []string {
	s := &segments{parts: parts}
	s.take(4)
	count := s.number(4)
	var list []string
	for range count {
		size, flags := s.number(2), s.number(1)
		runs, extra := 0, 0
		if flags&8 != 0 {
			runs = s.number(2)
		}
		if flags&4 != 0 {
			extra = s.number(4)
		}
		text := s.chars(size, flags&1 != 0)
		s.take(4 * runs)
		s.take(extra)
		if s.short {
			if text != "" {
				list = append(list, text)
			}
			break
		}
		list = append(list, text)
	}
	return list
}
