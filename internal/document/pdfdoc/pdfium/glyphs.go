package pdfium

import (
	"math"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// maxGlyphs bounds what one page may hold. The densest real pages (statistical
// annexes, catalogues) have about 30,000.
const maxGlyphs = 400_000

// glyphs reads the text of the page.
func (r *reader) glyphs() {
	in := r.in
	text := in.call(r.ctx, "FPDFText_LoadPage", r.handle)
	if text == 0 {
		return
	}
	defer in.call(r.ctx, "FPDFText_ClosePage", text)
	count := min(int(int32(in.call(r.ctx, "FPDFText_CountChars", text))), maxGlyphs)
	if count <= 0 {
		return
	}
	r.page.Glyphs = slices.Grow(r.spare[:0], count)
	g := newGlyphReader(r, text)
	for at := 0; at < count && r.ctx.Err() == nil; {
		records := in.gatherGlyphs(r.ctx, text, at, count)
		if len(records) == 0 {
			return
		}
		for ; len(records) > 0; records = records[recordSize:] {
			g.read(uint64(at), record(records))
			at++
		}
	}
	for _, glyphs := range g.tiny {
		r.resize(glyphs)
	}
	r.spare = r.page.Glyphs
}

// glyphReader reads the glyphs of a page one by one.
type glyphReader struct {
	runReader
	last    uint64 // the text object of the glyph before
	current run    // what that object's glyphs have in common
	base    baseLine
	high    rune             // the first half of a character beyond the basic plane
	tiny    map[uint64][]int // glyphs in unreadable sizes, by text object
}

func newGlyphReader(r *reader, text uint64) *glyphReader {
	return &glyphReader{
		runReader: runReader{reader: r, text: text, runs: map[uint64]run{}, fonts: map[uint64]int{}},
		tiny:      map[uint64][]int{},
	}
}

// read takes over the glyph at index i.
func (g *glyphReader) read(i uint64, rec record) {
	char, ok := g.char(rec.char())
	if !ok {
		return
	}
	obj := rec.object()
	if obj == 0 {
		return // a space the engine made up: words are made by the layout
	}
	if obj != g.last {
		g.last, g.current = obj, g.of(obj, i)
	}
	if !g.current.shown || !rec.placed() {
		return
	}
	left, top, right, bottom := rec.box()
	loose := g.frame.rect(left, bottom, right, top)
	if !g.base.holds(obj, loose) {
		in := g.in
		in.call(g.ctx, "FPDFText_GetCharOrigin", g.text, i, in.at(0), in.at(1))
		x, y := g.frame.point(in.double(0), in.double(1))
		g.base = baseLine{object: obj, box: loose, x: x - loose.X0, y: y - loose.Y0}
	}
	if g.current.size < tinySize {
		g.tiny[obj] = append(g.tiny[obj], len(g.page.Glyphs))
	}
	g.page.Glyphs = append(g.page.Glyphs, g.current.glyph(char, loose, g.base))
}

// char gives a character, or ok false where the engine's code is none: the end of
// a line, or half of a character.
func (g *glyphReader) char(code rune) (char rune, ok bool) {
	if code == '\r' || code == '\n' || code == 0 {
		return 0, false
	}
	if !utf16.IsSurrogate(code) {
		return code, true
	}
	char = utf16.DecodeRune(g.high, code)
	g.high = code
	return char, char != utf8.RuneError
}

// hyphen is what the engine puts for a hyphen at the end of a line.
const hyphen = 2

func (u run) glyph(char rune, loose page.Rect, base baseLine) page.Glyph {
	g := page.Glyph{Rune: char, Box: loose, Base: loose.Y0 + base.y, Size: u.size, Font: u.font, Turn: u.turn}
	if u.turn == page.Up || u.turn == page.Down {
		g.Base = loose.X0 + base.x
	}
	if char == hyphen {
		g.Rune, g.Hyphen = '-', true
	}
	return g
}

// baseLine is where the origin of a text object's glyphs is in their boxes. It is
// the same for boxes of one size, which saves a call for most glyphs.
type baseLine struct {
	object uint64
	box    page.Rect
	x, y   float64
}

func (b baseLine) holds(object uint64, box page.Rect) bool {
	near := func(x, y float64) bool { return math.Abs(x-y) < 0.01 }
	return object == b.object &&
		(near(box.Y0, b.box.Y0) && near(box.Y1, b.box.Y1) || near(box.X0, b.box.X0) && near(box.X1, b.box.X1))
}

// tinySize is a font size nobody can read. Fonts whose glyphs are drawings may
// state one and make up for it in the drawings.
const tinySize = 1.5

// resize gives glyphs the size of the tallest of their boxes instead of what their
// font states.
func (r *reader) resize(glyphs []int) {
	tallest := 0.0
	for _, i := range glyphs {
		g := &r.page.Glyphs[i]
		height := g.Box.Height()
		if g.Turn == page.Up || g.Turn == page.Down {
			height = g.Box.Width()
		}
		tallest = max(tallest, height)
	}
	for _, i := range glyphs {
		r.page.Glyphs[i].Size = max(tallest, r.page.Glyphs[i].Size)
	}
}
