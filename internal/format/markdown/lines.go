package markdown

import (
	"bytes"
	"strings"
)

// lines writes blocks below the prefixes of the containers they stand in. A
// container has two: what its first line begins with ("- ") and what every
// further line begins with ("  ").
type lines struct {
	buf   []byte
	stack []container
}

type container struct {
	lead, indent string
	close        bool // no blank line before it (a further item of a tight list)
	tight        bool // no blank lines between the blocks in it
	used         bool // lead has been written
}

// nested is how deep containers may stand in each other. Deeper ones leave no
// mark: every line repeats the marks of all, so that a page of a megabyte with
// 256 lists in each other would become one of thirty.
const nested = 32

// enter opens a container.
func (l *lines) enter(c container) {
	if len(l.stack) >= nested {
		c = container{tight: c.tight, used: true}
	}
	l.stack = append(l.stack, c)
}

// leave closes the innermost container. One that stayed empty still shows its
// marker, as an empty item or quote does.
func (l *lines) leave() {
	if !l.stack[len(l.stack)-1].used {
		l.block("")
	}
	l.stack = l.stack[:len(l.stack)-1]
}

// block writes text, which may have several lines, as a block of its own.
func (l *lines) block(text string) {
	l.separate()
	for {
		line, rest, more := strings.Cut(text, "\n")
		l.begin()
		l.buf = append(l.buf, line...)
		l.end(line == "")
		if !more {
			return
		}
		text = rest
	}
}

// tight reports whether blocks follow each other without a blank line here.
func (l *lines) tight() bool {
	n := len(l.stack)
	return n > 0 && l.stack[n-1].tight
}

// separate puts the blank line between two blocks. Where containers are just
// opening it belongs above the outermost of them.
func (l *lines) separate() {
	if len(l.buf) == 0 {
		return
	}
	n := len(l.stack)
	for n > 0 && !l.stack[n-1].used {
		n--
	}
	opening := n < len(l.stack)
	if opening && l.stack[n].close || !opening && l.tight() {
		return
	}
	for i := range n {
		l.buf = append(l.buf, l.stack[i].indent...)
	}
	l.end(true)
}

// begin writes what the containers put before a line.
func (l *lines) begin() {
	for i := range l.stack {
		if c := &l.stack[i]; c.used {
			l.buf = append(l.buf, c.indent...)
		} else {
			l.buf = append(l.buf, c.lead...)
			c.used = true
		}
	}
}

// end closes a line. White space after a bare prefix is noise; after text it
// is a hard break, or belongs to code.
func (l *lines) end(bare bool) {
	if bare {
		l.buf = bytes.TrimRight(l.buf, " ")
	}
	l.buf = append(l.buf, '\n')
}

// String gives everything written, without the last line feed.
func (l *lines) String() string {
	return strings.Trim(string(l.buf), "\n")
}
