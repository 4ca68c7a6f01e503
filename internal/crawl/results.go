package crawl

import (
	"context"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// pageBytes is how much of documents one answer carries, unless a single one is larger.
const pageBytes = 10 << 20

// addDocuments fills in the part that was asked for. Only documents that no
// earlier reader of the part has met are read from the store.
func (s *Service) addDocuments(ctx context.Context, c store.Crawl, part trawl.Window, out *trawl.CrawlStatus) error {
	if part.Limit == 0 {
		part.Limit = trawl.DefaultWindow
	}
	if c.ZeroRetention { // nothing of it stays in memory
		docs, err := s.readDocuments(ctx, c, part, nil)
		out.Data, out.More = docs, part.Skip+len(docs) < out.Completed && len(docs) > 0
		return err
	}
	key := keyOf(c.ID, part)
	if part.Packed {
		if p, ok := s.windows.packed.GetIfPresent(key); ok && part.Skip+p.Count < out.Completed {
			out.Packed, out.More = p, true
			return nil
		}
	}
	known := s.windows.get(key)
	docs, err := s.readDocuments(ctx, c, part, known)
	if err != nil {
		return err
	}
	out.Data, out.More = docs, part.Skip+len(docs) < out.Completed && len(docs) > 0
	if out.More && part.Packed {
		if out.Packed, err = s.windows.pack(key, docs); out.Packed != nil {
			out.Data = []trawl.WireDocument{}
		}
		return err
	}
	if len(docs) > len(known) {
		s.windows.put(key, docs)
	}
	return nil
}

// readDocuments gives the documents of a part, the first of which may be known.
func (s *Service) readDocuments(ctx context.Context, c store.Crawl, part trawl.Window, known []trawl.WireDocument) ([]trawl.WireDocument, error) {
	there := max(0, c.Done-int64(part.Skip)) // what finished after the counters were read does not count yet
	docs := append([]trawl.WireDocument{}, known[:min(int64(len(known)), there)]...)
	size, from := sizeOf(docs), part.Skip+len(docs)
	if int64(len(docs)) >= min(there, int64(part.Limit)) || size >= pageBytes {
		return docs, nil
	}
	err := s.Store.CrawlResults(ctx, c.ID, int64(from), part.Limit-len(docs), func(r store.CrawlResult) (bool, error) {
		if r.Position >= c.Done {
			return false, nil
		}
		doc, err := s.Scraper.Wire(ctx, r.Metadata, r.Body)
		if err != nil {
			return false, err
		}
		if size += len(doc); size > pageBytes && len(docs) > 0 {
			return false, nil
		}
		docs = append(docs, doc)
		return true, nil
	})
	return docs, err
}
