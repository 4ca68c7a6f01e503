package xmlpull

import "bytes"

// readStart reads a start tag and its attributes.
func (s *Scanner) readStart() Token {
	n := s.tagLength()
	tag := s.buf[s.pos+1 : s.pos+n]
	s.pos = min(s.pos+n+1, len(s.buf))
	if len(tag) > 0 && tag[len(tag)-1] == '/' {
		tag = tag[:len(tag)-1]
		s.closed = true
	}
	end := bytes.IndexAny(tag, " \t\r\n")
	if end < 0 {
		end = len(tag)
	}
	if end == 0 { // a stray "<"
		s.closed = false
		return EOF
	}
	if len(s.open) >= maxDepth {
		s.err, s.closed = ErrDepth, false
		return EOF
	}
	s.readAttrs(tag[end:])
	s.name = s.names.element(tag[:end])
	s.open = append(s.open, s.name)
	return Start
}

// tagLength finds the ">" that ends the tag at pos, passing quoted values.
func (s *Scanner) tagLength() int {
	quote := byte(0)
	for i := 1; ; i++ {
		if i >= len(s.buf)-s.pos && !s.fill() {
			return len(s.buf) - s.pos
		}
		if i >= len(s.buf)-s.pos {
			i--
			continue
		}
		switch c := s.buf[s.pos+i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i
		}
	}
}

// readAttrs splits the attributes. Namespace declarations take effect before
// any name is resolved, as the standard asks, wherever in the tag they stand.
func (s *Scanner) readAttrs(raw []byte) {
	s.attrs = s.attrs[:0]
	declared := false
	for name, value, rest := nextAttr(raw); name != nil; name, value, rest = nextAttr(rest) {
		if prefix, ok := declaration(name); ok {
			s.names.declare(len(s.open)+1, prefix, string(unescape(value)))
			declared = true
		} else if !declared {
			s.attrs = append(s.attrs, attr{s.names.attribute(name), value})
		}
	}
	if !declared {
		return
	}
	s.attrs = s.attrs[:0]
	for name, value, rest := nextAttr(raw); name != nil; name, value, rest = nextAttr(rest) {
		if _, ok := declaration(name); !ok {
			s.attrs = append(s.attrs, attr{s.names.attribute(name), value})
		}
	}
}

// nextAttr takes one name="value" off the front; a nil name ends the list.
func nextAttr(raw []byte) (name, value, rest []byte) {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	eq := bytes.IndexByte(raw, '=')
	if eq <= 0 {
		return nil, nil, nil
	}
	name = bytes.TrimRight(raw[:eq], " \t\r\n")
	raw = bytes.TrimLeft(raw[eq+1:], " \t\r\n")
	if len(raw) == 0 || raw[0] != '"' && raw[0] != '\'' {
		return nil, nil, nil
	}
	end := bytes.IndexByte(raw[1:], raw[0])
	if end < 0 {
		return name, raw[1:], nil
	}
	return name, raw[1 : 1+end], raw[end+2:]
}

// declaration tells whether an attribute declares a namespace, and for which
// prefix.
func declaration(name []byte) (prefix string, ok bool) {
	if !bytes.HasPrefix(name, []byte("xmlns")) {
		return "", false
	}
	if len(name) == 5 {
		return "", true
	}
	return string(name[6:]), name[5] == ':'
}
