package doc

import (
	"errors"
	"sort"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/codepage"
	"github.com/trawlhq/trawl/internal/document/flow"
)

// oneLine writes breaks and tabs of a cell as a paragraph has them.
var oneLine = strings.NewReplacer("\v", "\n", "\t", " ")

// piece is a stretch of text and where in the stream it is.
type piece struct {
	from, to int // places in the text
	offset   int64
	narrow   bool // one byte a character
}

var errNoPieces = errors.New("no table of pieces")

// readPieces reads the list of pieces. Before it may stand changes from quick
// saves, each with its length.
func readPieces(clx []byte) ([]piece, error) {
	for len(clx) > 3 && clx[0] == 1 {
		size := int(le.Uint16(clx[1:]))
		if 3+size > len(clx) {
			return nil, errNoPieces
		}
		clx = clx[3+size:]
	}
	if len(clx) < 5 || clx[0] != 2 {
		return nil, errNoPieces
	}
	plc := slice(clx, 5, int64(le.Uint32(clx[1:])))
	n := plcCount(plc, 8)
	var pieces []piece
	for i := range n {
		pcd := plc[4*(n+1)+8*i:]
		fc := le.Uint32(pcd[2:])
		p := piece{from: int(le.Uint32(plc[4*i:])), to: int(le.Uint32(plc[4*i+4:])), offset: int64(fc)}
		if fc&0x40000000 != 0 {
			p.narrow, p.offset = true, int64(fc&^0x40000000)/2
		}
		if p.to > p.from {
			pieces = append(pieces, p)
		}
	}
	if len(pieces) == 0 {
		return nil, errNoPieces
	}
	sort.SliceStable(pieces, func(i, j int) bool { return pieces[i].from < pieces[j].from })
	return pieces, nil
}

// plcCount gives the number of entries in a table of n+1 places followed by n
// entries of a size.
func plcCount(plc []byte, size int) int {
	if len(plc) < 4 {
		return 0
	}
	return (len(plc) - 4) / (4 + size)
}

// each calls visit for every character between two places, with its offset in
// the stream, until visit or the text ends.
func (r *reader) each(from, to int, visit func(place int, c uint16, offset int64) error) error {
	first := sort.Search(len(r.pieces), func(i int) bool { return r.pieces[i].to > from })
	for _, p := range r.pieces[first:] {
		if p.from >= to {
			break
		}
		for at := max(from, p.from); at < min(to, p.to); at++ {
			offset := p.offset + int64(at-p.from)
			if !p.narrow {
				offset = p.offset + 2*int64(at-p.from)
			}
			c, ok := r.char(offset, p.narrow)
			if !ok {
				break
			}
			if err := visit(at, c, offset); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *reader) char(offset int64, narrow bool) (uint16, bool) {
	if offset < 0 || offset+2 > int64(len(r.main)) && !(narrow && offset < int64(len(r.main))) {
		return 0, false
	}
	if !narrow {
		return le.Uint16(r.main[offset:]), true
	}
	b := r.main[offset]
	if b >= 0x80 && b < 0xA0 {
		for _, c := range codepage.Decode(codepage.Western, []byte{b}) {
			return uint16(c), true
		}
	}
	return uint16(b), true
}

// oldText reads a document from before Word 97: its paragraphs, without what
// they look like.
func (r *reader) oldText() ([]*html.Node, error) {
	raw := slice(r.main, int64(r.fib.first), int64(r.fib.last-r.fib.first))
	text := codepage.Decode(codepage.Western, raw)
	w := flow.New()
	for _, line := range strings.FieldsFunc(text, func(c rune) bool { return c == '\r' || c == '\x07' || c == '\f' }) {
		line = strings.Map(func(c rune) rune {
			if c < ' ' && c != '\t' && c != '\v' {
				return -1
			}
			return c
		}, line)
		w.Para(flow.Para{Spans: []flow.Span{{Text: oneLine.Replace(line)}}})
	}
	return w.Nodes(), nil
}
