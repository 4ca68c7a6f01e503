package pdfium

import (
	"math"
	"slices"
	"strings"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// run is what all glyphs of one text object have in common.
type run struct {
	font  int
	size  float64
	turn  page.Turn
	shown bool
}

// runReader reads the text objects of a page, each once.
type runReader struct {
	*reader
	text  uint64
	runs  map[uint64]run
	fonts map[uint64]int
}

// modeFillStroke is the rendering mode of text that is filled and outlined.
// Invisible text counts like any other: it is the text layer of a scan.
const modeFillStroke = 2

// of reads the text object of the glyph at index.
func (r *runReader) of(obj, index uint64) run {
	if u, ok := r.runs[obj]; ok {
		return u
	}
	in := r.in
	mode := uint32(in.call(r.ctx, "FPDFTextObj_GetTextRenderMode", obj))
	u := run{
		font: r.font(in.call(r.ctx, "FPDFTextObj_GetFont", obj), mode == modeFillStroke),
		size: asDouble(in.call(r.ctx, "FPDFText_GetFontSize", r.text, index)),
	}
	if in.call(r.ctx, "FPDFText_GetMatrix", r.text, index, in.at(0)) != 0 {
		m := in.matrix()
		u.size *= math.Hypot(m.c, m.d)
		u.turn = r.frame.turn(m)
	}
	u.size = math.Abs(u.size)
	u.shown = u.size > 0 && !math.IsNaN(u.size) && !math.IsInf(u.size, 0)
	r.runs[obj] = u
	return u
}

// The bits of a font descriptor's flags.
const (
	flagFixedPitch = 1 << 0
	flagItalic     = 1 << 6
	flagForceBold  = 1 << 18
)

// font gives the place of a font in the page's list. A font drawn with an
// outline in its own colour looks bold and counts as another one.
func (r *runReader) font(handle uint64, outlined bool) int {
	key := handle << 1
	if outlined {
		key |= 1
	}
	if i, ok := r.fonts[key]; ok {
		return i
	}
	font := page.Font{}
	if handle != 0 {
		font = r.readFont(handle)
	}
	font.Bold = font.Bold || outlined
	r.page.Fonts = append(r.page.Fonts, font)
	r.fonts[key] = len(r.page.Fonts) - 1
	return r.fonts[key]
}

func (r *runReader) readFont(handle uint64) page.Font {
	in := r.in
	name := in.cstring(r.ctx, "FPDFFont_GetBaseFontName", handle)
	flags := max(0, int32(in.call(r.ctx, "FPDFFont_GetFlags", handle))) // negative: unknown
	weight := int32(in.call(r.ctx, "FPDFFont_GetWeight", handle))
	lower := strings.ToLower(name)
	return page.Font{
		Name:   name,
		Bold:   flags&flagForceBold != 0 || says(lower, boldWords) || strings.HasSuffix(lower, ".b") || weight >= 700 && nameless(name),
		Italic: flags&flagItalic != 0 || says(lower, italicWords),
		Mono:   flags&flagFixedPitch != 0 || says(lower, monoWords),
	}
}

// What the names of fonts say about them.
var (
	boldWords   = []string{"bold", "black", "heavy", "demi", "cmbx", "-bd"}
	italicWords = []string{"italic", "oblique"}
	monoWords   = []string{"courier", "mono", "consol", "typewriter"}
)

func says(name string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

// nameless says that a name tells nothing of the font: up to three letters and a
// number. Only then the weight in the font's descriptor is believed: it is wrong
// more often than a name is.
func nameless(name string) bool {
	name = name[strings.LastIndexByte(name, '+')+1:] // before it is what marks a part of a font
	letters := strings.TrimRight(name, "0123456789_")
	return len(letters) <= 3 && !strings.ContainsFunc(letters, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}
