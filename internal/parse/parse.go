// Package parse turns a file that somebody sends into a document.
//
// A file comes with the request, or beforehand into a slot: a place that is open
// for ten minutes to whoever shows its signed reference. What happens to the
// bytes afterwards is what happens to those of a fetched page, so it is left to
// package scrape; here is what is different: which files are taken at all, how
// failures are named, and the slots.
package parse

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/scrape"
	"github.com/trawlhq/trawl/internal/store"
)

// Reader makes a document of a file. It is a scrape.Service but for tests.
type Reader interface {
	File(ctx context.Context, f trawl.File, o trawl.ParseOptions) (*trawl.Document, error)
}

var _ Reader = (*scrape.Service)(nil)

// Blobs keeps the bytes of slots.
type Blobs interface {
	Put(ctx context.Context, key string, data []byte) error
	Get(ctx context.Context, key string) ([]byte, error)
	Delete(ctx context.Context, keys ...string) error
}

// Options are the parts a Service works with.
type Options struct {
	Reader   Reader
	Store    *store.Store
	Blobs    Blobs
	SpoolDir string // where large files lie while they arrive; empty: the system's
	Pictures bool   // whether pictures can be read
	Log      *slog.Logger
	Now      func() time.Time // nil: time.Now
}

// Service parses in this process.
type Service struct {
	Options
	signer signer
}

// secretName is where the store keeps the key that references are signed with.
const secretName = "upload secret"

// Open makes a service. The first one on a store draws the secret that slots are signed with.
func Open(ctx context.Context, o Options) (*Service, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	drawn := make([]byte, 32)
	if _, err := rand.Read(drawn); err != nil {
		return nil, fmt.Errorf("draw a secret: %w", err)
	}
	kept, err := o.Store.KeepMeta(ctx, secretName, hex.EncodeToString(drawn))
	if err != nil {
		return nil, err
	}
	secret, err := hex.DecodeString(kept)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", secretName, err)
	}
	return &Service{Options: o, signer: signer{secret}}, nil
}

// Parse makes a document of a file that came with the request.
func (s *Service) Parse(ctx context.Context, f trawl.File, o trawl.ParseOptions) (*trawl.Document, error) {
	if err := o.Refused(); err != nil {
		return nil, err
	}
	if !s.takes(f.Name, f.ContentType) {
		return nil, s.unsupported("")
	}
	if f.Size == 0 {
		return nil, trawl.Errorf(trawl.Invalid, "The uploaded file is empty.").WithCode("BAD_REQUEST")
	}
	if f.Size > trawl.MaxFileSize {
		return nil, TooLarge()
	}
	doc, err := s.Reader.File(ctx, f, o)
	if err != nil {
		return nil, s.failure(err)
	}
	return doc, nil
}

// TooLarge is the answer to a file over the limit.
func TooLarge() error {
	return trawl.Errorf(trawl.TooLarge, "Payload Too Large").
		WithDetails(map[string]any{"reason": "Uploaded file exceeds maximum size of 50MB."})
}
