package layout

import "unicode"

// takeDropCaps takes large first letters that run over several lines out of the
// words of a page: they stand on the height of the wrong line.
func takeDropCaps(words []Word, body float64) (caps, rest []Word) {
	for _, w := range words {
		if letters := []rune(w.Text); len(letters) == 1 && unicode.IsUpper(letters[0]) && w.Size > 1.8*body {
			caps = append(caps, w)
			continue
		}
		rest = append(rest, w)
	}
	return caps, rest
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
