package layout

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// takeDropCaps takes large first letters that run over several lines out of the
// words of a page: they stand on the height of the wrong line.
func takeDropCaps(words []Word, body float64) (caps, rest []Word) {
	isCap := func(w *Word) bool {
		letter, size := utf8.DecodeRuneInString(w.Text)
		return size == len(w.Text) && unicode.IsUpper(letter) && w.Size > 1.8*body
	}
	for i := range words {
		if isCap(&words[i]) {
			caps = append(caps, words[i])
		}
	}
	if len(caps) == 0 {
		return nil, words
	}
	return caps, slices.DeleteFunc(words, func(w Word) bool { return isCap(&w) })
}

// placeDropCaps puts large letters back to the words they begin. One that begins
// nothing becomes a block.
func placeDropCaps(blocks []Block, caps []Word) []Block {
	for _, c := range caps {
		placed := false
		for i := range blocks {
			if opens(c, &blocks[i]) {
				first := &blocks[i].Lines[0].Words[0]
				first.Text = c.Text + first.Text
				placed = true
				break
			}
		}
		if !placed {
			blocks = append(blocks, Block{Kind: Text, Box: c.Box, Lines: []Line{lineOf([]Word{c})}})
		}
	}
	return blocks
}

// opens says that a block stands to the right of the letter, beginning at its top.
func opens(letter Word, b *Block) bool {
	if b.Table != nil || len(b.Lines) == 0 {
		return false
	}
	first := b.Lines[0]
	gap := first.Box.X0 - letter.Box.X1
	top := letter.Base - 0.7*letter.Size
	return gap > -first.Size && gap < 1.5*first.Size && abs(first.Box.Y0-top) < 1.2*first.Size
}
