package layout

import "slices"

// fold joins the words of every line that look alike. A page keeps a tenth of its
// memory then, which is what lets a long file be held as a whole.
func (p *Page) fold() {
	for i := range p.Blocks {
		b := &p.Blocks[i]
		for j := range b.Lines {
			b.Lines[j] = b.Lines[j].folded(j == 0 && b.Kind == ListItem)
		}
		if b.Table == nil {
			continue
		}
		for c := range b.Table.Cells {
			lines := b.Table.Cells[c].Lines
			for j := range lines {
				lines[j] = lines[j].folded(false)
			}
		}
	}
}

// folded is the line with its words in reading order, joined where they look
// alike. The mark of a list item stays a word of its own.
func (l Line) folded(marked bool) Line {
	words := l.Reading()
	l.read = true
	var out []Word
	for i := 0; i < len(words); {
		j := i + 1
		for j < len(words) && !(marked && i == 0) && looksLike(&words[i], &words[j]) {
			j++
		}
		out = append(out, joined(words[i:j]))
		i = j
	}
	l.Words = slices.Clip(out)
	return l
}

func looksLike(a, b *Word) bool {
	return a.Bold == b.Bold && a.Italic == b.Italic && a.Mono == b.Mono && a.Link == b.Link
}

func joined(words []Word) Word {
	if len(words) == 1 {
		return words[0]
	}
	w := words[0]
	for i := range words {
		w.Box = w.Box.Union(words[i].Box)
	}
	w.Text = spaced(words)
	return w
}
