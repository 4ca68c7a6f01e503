package scrape

import (
	"context"
	"runtime/debug"

	"github.com/trawlhq/trawl/internal/document"
)

// A document of 50 MiB becomes a tree of a gigabyte, and its formats want a copy.
// Few of them may be in memory at once, however many callers there are.
const (
	heavyAtOnce = 2
	heavyPage   = 4 << 20   // bytes of HTML
	heavyFile   = 256 << 10 // bytes of anything else: much of it is packed
)

// carry waits until a large document may be understood. Release gives its
// memory back at once: the next one may be as large.
func (s *Service) carry(ctx context.Context, kind document.Kind, size int) (release func(), err error) {
	if kind == document.HTML && size <= heavyPage || kind != document.HTML && size <= heavyFile {
		return func() {}, nil
	}
	select {
	case s.heavy <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return func() {
		<-s.heavy
		if size > heavyPage {
			debug.FreeOSMemory()
		}
	}, nil
}
