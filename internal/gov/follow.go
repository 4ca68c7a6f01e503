package gov

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/trawlhq/trawl/internal/index"
	"github.com/trawlhq/trawl/internal/store"
)

// followEvery is how often a node looks for a new release when nobody tells it.
const followEvery = 30 * time.Second

// Follow keeps this node at the newest release until ctx ends: it is told by
// the database, and looks by itself now and then. Without sharing it returns at
// once. What fails is tried again; the index serves what it has meanwhile.
func (s *Service) Follow(ctx context.Context) error {
	if s.opts.Share == nil {
		return nil
	}
	wake := make(chan struct{}, 1)
	listening := make(chan struct{})
	go func() {
		defer close(listening)
		s.opts.Share.Store.Listen(ctx, func(text string) {
			if text == "" || text == store.NoteGovRelease {
				select {
				case wake <- struct{}{}:
				default: // a look is due already
				}
			}
		})
	}()
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		if err := s.TakeUp(ctx); err != nil && ctx.Err() == nil {
			s.opts.Log.WarnContext(ctx, "release of the government index not taken up, trying again later", "err", err)
		}
		select {
		case <-wake:
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	<-listening
	return nil
}

// TakeUp brings the newest release to this node, if it is not here. Searches go
// on meanwhile and see the new one at once and whole.
func (s *Service) TakeUp(ctx context.Context) error {
	if !s.filling.TryLock() {
		return nil // an import ends by publishing
	}
	defer s.filling.Unlock()
	return s.takeUp(ctx)
}

// takeUp is TakeUp for who holds the lock on filling.
func (s *Service) takeUp(ctx context.Context) error {
	if s.opts.Share == nil {
		return nil
	}
	newest, err := s.opts.Share.Store.NewestGovRelease(ctx)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if s.heldRelease() == newest.ID {
		return nil
	}
	releases, err := s.opts.Share.Store.GovReleases(ctx)
	if err != nil || len(releases) == 0 {
		return err
	}
	switch err := s.adopt(ctx, releases[0]); {
	case errors.Is(err, index.ErrLocked):
		return nil // an import in another process; it publishes when it is done
	case err != nil:
		return fmt.Errorf("take up release %d: %w", releases[0].Number, err)
	}
	s.opts.Log.InfoContext(ctx, "release of the government index taken up", "release", releases[0].Number)
	return nil
}

// heldRelease is the digest of the release the folder holds, or "".
func (s *Service) heldRelease() string {
	r, err := s.ix.Reader()
	if err != nil {
		return ""
	}
	defer r.Close()
	_, current := parseReleaseNote(r.Note(releaseNote))
	return current
}

// adopt fetches the files of a release into a folder of their own, and then
// moves them into the index in one commit.
func (s *Service) adopt(ctx context.Context, row store.GovRelease) error {
	var r release
	if err := json.Unmarshal([]byte(row.Manifest), &r); err != nil {
		return fmt.Errorf("read release: %w", err)
	}
	incoming := filepath.Join(s.dir, "incoming")
	if err := os.MkdirAll(incoming, 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	for digest, parts := range r.Files {
		if err := s.opts.Share.fetchFile(ctx, filepath.Join(incoming, digest), digest, parts); err != nil {
			return fmt.Errorf("fetch: %w", err)
		}
	}
	w, err := s.ix.Writer()
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }() // committed by then, or given up
	for digest := range r.Files {
		if err := os.Rename(filepath.Join(incoming, digest), w.Path(fileName(digest))); err != nil {
			return fmt.Errorf("move file: %w", err)
		}
	}
	if err := w.Adopt(r.commit(row)); err != nil {
		return err
	}
	return os.RemoveAll(incoming)
}

// commit is the release as the index knows it.
func (r *release) commit(row store.GovRelease) index.Commit {
	c := index.Commit{Notes: map[string]string{releaseNote: fmt.Sprintf("%d %s", row.Number, row.ID)}}
	for name, text := range r.Notes {
		c.Notes[name] = text
	}
	for _, f := range r.Segments {
		c.Segments = append(c.Segments, index.CommitFiles{Segment: fileName(f.Segment), Deleted: fileName(f.Deleted)})
	}
	return c
}

// fileName is the name of a file of a release in the index folder: its digest,
// so that it never meets one the node has written itself.
func fileName(digest string) string {
	if digest == "" {
		return ""
	}
	return digest + ".shared"
}
