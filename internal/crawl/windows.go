package crawl

import (
	"slices"

	"github.com/maypok86/otter/v2"

	"github.com/trawlhq/trawl"
)

// windows keeps parts of results that were asked for lately. Documents are only
// ever appended, so a part that has others behind it never changes, and many
// clients that follow one crawl share the work of reading it.
type windows struct {
	cache *otter.Cache[windowKey, []trawl.WireDocument]
}

type windowKey struct {
	crawl string
	part  trawl.Window
}

// windowBytes is what all kept parts may take up together.
const windowBytes = 32 << 20

func newWindows() *windows {
	return &windows{otter.Must(&otter.Options[windowKey, []trawl.WireDocument]{
		MaximumWeight: windowBytes,
		Weigher: func(_ windowKey, docs []trawl.WireDocument) uint32 {
			size := 1024
			for _, d := range docs {
				size += len(d)
			}
			return uint32(min(size, windowBytes))
		},
	})}
}

// get gives a part in a list of the caller's own; the documents in it are shared.
func (w *windows) get(id string, part trawl.Window) ([]trawl.WireDocument, bool) {
	docs, ok := w.cache.GetIfPresent(windowKey{id, part})
	return slices.Clone(docs), ok
}

func (w *windows) put(id string, part trawl.Window, docs []trawl.WireDocument) {
	w.cache.Set(windowKey{id, part}, slices.Clone(docs))
}
