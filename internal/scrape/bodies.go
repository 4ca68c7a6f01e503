package scrape

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/klauspost/compress/zstd"

	"github.com/trawlhq/trawl/internal/store"
)

// Blobs keeps bytes under a key.
type Blobs interface {
	Put(ctx context.Context, key string, data []byte) error
	Get(ctx context.Context, key string) ([]byte, error)
}

// inlineLimit is how large compressed content may be to stay in its row: a file
// costs more than a row until about this size.
const inlineLimit = 64 << 10

// The coders are safe for concurrent use and expensive to make.
var (
	encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(2),
		zstd.WithWindowSize(1<<20), zstd.WithLowerEncoderMem(true)) // its history would be megabytes for each of the two
	decoder, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(1<<30))
)

// putAway keeps bytes in their row or as a blob.
func (s *Service) putAway(ctx context.Context, folder string, content []byte) (store.Body, error) {
	packed := encoder.EncodeAll(content, nil)
	if len(packed) <= inlineLimit {
		return store.Body{Inline: packed, Size: int64(len(packed))}, nil
	}
	key := folder + "/" + uuid.NewString()
	if err := s.Blobs.Put(ctx, key, content); err != nil {
		return store.Body{}, fmt.Errorf("keep %s: %w", folder, err)
	}
	return store.Body{BlobKey: key, Size: int64(len(packed))}, nil
}

// takeOut is the reverse of putAway.
func (s *Service) takeOut(ctx context.Context, b store.Body) ([]byte, error) {
	if b.BlobKey != "" {
		return s.Blobs.Get(ctx, b.BlobKey)
	}
	return decoder.DecodeAll(b.Inline, nil)
}
