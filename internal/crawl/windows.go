package crawl

import (
	"bytes"
	"compress/flate"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/maypok86/otter/v2"

	"github.com/trawlhq/trawl"
)

// windows keeps parts of results that were asked for lately. Documents are only
// ever appended, so what a part has it keeps, and a part that has others behind
// it never changes: many clients that follow one crawl share the work of
// reading it, and of compressing what they take compressed.
type windows struct {
	plain  *otter.Cache[windowKey, []trawl.WireDocument]
	packed *otter.Cache[windowKey, *trawl.Packed]
}

type windowKey struct {
	crawl       string
	skip, limit int
}

func keyOf(crawl string, part trawl.Window) windowKey { return windowKey{crawl, part.Skip, part.Limit} }

// What all kept parts may take up together. Compressed, all documents of a
// crawl of some thousand pages fit.
const (
	plainBytes  = 16 << 20
	packedBytes = 24 << 20
)

func newWindows() *windows {
	return &windows{
		plain: otter.Must(&otter.Options[windowKey, []trawl.WireDocument]{
			MaximumWeight: plainBytes,
			Weigher:       func(_ windowKey, docs []trawl.WireDocument) uint32 { return uint32(min(1024+sizeOf(docs), plainBytes)) },
		}),
		packed: otter.Must(&otter.Options[windowKey, *trawl.Packed]{
			MaximumWeight: packedBytes,
			Weigher:       func(_ windowKey, p *trawl.Packed) uint32 { return uint32(min(1024+len(p.Deflate), packedBytes)) },
		}),
	}
}

func sizeOf(docs []trawl.WireDocument) (size int) {
	for _, d := range docs {
		size += len(d)
	}
	return size
}

// get gives the documents of a part that were read before, in a list of the
// caller's own; the documents in it are shared.
func (w *windows) get(key windowKey) []trawl.WireDocument {
	docs, _ := w.plain.GetIfPresent(key)
	return slices.Clone(docs)
}

func (w *windows) put(key windowKey, docs []trawl.WireDocument) {
	w.plain.Set(key, slices.Clone(docs))
}

// pack compresses a part that has others behind it, once. It gives nil for
// documents that must be looked at before they are sent.
func (w *windows) pack(key windowKey, docs []trawl.WireDocument) (*trawl.Packed, error) {
	if slices.ContainsFunc(docs, hasFiles) {
		return nil, nil
	}
	p, err := pack(docs)
	if err != nil {
		return nil, err
	}
	w.packed.Set(key, p)
	w.plain.Invalidate(key)
	return p, nil
}

// hasFiles tells whether a document may name files of this server, whose
// addresses begin as the caller's request did.
func hasFiles(doc trawl.WireDocument) bool { return bytes.Contains(doc, []byte(`"/files/`)) }

// packLevel is the fastest that still makes a fifth of Markdown.
const packLevel = flate.BestSpeed

func pack(docs []trawl.WireDocument) (*trawl.Packed, error) {
	var out bytes.Buffer
	squeeze, err := flate.NewWriter(&out, packLevel)
	if err != nil {
		return nil, fmt.Errorf("compress documents: %w", err)
	}
	p := &trawl.Packed{Count: len(docs)}
	for i, doc := range docs {
		if i > 0 {
			doc = append([]byte{','}, doc...)
		}
		if _, err := squeeze.Write(doc); err != nil {
			return nil, fmt.Errorf("compress documents: %w", err)
		}
		p.Size += len(doc)
		p.Sum = crc32.Update(p.Sum, crc32.IEEETable, doc)
	}
	if err := squeeze.Flush(); err != nil {
		return nil, fmt.Errorf("compress documents: %w", err)
	}
	p.Deflate = bytes.Clone(out.Bytes())
	return p, nil
}
