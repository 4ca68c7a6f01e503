package layout

import (
	"strings"
	"unicode"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// textBlocks stacks segments to blocks: lines below each other in one size, at
// one pitch.
func textBlocks(rows []row, r ruling, tables []*Table) []Block {
	s := stacker{rules: r, tables: tables}
	for i := range rows {
		rows[i].segments = joinMarks(rows[i].segments)
		for _, l := range rows[i].segments {
			s.add(l, rows[i])
		}
	}
	blocks := make([]Block, 0, len(s.blocks))
	for _, b := range s.blocks {
		blocks = append(blocks, b.Block)
	}
	return blocks
}

// stacker builds blocks from lines that come from the top of the page.
type stacker struct {
	rules  ruling
	tables []*Table
	blocks []*open
	recent int // blocks before it are too far above to go on
}

// open is a block that may still grow.
type open struct {
	Block
	pitch float64 // distance between its lines; zero: it has one
}

func (s *stacker) add(l Line, in row) {
	for s.recent < len(s.blocks) && l.Box.Y0-s.blocks[s.recent].Box.Y1 > 60 {
		s.recent++
	}
	for i := len(s.blocks) - 1; i >= s.recent; i-- {
		b := s.blocks[i]
		if s.follows(b, l, in) {
			b.pitch = l.Base - b.last().Base
			b.Lines = append(b.Lines, l)
			b.Box = b.Box.Union(l.Box)
			return
		}
	}
	b := Block{Kind: Text, Box: l.Box, Lines: []Line{l}}
	if m, ok := markerOf(l); ok {
		b.Kind, b.List = ListItem, m
	}
	s.blocks = append(s.blocks, &open{Block: b})
}

func (b *open) last() Line { return b.Lines[len(b.Lines)-1] }

// follows says whether a line continues a block.
func (s *stacker) follows(b *open, l Line, in row) bool {
	last := b.last()
	pitch := l.Base - last.Base
	size := max(l.Size, last.Size)
	if pitch < 0.4*size || pitch > 1.85*size || b.pitch > 0 && pitch > 1.2*b.pitch+1 {
		return false
	}
	if !sameLook(l, last) {
		return false
	}
	if !aligned(last.Box, l.Box, size) || s.contested(b, l, in) {
		return false
	}
	if s.rules.between(last.Base, l.Box.Y0+0.3*l.Size, last.Box.Union(l.Box)) {
		return false
	}
	return !b.opensParagraph(l)
}

// sameLook says that two lines can be of one paragraph: set in about one size and
// weight, and in another font only where the size is the same.
func sameLook(a, b Line) bool {
	ratio := min(a.Size, b.Size) / max(a.Size, b.Size)
	return ratio > 0.91 && isBold(a) == isBold(b) && (a.Font == b.Font || ratio > 0.985)
}

// aligned says that one line is below the other rather than beside it.
func aligned(above, below page.Rect, size float64) bool {
	overlap := above.OverlapX(below)
	return overlap > 0.5*min(above.Width(), below.Width()) || overlap > 0 && abs(above.X0-below.X0) < 1.5*size
}

// contested says that another segment of the line's row would follow the block as
// well, or that the line stands below two blocks: columns begin or end there.
func (s *stacker) contested(b *open, l Line, in row) bool {
	last := b.last().Box
	for _, other := range in.segments {
		if other.Box != l.Box && other.Box.OverlapX(last) > l.Size {
			return true
		}
	}
	for i := len(s.blocks) - 1; i >= s.recent; i-- {
		o := s.blocks[i]
		near := o.last()
		if o != b && near.Box.OverlapX(l.Box) > l.Size && abs(near.Base-b.last().Base) < 0.5*l.Size {
			return true
		}
	}
	return false
}

// opensParagraph says that a line begins something new although it is in place.
func (b *open) opensParagraph(l Line) bool {
	if _, ok := markerOf(l); ok {
		return true
	}
	last := b.last()
	if len(b.Lines) == 1 && b.Kind == ListItem {
		return false
	}
	left := b.Box.X0
	if len(b.Lines) > 1 && b.Kind != ListItem {
		left = b.Lines[1].Box.X0
	}
	indent := (l.Box.X0 - left) / l.Size
	text := last.String()
	ended := strings.HasSuffix(text, ".") || strings.HasSuffix(text, ":") || strings.HasSuffix(text, "?") || strings.HasSuffix(text, "!") || strings.HasSuffix(text, "”")
	short := b.Box.X1-last.Box.X1 > 0.12*b.Box.Width()
	if indent > 0.8 && indent < 5 && (ended || short) && b.Kind != ListItem {
		return true
	}
	return short && ended && len(b.Lines) > 1 && startsCapital(l)
}

func startsCapital(l Line) bool {
	for _, r := range l.Words[0].Text {
		return unicode.IsUpper(r) || unicode.IsDigit(r)
	}
	return false
}

// isBold says that most of a line is bold.
func isBold(l Line) bool {
	bold, all := 0, 0
	for i := range l.Words {
		n := len(l.Words[i].Text)
		all += n
		if l.Words[i].Bold {
			bold += n
		}
	}
	return 2*bold > all
}
