package index

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"sync"
)

// Writer adds documents. Nothing is seen by searches, and nothing survives a
// crash, before Commit. Add may be called from several goroutines.
type Writer struct {
	ix     *Index
	unlock func() error

	mu      sync.Mutex
	m       manifest
	base    *view
	dead    []bitset // of base, with what this writer deletes
	builder *builder
	name    string // of the segment being built
	gone    bitset // documents of the builder that were replaced again
	pending map[string]pendingDoc
	notes   map[string]string
	changed bool

	analyzers sync.Pool
}

type pendingDoc struct {
	id      uint32
	version string
	hash    [16]byte
}

// flushAbove is how much memory postings may take before a commit is made by
// itself: 48 MiB is about 60 MB of text.
const flushAbove = 48 << 20

// Writer opens the index for writing: one writer at a time, ErrLocked if
// another process has it. Close it.
func (ix *Index) Writer() (*Writer, error) {
	ix.writing.Lock()
	unlock, err := lockDir(ix.dir)
	if err != nil {
		ix.writing.Unlock()
		return nil, err
	}
	w := &Writer{ix: ix, unlock: unlock}
	w.analyzers.New = func() any { return NewAnalyzer() }
	if err := w.begin(); err != nil {
		_ = w.Close()
		return nil, err
	}
	return w, nil
}

// begin takes up the state of the last commit.
func (w *Writer) begin() error {
	if err := w.ix.reload(); err != nil {
		return err
	}
	m, _, err := readManifest(w.ix.dir)
	if err != nil {
		return err
	}
	if err := m.sweep(w.ix.dir); err != nil {
		return err
	}
	if w.base, err = w.ix.acquire(); err != nil {
		return err
	}
	w.m, w.pending = m, make(map[string]pendingDoc)
	w.notes = maps.Clone(m.Notes)
	if w.notes == nil {
		w.notes = make(map[string]string)
	}
	w.dead = nil
	for i := range w.base.dead {
		w.dead = append(w.dead, w.base.dead[i].clone())
	}
	w.changed = false
	return nil
}

// Close ends writing. What was not committed is dropped.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.builder != nil {
		w.builder.abandon()
		w.builder = nil
	}
	if w.base != nil {
		w.base.release()
		w.base = nil
	}
	err := w.unlock()
	w.ix.writing.Unlock()
	return err
}

// Note gives what SetNote stored under a name, or "".
func (w *Writer) Note(name string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.notes[name]
}

// SetNote stores a small text with the next commit; an empty one removes it.
func (w *Writer) SetNote(name, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.notes[name] == text {
		return
	}
	w.notes[name] = text
	if text == "" {
		delete(w.notes, name)
	}
	w.changed = true
}

// Add puts a document in, replacing the one of the same key unless that is
// newer or the same; it says whether anything changed.
func (w *Writer) Add(ctx context.Context, d *Doc) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	hash := d.hash()
	if known, err := w.knows(d.Key, hash); err != nil || known {
		return false, err // an import that is taken up again gets over what it has quickly
	}
	a := w.analyzers.Get().(*Analyzer)
	parsed := analyse(a, d, hash, len(w.ix.schema.Fields))
	w.analyzers.Put(a)

	w.mu.Lock()
	defer w.mu.Unlock()
	stands, err := w.displace(d.Key, d.Version, parsed.hash)
	if err != nil || stands {
		return false, err
	}
	if err := w.ensureBuilder(); err != nil {
		return false, err
	}
	id, err := w.builder.addDoc(parsed)
	if err != nil {
		return false, err
	}
	w.pending[d.Key] = pendingDoc{id: id, version: d.Version, hash: parsed.hash}
	w.changed = true
	if w.builder.held > flushAbove {
		return true, w.commit()
	}
	return true, nil
}

// knows says that the document of a key is in the last commit, or waiting to be,
// with this very content.
func (w *Writer) knows(key string, hash [16]byte) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p, ok := w.pending[key]; ok {
		return p.hash == hash, nil
	}
	for i, seg := range w.base.segments {
		id, err := seg.lookup(key, &w.dead[i])
		if err != nil {
			return false, err
		}
		if id != none {
			return seg.hash(id) == hash, nil
		}
	}
	return false, nil
}

// displace makes room for a new document of a key: it deletes the older one, or
// says that the one there stands.
func (w *Writer) displace(key, version string, hash [16]byte) (stands bool, err error) {
	if p, ok := w.pending[key]; ok {
		if !wins(version, hash, p.version, p.hash) {
			return true, nil
		}
		w.gone.set(p.id)
		return false, nil
	}
	for i, seg := range w.base.segments {
		id, err := seg.lookup(key, &w.dead[i])
		if err != nil {
			return false, err
		}
		if id == none {
			continue
		}
		_, oldVersion, _, err := seg.record(id)
		if err != nil {
			return false, err
		}
		if !wins(version, hash, oldVersion, seg.hash(id)) {
			return true, nil
		}
		w.dead[i].set(id)
		return false, nil
	}
	return false, nil
}

func wins(version string, hash [16]byte, oldVersion string, oldHash [16]byte) bool {
	if version != oldVersion {
		return version > oldVersion
	}
	return bytes.Compare(hash[:], oldHash[:]) > 0
}

// lookup finds the living document of a key.
func (s *segment) lookup(key string, dead *bitset) (uint32, error) {
	p, err := s.postings(s.tables.fields+1, keyLabel(key))
	if err != nil {
		return none, err
	}
	found := none
	p.each(func(id, _ uint32) {
		if !dead.has(id) {
			found = id
		}
	})
	return found, nil
}

// Delete removes the document of a key, if there is one.
func (w *Writer) Delete(key string) error { return w.deleteIf(key, func(string) bool { return true }) }

// Retire removes the document of a key if its version is below the given one.
func (w *Writer) Retire(key, version string) error {
	return w.deleteIf(key, func(old string) bool { return old < version })
}

func (w *Writer) deleteIf(key string, ok func(version string) bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p, found := w.pending[key]; found && ok(p.version) {
		w.gone.set(p.id)
		delete(w.pending, key)
	}
	for i, seg := range w.base.segments {
		id, err := seg.lookup(key, &w.dead[i])
		if err != nil {
			return err
		}
		if id == none {
			continue
		}
		_, version, _, err := seg.record(id)
		if err != nil {
			return err
		}
		if ok(version) {
			w.dead[i].set(id)
			w.changed = true
		}
	}
	return nil
}

func (w *Writer) ensureBuilder() error {
	if w.builder != nil {
		return nil
	}
	w.name = fmt.Sprintf("%06d.seg", w.m.Next)
	w.m.Next++
	var err error
	w.builder, err = newBuilder(filepath.Join(w.ix.dir, w.name), len(w.ix.schema.Fields))
	w.gone = bitset{}
	return err
}

// Commit makes everything so far durable and visible.
func (w *Writer) Commit() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.commit()
}

func (w *Writer) commit() error {
	if !w.changed {
		return nil
	}
	files, err := w.oldFiles()
	if err != nil {
		return err
	}
	if w.builder != nil {
		added, err := w.finishBuilder()
		if err != nil {
			return err
		}
		files = append(files, added)
	}
	return w.publish(files)
}

// publish writes the manifest and goes on from it.
func (w *Writer) publish(files []segmentFiles) error {
	w.m.Segments, w.m.Notes = files, w.notes
	w.m.Version++
	if err := w.m.write(w.ix.dir); err != nil {
		return err
	}
	w.base.release()
	w.base = nil
	return w.begin()
}

func (w *Writer) finishBuilder() (segmentFiles, error) {
	docs := uint32(len(w.builder.tables.FirstPassage))
	err := w.builder.finish()
	w.builder = nil
	if err != nil {
		return segmentFiles{}, err
	}
	f := segmentFiles{Name: w.name}
	if w.gone.count > 0 {
		f.Deleted, err = w.writeDeleted(&w.gone, docs)
	}
	return f, err
}

// oldFiles gives the files of the segments already there, with deletions
// written anew where there are more.
func (w *Writer) oldFiles() ([]segmentFiles, error) {
	var files []segmentFiles
	for i, f := range w.base.files {
		if w.dead[i].count != w.base.dead[i].count {
			name, err := w.writeDeleted(&w.dead[i], w.base.segments[i].docCount())
			if err != nil {
				return nil, err
			}
			f.Deleted = name
		}
		files = append(files, f)
	}
	return files, nil
}

func (w *Writer) writeDeleted(dead *bitset, docs uint32) (string, error) {
	name := fmt.Sprintf("%06d.del", w.m.Next)
	w.m.Next++
	if err := writeSynced(filepath.Join(w.ix.dir, name), dead.encode(docs)); err != nil {
		return "", fmt.Errorf("write deletions: %w", err)
	}
	return name, nil
}
