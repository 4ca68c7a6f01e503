package doc

import (
	"errors"
	"fmt"

	"github.com/trawlhq/trawl/internal/document/fault"
)

// Where things are in the header, and the numbers of the tables it points to.
const (
	fibSignature = 0xA5EC
	fibSize      = 0x9A
	firstWord97  = 0x00C1 // version of the format
	fcBase       = 0x9A

	fcStyles      = 1
	fcFootRefs    = 2
	fcFootTexts   = 3
	fcChars       = 12
	fcParas       = 13
	fcFonts       = 15
	fcClx         = 33
	fcEndRefs     = 46
	fcEndTexts    = 47
	fcLists       = 73
	fcListUses    = 74
	flagLocked    = 0x0100
	flagTables1   = 0x0200
	maxCharacters = 100 << 20
)

// fib is the header of a document: what is where, in characters.
type fib struct {
	old    bool   // from before Word 97
	tables string // name of the stream with the tables

	text, footnotes, headers, macros, comments, endnotes, textBoxes int

	first, last int // of an old document: where in the stream its text is
}

var errNoWord = errors.New("not a Word document")

func readFIB(b []byte) (fib, error) {
	if len(b) < 0x40 {
		return fib{}, fmt.Errorf("header too short: %w", errNoWord)
	}
	flags := le.Uint16(b[10:])
	if flags&flagLocked != 0 {
		return fib{}, fault.Protected(what)
	}
	f := fib{tables: "0Table", first: int(le.Uint32(b[0x18:])), last: int(le.Uint32(b[0x1C:]))}
	if flags&flagTables1 != 0 {
		f.tables = "1Table"
	}
	if le.Uint16(b[2:]) < firstWord97 {
		f.old = true
		return f, nil
	}
	if len(b) < fibSize {
		return fib{}, fmt.Errorf("header too short: %w", errNoWord)
	}
	count := func(at int) int { return int(min(le.Uint32(b[at:]), maxCharacters)) }
	f.text, f.footnotes, f.headers = count(0x4C), count(0x50), count(0x54)
	f.macros, f.comments, f.endnotes, f.textBoxes = count(0x58), count(0x5C), count(0x60), count(0x64)
	return f, nil
}
