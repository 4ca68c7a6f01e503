package htmltree

import "strings"

// declaration reads what "<!" began: a comment, a doctype, a CDATA section, or
// something that is shown as a comment.
func (s *scanner) declaration(i int) {
	rest := s.src[i:]
	switch {
	case strings.HasPrefix(rest, "--"):
		s.comment(i + len("--"))
	case len(rest) >= len("doctype") && lowersTo(rest[:len("doctype")], "doctype"):
		s.doctype(i + len("doctype"))
	case s.cdataOK && strings.HasPrefix(rest, "[CDATA["):
		s.cdata(i + len("[CDATA["))
	default:
		s.bogusComment(i)
	}
}

// comment reads a comment from behind its "<!--". It ends with "-->" or "--!>",
// at once with ">" or "->", and with the page.
func (s *scanner) comment(start int) {
	rest := s.src[start:]
	for _, abrupt := range []string{">", "->"} {
		if strings.HasPrefix(rest, abrupt) {
			s.takeComment(start, start, start+len(abrupt))
			return
		}
	}
	for i := start; ; {
		j := strings.Index(s.src[i:], "--")
		if j < 0 {
			break
		}
		i += j
		for i < len(s.src) && s.src[i] == '-' {
			i++
		}
		rest := s.src[i:]
		if strings.HasPrefix(rest, ">") {
			s.takeComment(start, i-len("--"), i+len(">"))
			return
		}
		if strings.HasPrefix(rest, "!>") {
			s.takeComment(start, i-len("--"), i+len("!>"))
			return
		}
	}
	for _, unfinished := range []string{"--!", "--", "-"} {
		if strings.HasSuffix(rest, unfinished) {
			s.takeComment(start, len(s.src)-len(unfinished), len(s.src))
			return
		}
	}
	s.takeComment(start, len(s.src), len(s.src))
}

// bogusComment reads up to the next '>' what is no markup but looks like it.
func (s *scanner) bogusComment(start int) {
	end, next := s.closeAngle(start)
	s.takeComment(start, end, next)
}

// doctype reads a doctype from behind that word.
func (s *scanner) doctype(start int) {
	start = skipSpace(s.src, start)
	end, next := s.closeAngle(start)
	s.tok.kind, s.tok.text = doctype, s.unescaped(start, end)
	s.pos = next
}

// cdata reads a CDATA section, which only SVG and MathML have.
func (s *scanner) cdata(start int) {
	end, next := len(s.src), len(s.src)
	if length := strings.Index(s.src[start:], "]]>"); length >= 0 {
		end = start + length
		next = end + len("]]>")
	}
	s.tok.kind, s.tok.text = text, s.unescapedVisible(start, end)
	s.pos = next
}

// closeAngle is where the next '>' is and what comes after it.
func (s *scanner) closeAngle(start int) (end, next int) {
	if length := strings.IndexByte(s.src[start:], '>'); length >= 0 {
		return start + length, start + length + 1
	}
	return len(s.src), len(s.src)
}

func (s *scanner) takeComment(start, end, next int) {
	s.tok.kind, s.tok.text = comment, s.unescapedVisible(start, end)
	s.pos = next
}
