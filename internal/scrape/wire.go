package scrape

import (
	"bytes"
	"context"
	"fmt"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// Wire gives a stored document as it is written on the wire. Content and
// metadata are kept apart; they are joined as text, because a list of documents
// is asked for far more often than anyone looks into one.
func (s *Service) Wire(ctx context.Context, metadata string, body store.Body) (trawl.WireDocument, error) {
	text, err := s.takeOut(ctx, body)
	if err != nil {
		return nil, fmt.Errorf("read document: %w", err)
	}
	content := bytes.TrimSuffix(text, []byte("}"))
	out := make([]byte, 0, len(content)+len(metadata)+16)
	out = append(out, content...)
	if len(content) > 1 {
		out = append(out, ',')
	}
	out = append(out, `"metadata":`...)
	out = append(out, metadata...)
	return append(out, '}'), nil
}
