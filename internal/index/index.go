// Package index is an embedded full-text index: a folder of immutable segment
// files and one manifest that names those in force.
//
// A document has a key, a few short fields (title, names, …), a body cut into
// passages, exact labels for look-ups, and opaque meta bytes that are handed
// back with a hit. Ranking is BM25F over the fields and the body, with the best
// passages of each document scored on their own, so that one telling paragraph
// of a long text is not drowned by the rest of it.
//
// A commit writes its segment, syncs it, and then replaces the manifest in one
// rename: a process killed at any point leaves the last commit intact, and
// files no manifest names are removed at the next opening for writing. Segments
// never change, so a folder can be copied to another node while it is in use.
package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// ErrLocked says that another process is writing to the same folder.
var ErrLocked = errors.New("index is being written by another process")

// Schema says which short fields the documents of an index have, in the order
// of Doc.Fields. It is fixed when the folder is made.
type Schema struct {
	Fields []string `json:"fields"`
}

// Index is an open index. Its methods may be called from many goroutines.
type Index struct {
	dir    string
	schema Schema

	mu      sync.RWMutex
	current *view     // what searches see
	checked time.Time // when the manifest was last looked at
	stamp   time.Time // modification time of the manifest read last

	writing    sync.Mutex // one Writer at a time in this process
	refreshing sync.Mutex // one Refresh at a time; the others do not wait for it
}

// Open opens the index in dir, or makes an empty one there.
func Open(dir string, schema Schema) (*Index, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make index folder: %w", err)
	}
	ix := &Index{dir: dir, schema: schema}
	if err := ix.reload(); err != nil {
		return nil, fmt.Errorf("open index %s: %w", dir, err)
	}
	return ix, nil
}

// Close releases the files. Searches under way finish first.
func (ix *Index) Close() error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.current == nil {
		return nil
	}
	ix.current.release()
	ix.current = nil
	return nil
}

// Refresh takes up what another process has committed. It looks at most once
// a second, so it may be called before every search.
func (ix *Index) Refresh() error {
	ix.mu.RLock()
	fresh := time.Since(ix.checked) < time.Second
	stamp := ix.stamp
	ix.mu.RUnlock()
	if fresh || !ix.refreshing.TryLock() {
		return nil
	}
	defer ix.refreshing.Unlock()
	info, err := os.Stat(filepath.Join(ix.dir, manifestName))
	if err == nil && info.ModTime().Equal(stamp) || errors.Is(err, os.ErrNotExist) {
		ix.mu.Lock()
		ix.checked = time.Now()
		ix.mu.Unlock()
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at manifest: %w", err)
	}
	return ix.reload()
}

// reload opens the segments the manifest names, sharing those already open.
func (ix *Index) reload() error {
	m, stamp, err := readManifest(ix.dir)
	if err != nil {
		return err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	next, err := openView(ix.dir, m, ix.current, len(ix.schema.Fields))
	if err != nil {
		return err
	}
	if ix.current != nil {
		ix.current.release()
	}
	ix.current, ix.stamp, ix.checked = next, stamp, time.Now()
	return nil
}

// acquire gives the current view; the caller releases it.
func (ix *Index) acquire() (*view, error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if ix.current == nil {
		return nil, errors.New("index is closed")
	}
	ix.current.retain()
	return ix.current, nil
}

// Stats describes an index in numbers.
type Stats struct {
	Version  uint64 // counts commits; equal versions of one folder hold the same documents
	Docs     int
	Passages int
	Segments int
	Bytes    int64 // on disk
}

// Stats gives the numbers of the last commit.
func (ix *Index) Stats() (Stats, error) {
	v, err := ix.acquire()
	if err != nil {
		return Stats{}, err
	}
	defer v.release()
	s := Stats{Version: v.version, Docs: int(v.docs), Passages: v.passages, Segments: len(v.segments)}
	for _, seg := range v.segments {
		s.Bytes += seg.size
	}
	return s, nil
}
