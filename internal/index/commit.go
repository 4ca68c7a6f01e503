package index

import (
	"fmt"
	"maps"
	"path/filepath"
)

// Commit names what one commit consists of, so that it can be copied to another
// folder: the same files in the same order are the same index.
type Commit struct {
	Segments []CommitFiles
	Notes    map[string]string
}

// CommitFiles are the files of one segment. They never change.
type CommitFiles struct {
	Segment string // name in the folder
	Deleted string // name of the list of deleted documents; empty: none is
}

// Last gives the commit the Writer goes on from. Its files stay until the
// Writer compacts, adopts another commit or is closed.
func (w *Writer) Last() Commit {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := Commit{Notes: maps.Clone(w.m.Notes)}
	for _, f := range w.m.Segments {
		c.Segments = append(c.Segments, CommitFiles{Segment: f.Name, Deleted: f.Deleted})
	}
	return c
}

// Path is where a file of a commit lies, or must be put before Adopt.
func (w *Writer) Path(name string) string { return filepath.Join(w.ix.dir, filepath.Base(name)) }

// Adopt makes a commit of another folder the current one. Its files must lie
// at Path already; one that cannot be read leaves everything as it was. What
// this Writer added and did not commit is dropped.
func (w *Writer) Adopt(c Commit) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	next := manifest{Version: w.m.Version, Next: w.m.Next, Notes: maps.Clone(c.Notes)}
	for _, f := range c.Segments {
		next.Segments = append(next.Segments, segmentFiles{Name: f.Segment, Deleted: f.Deleted})
	}
	probe, err := openView(w.ix.dir, next, w.base, len(w.ix.schema.Fields))
	if err != nil {
		return fmt.Errorf("adopt commit: %w", err)
	}
	defer probe.release()
	if w.builder != nil {
		w.builder.abandon()
		w.builder = nil
	}
	w.m, w.notes = next, next.Notes
	if err := w.publish(next.Segments); err != nil { // its next beginning sweeps what is named no more
		return fmt.Errorf("adopt commit: %w", err)
	}
	return nil
}
