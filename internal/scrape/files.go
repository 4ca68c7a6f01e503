package scrape

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/store"
)

// linkTo keeps bytes an answer points to, for a day, under a name nobody can
// guess. What must not be retained travels inside the answer instead.
func (s *Service) linkTo(ctx context.Context, r *run, data []byte, contentType, extension string) (string, error) {
	if !r.retains() {
		return "data:" + contentType + ";base64," + base64.StdEncoding.EncodeToString(data), nil
	}
	random := make([]byte, 20)
	if _, err := rand.Read(random); err != nil {
		return "", fmt.Errorf("draw a name: %w", err)
	}
	name := hex.EncodeToString(random) + extension
	key := "files/" + name
	if err := s.Blobs.Put(ctx, key, data); err != nil {
		return "", fmt.Errorf("keep file: %w", err)
	}
	file := store.File{Name: name, BlobKey: key, ContentType: contentType, ExpiresAt: s.Now().Add(resultLife)}
	if err := s.Store.InsertFile(ctx, file); err != nil {
		return "", fmt.Errorf("keep file: %w", err)
	}
	return "/files/" + name, nil
}

// OpenFile gives a file that an answer pointed to.
func (s *Service) OpenFile(ctx context.Context, name string) (io.ReadCloser, string, error) {
	file, err := s.Store.File(ctx, name, s.Now())
	if errors.Is(err, store.ErrNotFound) {
		return nil, "", trawl.Errorf(trawl.NotFound, "Not Found")
	}
	if err != nil {
		return nil, "", err
	}
	data, err := s.Blobs.Get(ctx, file.BlobKey)
	if err != nil {
		return nil, "", fmt.Errorf("read file: %w", err)
	}
	return io.NopCloser(bytes.NewReader(data)), file.ContentType, nil
}
