// Package xmlpull reads the XML inside office files: forgiving, bounded, fast.
//
// It differs from encoding/xml where those files need it to. Names come out
// under the prefixes this program uses, whatever prefix or edition of a
// namespace the file chose, so "w:p" is always a Word paragraph. A missing end
// tag or a cut-off file is no error: what was there is delivered. And it never
// expands an entity that the document declares itself, so the classic
// expansion attacks have nothing to work with.
package xmlpull

import (
	"bytes"
	"errors"
	"io"
)

// Token says what Next found.
type Token int

// The tokens. An empty element gives a Start and an End.
const (
	EOF Token = iota
	Start
	End
	Text
)

// Limits of what a document may ask for.
const (
	maxDepth = 1000     // open elements; real files stay below 100
	maxToken = 64 << 20 // bytes of one tag or one stretch of text
	window   = 64 << 10 // bytes read at a time
)

// Errors that end a document early.
var (
	ErrDepth    = errors.New("elements are nested too deeply")
	ErrEntities = errors.New("the document declares its own entities")
	ErrToken    = errors.New("a single tag or text is too long")
)

// Names maps namespace addresses to the prefixes that names come out under. An
// empty prefix gives the bare local name.
type Names map[string]string

// Scanner walks a document token by token.
type Scanner struct {
	r     io.Reader
	buf   []byte // unread bytes are buf[pos:]
	pos   int
	atEOF bool
	err   error

	names  *resolver
	open   []string // names of the open elements
	name   string
	attrs  []attr
	text   []byte
	closed bool // the last start tag was an empty element: its End comes next
}

type attr struct {
	name  string
	value []byte // as written, entities unresolved; valid until the next Next
}

// New reads a document whose names are to come out as in names.
func New(r io.Reader, names Names) *Scanner {
	return &Scanner{r: decoded(r), buf: make([]byte, 0, window), names: newResolver(names)}
}

// Err is what ended the document early; nil after a plain end of the input.
func (s *Scanner) Err() error { return s.err }

// Name is the name of the element that the last Start or End was about.
func (s *Scanner) Name() string { return s.name }

// Depth is the number of open elements, the current one included after a Start
// and excluded after an End.
func (s *Scanner) Depth() int { return len(s.open) }

// Text is the text of the last Text token, valid until the next call of Next.
func (s *Scanner) Text() []byte { return s.text }

// Attr is the value of an attribute of the current start tag, or "".
func (s *Scanner) Attr(name string) string {
	v, _ := s.AttrBytes(name)
	return string(v)
}

// AttrBytes is like Attr without a copy; the bytes are valid until the next
// call of Next.
func (s *Scanner) AttrBytes(name string) ([]byte, bool) {
	for i := range s.attrs {
		if s.attrs[i].name == name {
			return unescape(s.attrs[i].value), true
		}
	}
	return nil, false
}

// Next moves on to the next token.
func (s *Scanner) Next() Token {
	if s.closed {
		s.closed = false
		s.pop()
		return End
	}
	for s.err == nil && s.more(1) {
		if s.buf[s.pos] != '<' {
			if s.readText() {
				return Text
			}
			continue
		}
		if tok := s.readMarkup(); tok != EOF {
			return tok
		}
	}
	if len(s.open) > 0 { // cut off, or a missing end tag: close what is open
		s.name = s.open[len(s.open)-1]
		s.pop()
		return End
	}
	return EOF
}

// readMarkup reads what begins with "<". It gives EOF for what is skipped.
func (s *Scanner) readMarkup() Token {
	if !s.more(2) {
		s.pos = len(s.buf)
		return EOF
	}
	switch s.buf[s.pos+1] {
	case '?':
		s.skipPast([]byte("?>"))
		return EOF
	case '!':
		return s.readDeclaration()
	case '/':
		return s.readEnd()
	}
	return s.readStart()
}

func (s *Scanner) readDeclaration() Token {
	switch {
	case s.startsWith("<!--"):
		s.pos += 4
		s.skipPast([]byte("-->"))
	case s.startsWith("<![CDATA["):
		s.pos += 9
		n := s.find([]byte("]]>"), 0)
		s.text = s.buf[s.pos : s.pos+n]
		s.pos = min(s.pos+n+3, len(s.buf))
		return Text
	default:
		s.skipDoctype()
	}
	return EOF
}

// skipDoctype passes a document type. One that declares entities is refused:
// no office writer makes such a file, and attackers do.
func (s *Scanner) skipDoctype() {
	n := s.find([]byte(">"), 0)
	if bytes.IndexByte(s.buf[s.pos:s.pos+n], '[') >= 0 {
		n = s.find([]byte("]"), 0)
		if bytes.Contains(s.buf[s.pos:s.pos+n], []byte("<!ENTITY")) {
			s.err = ErrEntities
			return
		}
		n = s.find([]byte(">"), n)
	}
	s.pos = min(s.pos+n+1, len(s.buf))
}

func (s *Scanner) readEnd() Token {
	n := s.find([]byte(">"), 0)
	raw := bytes.TrimSpace(s.buf[s.pos+2 : max(s.pos+n, s.pos+2)])
	i := lastIndex(s.open, s.names.element(raw))
	if i < 0 || i == len(s.open)-1 {
		s.pos = min(s.pos+n+1, len(s.buf))
	}
	if i < 0 { // closes nothing that is open
		return EOF
	}
	// Where inner elements were left open, the innermost is closed now and this
	// tag is met again.
	s.name = s.open[len(s.open)-1]
	s.pop()
	return End
}

func lastIndex(names []string, name string) int {
	for i := len(names) - 1; i >= 0; i-- {
		if names[i] == name {
			return i
		}
	}
	return -1
}

func (s *Scanner) pop() {
	s.names.leave(len(s.open))
	s.open = s.open[:len(s.open)-1]
}

func (s *Scanner) readText() bool {
	n := s.find([]byte("<"), 0)
	s.text = unescape(s.buf[s.pos : s.pos+n])
	s.pos += n
	return len(s.text) > 0 && len(s.open) > 0
}
