package numfmt

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

type tokenKind int

const (
	literal  tokenKind = iota
	digit              // 0 # ?
	point              // .
	exponent           // E+ E-
	slash              // / of a fraction
	datePart           // yyyy, mm, h, ss, AM/PM, [h]
	textPart           // @
	generalPart
)

type token struct {
	kind tokenKind
	text string
}

// splitSections cuts a code at the semicolons that stand outside of quotes.
func splitSections(code string) []string {
	var parts []string
	start, quoted := 0, false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\\':
			i++
		case c == ';' && len(parts) < 3:
			parts = append(parts, code[start:i])
			start = i + 1
		}
	}
	return append(parts, code[start:])
}

func parseSection(code string) section {
	var s section
	for code != "" {
		var t token
		t, code = s.next(code)
		if t.text == "" {
			continue
		}
		if n := len(s.tokens); n > 0 && t.kind == literal && s.tokens[n-1].kind == literal {
			s.tokens[n-1].text += t.text
			continue
		}
		s.tokens = append(s.tokens, t)
	}
	s.settle()
	return s
}

// next takes one token off the front.
func (s *section) next(code string) (t token, rest string) {
	switch c := code[0]; c {
	case '"':
		text, rest, _ := strings.Cut(code[1:], `"`)
		return token{literal, text}, rest
	case '\\':
		return escaped(code)
	case '_': // a blank as wide as the next character
		_, rest := escaped(code)
		return token{literal, " "}, rest
	case '*': // fills the cell with the next character
		_, rest := escaped(code)
		return token{}, rest
	case '[':
		return s.bracket(code)
	case '0', '#', '?':
		return token{digit, code[:1]}, code[1:]
	case '.':
		return token{point, "."}, code[1:]
	case ',':
		return token{digit, ","}, code[1:]
	case '%':
		s.percent++
		return token{literal, "%"}, code[1:]
	case '/':
		return token{slash, "/"}, code[1:]
	case '@':
		s.isText = true
		return token{textPart, "@"}, code[1:]
	}
	return s.word(code)
}

// escaped takes a sign and the character it is about.
func escaped(code string) (token, string) {
	if len(code) < 2 {
		return token{}, ""
	}
	_, size := utf8.DecodeRuneInString(code[1:])
	return token{literal, code[1 : 1+size]}, code[1+size:]
}

// bracket reads a colour, a condition, a currency or a count of hours.
func (s *section) bracket(code string) (token, string) {
	inner, rest, found := strings.Cut(code[1:], "]")
	if !found {
		return token{literal, "["}, code[1:]
	}
	lower := strings.ToLower(inner)
	switch {
	case lower != "" && strings.Trim(lower, "h") == "", lower != "" && strings.Trim(lower, "m") == "",
		lower != "" && strings.Trim(lower, "s") == "":
		s.isDate = true
		return token{datePart, "[" + lower + "]"}, rest
	case strings.HasPrefix(inner, "$"):
		symbol, _, _ := strings.Cut(inner[1:], "-")
		return token{literal, symbol}, rest
	case strings.ContainsAny(inner, "<>="):
		op := inner[:len(inner)-len(strings.TrimLeft(inner, "<>="))]
		if v, err := strconv.ParseFloat(inner[len(op):], 64); err == nil {
			s.cond = condition{op, v}
		}
	}
	return token{}, rest
}

// word reads parts of dates, exponents, General, and anything else as it is.
func (s *section) word(code string) (token, string) {
	lower := strings.ToLower(code)
	for _, half := range []string{"am/pm", "a/p"} {
		if strings.HasPrefix(lower, half) {
			s.isDate = true
			return token{datePart, half}, code[len(half):]
		}
	}
	if strings.HasPrefix(lower, "general") {
		s.general = true
		return token{generalPart, "General"}, code[7:]
	}
	if strings.HasPrefix(lower, "e+") || strings.HasPrefix(lower, "e-") {
		return token{exponent, code[:2]}, code[2:]
	}
	if c := lower[0]; strings.IndexByte("ymdhs", c) >= 0 {
		n := len(lower) - len(strings.TrimLeft(lower, lower[:1]))
		s.isDate = true
		return token{datePart, lower[:n]}, code[n:]
	}
	_, size := utf8.DecodeRuneInString(code)
	return token{literal, code[:size]}, code[size:]
}

// settle decides what depends on the whole section: commas between digits mean
// groups of thousands, commas after the last digit divide by a thousand each.
func (s *section) settle() {
	if s.isDate {
		for i := range s.tokens { // here "." and "," are only signs
			if k := s.tokens[i].kind; k == slash || k == digit && s.tokens[i].text == "," {
				s.tokens[i].kind = literal
			}
		}
		return
	}
	last := -1
	for i, t := range s.tokens {
		if t.kind == digit && t.text != "," {
			last = i
		}
	}
	var kept []token
	for i, t := range s.tokens {
		switch {
		case t.kind != digit || t.text != ",":
			kept = append(kept, t)
		case last < 0:
			kept = append(kept, token{literal, ","})
		case i > last:
			s.scale++
		default:
			s.thousands = true
		}
	}
	s.tokens = kept
}
