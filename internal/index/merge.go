package index

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
)

// Compact commits, and then rewrites the index as one segment without deleted
// documents, unless it is that already. Memory stays bounded: texts and
// postings are streamed from the old segments to the new one.
func (w *Writer) Compact(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.commit(); err != nil {
		return err
	}
	if len(w.base.segments) == 0 || len(w.base.segments) == 1 && w.dead[0].count == 0 {
		return nil
	}
	if err := w.ensureBuilder(); err != nil {
		return err
	}
	m := merge{view: w.base, b: w.builder}
	if err := m.run(ctx); err != nil {
		w.builder.abandon()
		w.builder = nil
		return fmt.Errorf("merge segments: %w", err)
	}
	w.builder = nil
	old := w.base.files
	if err := w.publish([]segmentFiles{{Name: w.name}}); err != nil {
		return err
	}
	return removeFiles(w.ix.dir, old)
}

// removeFiles deletes what the new manifest no longer names. Searches that
// still read a file keep it open, and it goes when they are done.
func removeFiles(dir string, files []segmentFiles) error {
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
		if f.Deleted != "" {
			names = append(names, f.Deleted)
		}
	}
	for _, name := range names {
		if err := removeIfThere(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// merge copies the living documents of a view into a builder.
type merge struct {
	view *view
	b    *builder
	docs [][]uint32 // per segment and old document: the new number, or none
}

func (m *merge) run(ctx context.Context) error {
	for i, seg := range m.view.segments {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.copyDocs(seg, &m.view.dead[i]); err != nil {
			return err
		}
	}
	m.b.postings = m.postings
	return m.b.finish()
}

// copyDocs copies everything but the postings.
func (m *merge) copyDocs(seg *segment, dead *bitset) error {
	t := &m.b.tables
	numbers := make([]uint32, seg.docCount())
	for doc := range seg.docCount() {
		numbers[doc] = none
		if dead.has(doc) {
			continue
		}
		numbers[doc] = uint32(len(t.FirstPassage))
		first := uint32(len(t.PassageLen))
		t.FirstPassage = append(t.FirstPassage, first)
		t.BodyLen = append(t.BodyLen, seg.BodyLen[doc])
		t.FieldLen = append(t.FieldLen, seg.FieldLen[int(doc)*t.fields:int(doc+1)*t.fields]...)
		t.Hash = append(t.Hash, seg.Hash[16*doc:16*(doc+1)]...)
		from, to := seg.passagesOf(doc)
		t.PassageLen = append(t.PassageLen, seg.PassageLen[from:to]...)
		for p := from; p < to; p++ {
			about := ""
			if a := seg.About[p]; a > 0 {
				about = seg.aboutKeys[a-1]
			}
			t.About = append(t.About, t.aboutID(about))
		}
		key, version, meta, err := seg.record(doc)
		if err != nil {
			return err
		}
		m.b.addMeta(&Doc{Key: key, Version: version, Meta: meta})
	}
	m.docs = append(m.docs, numbers)
	return m.copyTexts(seg, dead)
}

func (m *merge) copyTexts(seg *segment, dead *bitset) error {
	doc := uint32(0)
	return seg.texts.each(func(p uint32, text string) error {
		for doc+1 < seg.docCount() && seg.FirstPassage[doc+1] <= p {
			doc++
		}
		if dead.has(doc) {
			return nil
		}
		return m.b.texts.add(text)
	})
}

// postings walks all dictionaries side by side and gives each term once.
func (m *merge) postings(emit func(list int, term string, p *postingsBuffer) error) error {
	cursors := make([]*segmentCursor, 0, len(m.view.segments))
	for _, seg := range m.view.segments {
		c := &segmentCursor{seg: seg}
		c.advance()
		cursors = append(cursors, c)
	}
	for {
		least := leastTerm(cursors)
		if least == nil {
			return nil
		}
		full := bytes.Clone(least)
		var merged postingsBuffer
		for i, c := range cursors {
			if c.done || !bytes.Equal(c.term, full) {
				continue
			}
			if err := m.append(&merged, i, c); err != nil {
				return err
			}
			c.advance()
		}
		if merged.n == 0 {
			continue
		}
		if err := emit(int(full[0]), string(full[1:]), &merged); err != nil {
			return err
		}
	}
}

func leastTerm(cursors []*segmentCursor) []byte {
	var least []byte
	for _, c := range cursors {
		if !c.done && (least == nil || bytes.Compare(c.term, least) < 0) {
			least = c.term
		}
	}
	return least
}

// append adds the pairs of one segment, renumbered.
func (m *merge) append(to *postingsBuffer, i int, c *segmentCursor) error {
	p, err := c.seg.read(int(c.term[0]), c.entry)
	if err != nil {
		return err
	}
	numbers := m.docs[i]
	if int(c.term[0]) != m.b.body() {
		p.each(func(id, count uint32) {
			if doc := numbers[id]; doc != none {
				to.add(doc, count, doc)
			}
		})
		return nil
	}
	old := uint32(0)
	p.each(func(id, count uint32) {
		for old+1 < c.seg.docCount() && c.seg.FirstPassage[old+1] <= id {
			old++
		}
		if doc := numbers[old]; doc != none {
			to.add(m.b.tables.FirstPassage[doc]+id-c.seg.FirstPassage[old], count, doc)
		}
	})
	return nil
}

// segmentCursor walks through all terms of a segment.
type segmentCursor struct {
	seg   *segment
	block int
	dictCursor
	done bool
}

func (c *segmentCursor) advance() {
	for !c.dictCursor.advance() {
		if c.block == len(c.seg.dict.blocks) {
			c.done = true
			return
		}
		c.dictCursor = c.seg.dict.first(c.block)
		c.block++
	}
}
