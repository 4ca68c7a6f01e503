package layout

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// Word is a run of glyphs without a space.
type Word struct {
	Text               string
	Box                page.Rect // its height is that of the font, not of the ink
	Base               float64
	Size               float64
	Font               int // which of the page's fonts
	Bold, Italic, Mono bool
	Hyphen             bool   // ends with a hyphen made by the end of the line
	Link               string // where it leads; empty: nowhere
}

// A gap wider than this part of the font size parts two words. Most fonts have
// a space of 0.25; set tight, it shrinks to 0.2. Kerning stays below 0.1.
const wordGap = 0.17

// The part of the font size above and below the base line that a word covers.
const (
	ascent  = 0.75
	descent = 0.22
)

// wordsOf joins the glyphs of an upright page to words.
func wordsOf(p *page.Page) []Word {
	placeAccents(p.Glyphs)
	b := wordBuilder{fonts: p.Fonts, words: make([]Word, 0, len(p.Glyphs)/5+1)}
	for i := range p.Glyphs {
		b.add(&p.Glyphs[i])
	}
	b.end()
	return b.words
}

type wordBuilder struct {
	fonts  []page.Font
	words  []Word
	text   []rune
	box    page.Rect
	last   *page.Glyph
	main   *page.Glyph // the largest glyph: size and base line of the word
	bold   int
	italic int
	mono   int
}

func (b *wordBuilder) add(g *page.Glyph) {
	if g.Rune == 0 {
		return // an accent that has found its letter
	}
	if unicode.IsSpace(g.Rune) || g.Rune == '\u00a0' {
		b.end()
		return
	}
	if unicode.Is(unicode.Cc, g.Rune) || unicode.Is(unicode.Cf, g.Rune) || g.Rune == unicode.ReplacementChar || g.Rune == 0xFFFE {
		return
	}
	if b.last != nil && !b.touches(g) {
		b.end()
	}
	b.text = append(b.text, g.Rune)
	b.box = b.box.Union(g.Box)
	if b.main == nil || g.Size > b.main.Size {
		b.main = g
	}
	b.last = g
	if g.Font >= 0 && g.Font < len(b.fonts) {
		f := b.fonts[g.Font]
		b.bold += count(f.Bold)
		b.italic += count(f.Italic)
		b.mono += count(f.Mono)
	}
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// touches says whether a glyph goes on with the word. Right-to-left text comes in
// reading order, so its next glyph is on the left.
func (b *wordBuilder) touches(g *page.Glyph) bool {
	size := max(b.main.Size, g.Size)
	if abs(g.Base-b.main.Base) > 0.55*size {
		return false
	}
	if small := min(b.last.Size, g.Size); size > 1.7*small && abs(g.Base-b.last.Base) > 0.5*small {
		return false // a large first letter beside the lines it opens
	}
	if isCJK(g.Rune) && isCJK(b.last.Rune) && abs(g.Box.X0-b.last.Box.X1) < 0.6*size {
		return true
	}
	gap := g.Box.X0 - b.last.Box.X1
	if isRTL(g.Rune) && isRTL(b.last.Rune) {
		gap = b.last.Box.X0 - g.Box.X1
	}
	// The letters of a ligature come one by one with the box of the whole.
	return gap < wordGap*size && gap > -0.1*size-max(b.last.Box.Width(), 0.5*size)
}

func (b *wordBuilder) end() {
	if len(b.text) > 0 {
		n := len(b.text)
		w := Word{
			Text: mend(b.text), Base: b.main.Base, Size: b.main.Size, Font: b.main.Font, Hyphen: b.last.Hyphen,
			Bold: 2*b.bold > n, Italic: 2*b.italic > n, Mono: 2*b.mono > n,
		}
		w.Box = page.Rect{X0: b.box.X0, X1: b.box.X1, Y0: w.Base - ascent*w.Size, Y1: w.Base + descent*w.Size}
		b.words = append(b.words, w)
	}
	*b = wordBuilder{fonts: b.fonts, words: b.words, text: b.text[:0]}
}

// mend writes ligatures and presentation forms as the letters they stand for,
// and puts accents that were drawn as glyphs of their own onto their letters.
func mend(text []rune) string {
	plain := true
	for _, r := range text {
		if r >= 0x80 || r == '`' {
			plain = false
			break
		}
	}
	if plain {
		return string(text)
	}
	var out strings.Builder
	for _, r := range text {
		switch {
		case r >= 0xFB00 && r <= 0xFB06, r >= 0xFB13 && r <= 0xFDFF, r >= 0xFE70 && r <= 0xFEFC:
			out.WriteString(norm.NFKC.String(string(r)))
		case r >= 0xF000 && r <= 0xF0FF:
			out.WriteRune(symbol(r))
		default:
			out.WriteRune(r)
		}
	}
	return norm.NFC.String(doubledQuotes.Replace(out.String()))
}

// doubledQuotes writes quotation marks that were set as two single ones.
var doubledQuotes = strings.NewReplacer("‘‘", "“", "’’", "”", "``", "“")

// symbol reads the private codes that symbol fonts use: mostly bullets.
func symbol(r rune) rune {
	switch r {
	case 0xF0B7, 0xF0A7, 0xF06C, 0xF06E, 0xF0D8, 0xF0FC, 0xF0A8, 0xF071, 0xF076, 0xF02D:
		return '•'
	}
	if low := r - 0xF000; low > 0x20 && low < 0x7F {
		return low
	}
	return r
}

// linkWords notes on each word where a link over it leads.
func linkWords(words []Word, links []page.Link) []Word {
	for _, l := range links {
		area := l.Grow(1)
		for i := range words {
			if area.Holds(words[i].Box.Centre()) {
				words[i].Link = l.URL
			}
		}
	}
	return words
}

func isRTL(r rune) bool {
	return r >= 0x0590 && r <= 0x08FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFF
}

func isCJK(r rune) bool {
	if r >= 0xFF01 && r <= 0xFF5E {
		return r == '，' || r == '（' || r == '）' || r == '：' || r == '；' || r == '！' || r == '？'
	}
	return r >= 0x2E80 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7AF || r >= 0xF900 && r <= 0xFAFF || r >= 0xFF00 && r <= 0xFFEF || r >= 0x20000 && r <= 0x3FFFF
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}
