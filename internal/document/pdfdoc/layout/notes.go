package layout

import "strings"

// noteSize is how large footnotes are at most, relative to the body.
const noteSize = 0.95

// markNotes types captions and footnotes.
func markNotes(blocks []Block, p *Page) {
	for i := range blocks {
		b := &blocks[i]
		if b.Kind != Text && b.Kind != ListItem {
			continue
		}
		text := b.String()
		switch {
		case captionStart.MatchString(text) && len(b.Lines) <= 4 && len(text) < 400:
			b.Kind = Caption
		case b.Box.Y0 > 0.6*p.Height && blockSize(b) < noteSize*p.BodySize && noteStart(text):
			b.Kind = Footnote
		}
	}
}

// noteStart says that text begins like a footnote: a number or a sign.
func noteStart(s string) bool {
	word, _, ok := strings.Cut(s, " ")
	number := strings.TrimRight(word, ".)")
	return ok && (digitsOnly(number) && len(number) <= 3 || strings.Trim(word, "*†‡§") == "")
}
