package doc

import (
	"strconv"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
)

// note is where the text of a footnote or an endnote is.
type note struct{ from, to int }

// readNotes finds the notes by the places that refer to them.
func (r *reader) readNotes() map[int]note {
	found := map[int]note{}
	foot := r.fib.text
	end := r.fib.text + r.fib.footnotes + r.fib.headers + r.fib.macros + r.fib.comments
	for _, part := range []struct{ refs, texts, start, size int }{
		{fcFootRefs, fcFootTexts, foot, r.fib.footnotes},
		{fcEndRefs, fcEndTexts, end, r.fib.endnotes},
	} {
		refs, texts := r.table(part.refs), r.table(part.texts)
		for i := range plcCount(refs, 2) {
			if 4*i+8 > len(texts) {
				break
			}
			from, to := int(le.Uint32(texts[4*i:])), int(le.Uint32(texts[4*i+4:]))
			if from >= 0 && to > from && to <= part.size {
				found[int(le.Uint32(refs[4*i:]))] = note{part.start + from, part.start + to}
			}
		}
	}
	return found
}

func (w *walker) note(place int) {
	n, ok := w.refs[place]
	if !ok {
		return
	}
	w.add(flow.Span{Node: w.notes.Ref(strconv.Itoa(place), func() []*html.Node {
		inner := newWalker(w.reader)
		if err := inner.walk(n.from, n.to); err != nil {
			return nil
		}
		return inner.finish()
	})})
}
