package gov

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/trawlhq/trawl/internal/blob"
	"github.com/trawlhq/trawl/internal/index"
	"github.com/trawlhq/trawl/internal/store"
)

// Sharing lets several nodes serve the same index. Whoever imports publishes a
// release: its files go to the blob store in pieces, what they are and in which
// order to the database. The others follow.
type Sharing struct {
	Store *store.Store
	Blobs *blob.Store // the same place for all nodes
	Piece int64       // size of a piece in bytes; zero means 8 MiB
}

// release is the manifest of a published index.
type release struct {
	Segments []index.CommitFiles  `json:"segments"` // files by their digests, in order
	Files    map[string]fileParts `json:"files"`    // by digest
	Notes    map[string]string    `json:"notes,omitempty"`
}

// fileParts says how a file is put together.
type fileParts struct {
	Size   int64    `json:"size"`
	Pieces []string `json:"pieces"` // digests; each is a blob
}

// releaseNote remembers which release a folder holds: number, space, digest.
const releaseNote = "release"

// ErrOvertaken says that another node published while this one was importing.
var ErrOvertaken = errors.New("another node has published the index meanwhile: import again")

// keptReleases is how many stay: a node that is still fetching the one before
// can finish.
const keptReleases = 2

// publish makes what the writer has committed the index of all nodes, unless
// it is that already.
func (s *Service) publish(ctx context.Context, w *index.Writer) error {
	if s.opts.Share == nil {
		return nil
	}
	r, err := s.uploadCommit(ctx, w)
	if err != nil {
		return fmt.Errorf("publish index: %w", err)
	}
	manifest, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode release: %w", err)
	}
	id := digestOf(manifest)
	number, current := parseReleaseNote(w.Note(releaseNote))
	if id == current {
		return nil
	}
	next := store.GovRelease{Number: number + 1, ID: id, Manifest: string(manifest), PublishedAt: time.Now()}
	switch err := s.opts.Share.Store.AddGovRelease(ctx, next); {
	case errors.Is(err, store.ErrConflict):
		return ErrOvertaken
	case err != nil:
		return err
	}
	w.SetNote(releaseNote, fmt.Sprintf("%d %s", next.Number, id))
	if err := w.Commit(); err != nil {
		return fmt.Errorf("remember release: %w", err)
	}
	return s.dropOldReleases(ctx)
}

// uploadCommit puts the files of the last commit into the blob store.
func (s *Service) uploadCommit(ctx context.Context, w *index.Writer) (release, error) {
	commit := w.Last()
	r := release{Files: make(map[string]fileParts), Notes: maps.Clone(commit.Notes)}
	delete(r.Notes, releaseNote)
	upload := func(name string) (string, error) {
		if name == "" {
			return "", nil
		}
		digest, parts, err := s.opts.Share.uploadFile(ctx, w.Path(name))
		if err != nil {
			return "", fmt.Errorf("upload %s: %w", name, err)
		}
		r.Files[digest] = parts
		return digest, nil
	}
	for _, f := range commit.Segments {
		segment, err := upload(f.Segment)
		if err != nil {
			return r, err
		}
		deleted, err := upload(f.Deleted)
		if err != nil {
			return r, err
		}
		r.Segments = append(r.Segments, index.CommitFiles{Segment: segment, Deleted: deleted})
	}
	return r, nil
}

// dropOldReleases removes old releases: first the pieces nobody needs any more,
// then the rows, so that a crash in between leaves nothing behind for good.
func (s *Service) dropOldReleases(ctx context.Context) error {
	releases, err := s.opts.Share.Store.GovReleases(ctx)
	if err != nil || len(releases) <= keptReleases {
		return err
	}
	needed, old := make(map[string]bool), make(map[string]bool)
	for i, row := range releases {
		var r release
		if err := json.Unmarshal([]byte(row.Manifest), &r); err != nil {
			return fmt.Errorf("read release %d: %w", row.Number, err)
		}
		for _, f := range r.Files {
			for _, piece := range f.Pieces {
				if i < keptReleases {
					needed[piece] = true
				} else {
					old[piece] = true
				}
			}
		}
	}
	for piece := range old {
		if needed[piece] {
			continue
		}
		if err := s.opts.Share.Blobs.Delete(ctx, pieceKey(piece)); err != nil {
			return fmt.Errorf("drop old release: %w", err)
		}
	}
	return s.opts.Share.Store.DropGovReleases(ctx, releases[keptReleases-1].Number)
}

// parseReleaseNote reads number and digest of the release a folder holds.
func parseReleaseNote(note string) (number int64, id string) {
	first, id, _ := strings.Cut(note, " ")
	if _, err := fmt.Sscan(first, &number); err != nil {
		return 0, ""
	}
	return number, id
}

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
