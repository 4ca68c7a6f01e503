package index

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
)

// Reader is one consistent sight of the index, whatever is committed meanwhile.
// It is cheap: take one per question and close it.
type Reader struct {
	ix *Index
	v  *view
}

// Reader gives a Reader of the last commit.
func (ix *Index) Reader() (*Reader, error) {
	v, err := ix.acquire()
	if err != nil {
		return nil, err
	}
	return &Reader{ix: ix, v: v}, nil
}

// Close ends the use of the Reader.
func (r *Reader) Close() { r.v.release() }

// Docs is how many documents there are.
func (r *Reader) Docs() int { return int(r.v.docs) }

// Note gives a note stored by a Writer, or "".
func (r *Reader) Note(name string) string { return r.v.notes[name] }

// Notes calls f for all notes in order of their names.
func (r *Reader) Notes(f func(name, text string)) {
	names := make([]string, 0, len(r.v.notes))
	for name := range r.v.notes {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f(name, r.v.notes[name])
	}
}

// Count gives the number of documents with a label, deleted ones included until
// the next Compact.
func (r *Reader) Count(label string) int {
	n := 0
	for _, seg := range r.v.segments {
		if e, ok := seg.dict.find(seg.tables.fields+1, label); ok {
			n += int(e.docs)
		}
	}
	return n
}

// ByKey finds the document of a key.
func (r *Reader) ByKey(key string) (Hit, bool, error) {
	hits, err := r.Labeled(keyLabel(key), 1)
	if err != nil || len(hits) == 0 {
		return Hit{}, false, err
	}
	return hits[0], true, nil
}

// Labeled gives up to limit documents that have a label.
func (r *Reader) Labeled(label string, limit int) ([]Hit, error) {
	var hits []Hit
	for i, seg := range r.v.segments {
		p, err := seg.postings(seg.tables.fields+1, label)
		if err != nil {
			return nil, err
		}
		var docs []uint32
		p.each(func(doc, _ uint32) {
			if !r.v.dead[i].has(doc) && len(hits)+len(docs) < limit {
				docs = append(docs, doc)
			}
		})
		for _, doc := range docs {
			h, err := r.hit(i, doc)
			if err != nil {
				return nil, err
			}
			hits = append(hits, h)
		}
	}
	return hits, nil
}

// hit fills in what the index stores of a document.
func (r *Reader) hit(segment int, doc uint32) (Hit, error) {
	seg := r.v.segments[segment]
	key, _, meta, err := seg.record(doc)
	if err != nil {
		return Hit{}, err
	}
	h := Hit{Key: key, Meta: meta, segment: segment, doc: doc, Words: int(seg.BodyLen[doc])}
	return h, nil
}

// Text reads the n-th own passage of a document, counting from zero; ok is
// false past the last one.
func (r *Reader) Text(h Hit, n int) (text string, ok bool, err error) {
	seg := r.v.segments[h.segment]
	from, to := seg.passagesOf(h.doc)
	for p := from; p < to; p++ {
		if seg.About[p] != 0 {
			continue
		}
		if n == 0 {
			text, err := seg.texts.item(p)
			return text, err == nil, err
		}
		n--
	}
	return "", false, nil
}

// PassageText reads a passage named in a hit.
func (r *Reader) PassageText(p PassageHit) (string, error) {
	return r.v.segments[p.segment].texts.item(p.passage)
}

// Fingerprint is a digest of what the index holds: keys, versions and contents,
// in an order of their own. Two indexes with the same documents have the same.
func (r *Reader) Fingerprint() (string, error) {
	var all []string
	for i, seg := range r.v.segments {
		for doc := range seg.docCount() {
			if r.v.dead[i].has(doc) {
				continue
			}
			key, version, _, err := seg.record(doc)
			if err != nil {
				return "", err
			}
			all = append(all, fmt.Sprintf("%s\x00%s\x00%x", key, version, seg.hash(doc)))
		}
	}
	slices.Sort(all)
	h := sha256.New()
	for _, line := range all {
		fmt.Fprintln(h, line)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// All gives every document, in no particular order.
func (r *Reader) All() iter.Seq2[Hit, error] {
	return func(yield func(Hit, error) bool) {
		for i, seg := range r.v.segments {
			for doc := range seg.docCount() {
				if r.v.dead[i].has(doc) {
					continue
				}
				if !yield(r.hit(i, doc)) {
					return
				}
			}
		}
	}
}
