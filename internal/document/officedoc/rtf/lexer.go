package rtf

import (
	"bytes"
	"strconv"
)

type tokenKind int

const (
	eof tokenKind = iota
	open
	shut
	text
	control
)

// token is a piece of RTF. A control has a word, and a number where one was
// given.
type token struct {
	kind   tokenKind
	text   string
	word   string
	number int
	given  bool
	hex    byte // of the control \'
}

type lexer struct {
	src       []byte
	pos       int
	skipChars int // characters to pass, because a Unicode one came before them
}

func (l *lexer) next() token {
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; c {
		case '{':
			l.pos++
			l.skipChars = 0
			return token{kind: open}
		case '}':
			l.pos++
			l.skipChars = 0
			return token{kind: shut}
		case '\\':
			return l.control()
		case '\r', '\n', 0:
			l.pos++
		default:
			return l.text()
		}
	}
	return token{kind: eof}
}

func (l *lexer) text() token {
	start := l.pos
	end := bytes.IndexAny(l.src[start:], "{}\\\r\n\x00")
	if end < 0 {
		end = len(l.src) - start
	}
	l.pos = start + end
	raw := l.src[start:l.pos]
	for _, c := range raw {
		if c >= 0x80 { // bytes of the code page, unescaped
			l.pos = start
			return l.byteOrRun()
		}
	}
	return token{kind: text, text: string(raw)}
}

// byteOrRun takes text up to the first byte beyond ASCII, or that byte.
func (l *lexer) byteOrRun() token {
	start := l.pos
	for l.pos < len(l.src) && l.src[l.pos] < 0x80 && bytes.IndexByte([]byte("{}\\\r\n\x00"), l.src[l.pos]) < 0 {
		l.pos++
	}
	if l.pos > start {
		return token{kind: text, text: string(l.src[start:l.pos])}
	}
	l.pos++
	return token{kind: control, word: "'", hex: l.src[start]}
}

func (l *lexer) control() token {
	l.pos++
	if l.pos >= len(l.src) {
		return token{kind: eof}
	}
	c := l.src[l.pos]
	if !isLetter(c) {
		l.pos++
		if c != '\'' {
			return token{kind: control, word: string(rune(c))}
		}
		return l.hex()
	}
	start := l.pos
	for l.pos < len(l.src) && isLetter(l.src[l.pos]) && l.pos-start < 40 {
		l.pos++
	}
	t := token{kind: control, word: string(l.src[start:l.pos])}
	start = l.pos
	if l.pos < len(l.src) && l.src[l.pos] == '-' {
		l.pos++
	}
	for l.pos < len(l.src) && l.src[l.pos] >= '0' && l.src[l.pos] <= '9' && l.pos-start < 11 {
		l.pos++
	}
	if n, err := strconv.Atoi(string(l.src[start:l.pos])); err == nil {
		t.number, t.given = n, true
	} else {
		l.pos = start
	}
	if l.pos < len(l.src) && l.src[l.pos] == ' ' {
		l.pos++
	}
	if t.word == "bin" && t.number > 0 {
		l.pos = min(l.pos+t.number, len(l.src))
	}
	return t
}

func (l *lexer) hex() token {
	if l.pos+2 > len(l.src) {
		l.pos = len(l.src)
		return token{kind: eof}
	}
	n, err := strconv.ParseUint(string(l.src[l.pos:l.pos+2]), 16, 8)
	if err != nil {
		return token{kind: control, word: "'", hex: '?'}
	}
	l.pos += 2
	return token{kind: control, word: "'", hex: byte(n)}
}

// skipGroup passes the rest of the group that was just opened.
func (l *lexer) skipGroup() {
	for depth := 1; depth > 0; {
		switch t := l.next(); t.kind {
		case open:
			depth++
		case shut:
			depth--
		case eof:
			return
		}
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
