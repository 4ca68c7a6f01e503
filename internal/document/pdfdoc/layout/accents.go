package layout

import (
	"golang.org/x/text/unicode/norm"

	"github.com/trawlhq/trawl/internal/document/pdfdoc/page"
)

// combining gives the accents that some programs draw as characters of their own,
// over a letter, and what they are on the letter.
var combining = map[rune]rune{
	'´': '\u0301', '`': '\u0300', 'ˆ': '\u0302', '˜': '\u0303', '¨': '\u0308', 'ˇ': '\u030C',
	'˘': '\u0306', '˚': '\u030A', '¸': '\u0327', '˛': '\u0328', '¯': '\u0304', '˙': '\u0307', '˝': '\u030B',
}

// How far around an accent its letter is looked for, in glyphs.
const accentReach = 8

// placeAccents puts accents onto the letters they are drawn over. The glyph of the
// accent is left without a rune.
func placeAccents(glyphs []page.Glyph) {
	for i := range glyphs {
		mark, ok := combining[glyphs[i].Rune]
		if !ok {
			continue
		}
		if at, letter := letterUnder(glyphs, i, mark); at >= 0 {
			glyphs[at].Rune = letter
			glyphs[i].Rune = 0
		}
	}
}

// letterUnder finds the letter an accent stands over, and gives the letter with
// it; -1: none.
func letterUnder(glyphs []page.Glyph, at int, mark rune) (best int, letter rune) {
	accent := &glyphs[at]
	x, _ := accent.Box.Centre()
	best = -1
	distance := 0.35 * accent.Size
	for i := max(0, at-accentReach); i < min(len(glyphs), at+accentReach); i++ {
		g := &glyphs[i]
		if i == at || g.Rune < 'A' || abs(g.Base-accent.Base) > 0.8*accent.Size {
			continue
		}
		middle, _ := g.Box.Centre()
		d := abs(middle - x)
		if d >= distance {
			continue
		}
		if whole := []rune(norm.NFC.String(string([]rune{g.Rune, mark}))); len(whole) == 1 {
			best, distance, letter = i, d, whole[0]
		}
	}
	return best, letter
}
