package htmldoc

import "golang.org/x/net/html/atom"

// repeatsFrom is the size of a region from which on repeats are looked for;
// short pages repeat themselves on purpose, unless they sell something.
const repeatsFrom = 1500

// dropRepeats takes out prose that stands on the page a second time in another
// place, as on pages that carry one version for each width of screen, or posts
// that quote each other. Shops repeat short lines as well: the name and the
// price stand at the top, at the button, and in the bar that follows the reader.
func (p *page) dropRepeats(region int) {
	sells := p.kind == kindProduct
	if p.els[region].text < repeatsFrom && !sells {
		return
	}
	seen := map[uint64]int{} // fingerprint of a text → parent of where it stood first
	for at := region + 1; at < p.els[region].end; at++ {
		e := &p.els[at]
		short := sells && isShortLine(e)
		if e.gone || !short && !isParagraph(e) {
			continue
		}
		text := fingerprint(e.node)
		parent, ok := seen[text]
		switch {
		case !ok:
			seen[text] = e.parent
		case short || parent != e.parent:
			p.drop(at, "a repeat")
		}
	}
}

// isParagraph reports whether a block is prose long enough to be no accident
// when it comes again.
func isParagraph(e *element) bool {
	return e.own >= 60 && e.node.DataAtom != atom.Pre && e.isProse()
}

// isShortLine reports whether a block is a few words of its own; cells of a
// table may well be alike.
func isShortLine(e *element) bool {
	switch e.node.DataAtom {
	case atom.Td, atom.Th, atom.Pre:
		return false
	}
	return e.own >= 12 && !isInline(e.node.DataAtom)
}
