package rtf

import (
	"github.com/trawlhq/trawl/internal/document/codepage"
	"github.com/trawlhq/trawl/internal/document/flow"
)

type destination int

const (
	destText destination = iota
	destNowhere
	destFonts
	destStyles
	destInfo
	destInstruction
	destLists     // the definitions of lists
	destOverrides // the uses of lists
	destLevelText // what stands before an item
	destMark      // the name of a bookmark
)

// state is what a group saves and restores.
type state struct {
	dest        destination
	ignorable   bool // \* came: an unknown destination is skipped
	fresh       bool // nothing of the group was read yet
	char        char
	para        para
	skip        int // bytes that stand for a Unicode character, \uc
	instruction string
	href        string
	style       int // in the table of styles: the one being described
	infoKey     string
	second      destination // where the second form of a text goes that is given twice
	nested      bool        // the rows described here belong to a table inside another
}

// char is how characters are set.
type char struct {
	marks   flow.Mark
	font    int
	hidden  bool
	deleted bool
	caps    bool // shown in capitals, whatever was typed
}

// para is how a paragraph is set.
type para struct {
	style   int
	outline int // level from 1; 0: none
	list    int // \ls
	level   int // \ilvl
	left    int // indents, in twentieths of a point
	first   int
	inTable bool
	depth   int // \itap: tables around it
	old     oldList
}

// oldList is a list in the manner of Word 6.
type oldList struct {
	shown   bool
	ordered bool
}

func (p para) tableDepth() int {
	if p.inTable && p.depth == 0 {
		return 1
	}
	if !p.inTable && p.depth == 1 {
		return 0
	}
	return min(p.depth, 30)
}

// tables is what the header of a document defines.
type tables struct {
	fonts       map[int]font
	defaultFont int
	page        int // code page of the document
	styles      map[int]styleDef
	lists       map[int]*listDef
	overrides   map[int]int // list by number of its use
	current     *listDef
	currentID   int
	text        string // text of the entry that is being read
	bytes       []byte // of a code page, not decoded yet
	fontNow     int
}

type font struct {
	name    string
	mono    bool
	symbol  bool
	charset int
}

type styleDef struct {
	name    string
	outline int
}

type listDef struct {
	levels []levelDef
}

type levelDef struct {
	format int // 23: bullet, 255: nothing, others: numbers
	start  int
}

func newTables() tables {
	return tables{fonts: map[int]font{}, styles: map[int]styleDef{}, lists: map[int]*listDef{},
		overrides: map[int]int{}, page: codepage.Western}
}

// flushBytes decodes the bytes that were gathered: a character may be made of
// several.
func (r *reader) flushBytes() {
	if len(r.tables.bytes) == 0 {
		return
	}
	page := r.tables.page
	if r.state.dest == destText {
		if f, ok := r.tables.fonts[r.state.char.font]; ok {
			if p := codepage.OfCharset(f.charset); p != 0 && (p != codepage.Western || page == codepage.Western) {
				page = p
			}
			if f.symbol {
				r.writeSymbols()
				return
			}
		}
	}
	s := codepage.Decode(page, r.tables.bytes)
	r.tables.bytes = r.tables.bytes[:0]
	r.write(s)
}

func (r *reader) writeSymbols() {
	var s []rune
	for _, b := range r.tables.bytes {
		s = append(s, rune(b))
	}
	r.tables.bytes = r.tables.bytes[:0]
	r.write(string(s))
}
