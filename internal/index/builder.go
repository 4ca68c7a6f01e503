package index

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
)

// builder gathers documents and writes them as one segment file. Texts go to
// the file as they come; postings wait in memory until finish.
type builder struct {
	file   *os.File
	buf    *bufio.Writer
	out    *countingWriter
	texts  *blockWriter
	lists  []map[string]*postingsBuffer // one per short field, then body, then labels
	held   int                          // bytes of postings in memory, about
	tables tables
	meta   []byte // records of all documents: key, version, meta

	// postings gives the lists in order of list and term; a merge sets its own.
	postings func(emit func(list int, term string, p *postingsBuffer) error) error
}

func newBuilder(path string, fields int) (*builder, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("make segment: %w", err)
	}
	b := &builder{file: file, buf: bufio.NewWriterSize(file, 256<<10)}
	b.out = &countingWriter{w: b.buf}
	if b.texts, err = newBlockWriter(b.out); err != nil {
		return nil, err
	}
	b.lists = make([]map[string]*postingsBuffer, fields+2)
	for i := range b.lists {
		b.lists[i] = make(map[string]*postingsBuffer)
	}
	b.tables.fields = fields
	b.postings = b.heldLists
	return b, nil
}

// body and labels give the list numbers after the short fields.
func (b *builder) body() int   { return len(b.lists) - 2 }
func (b *builder) labels() int { return len(b.lists) - 1 }

func (b *builder) add(list int, term string, id, count, doc uint32) {
	p := b.lists[list][term]
	if p == nil {
		p = new(postingsBuffer)
		b.lists[list][term] = p
		b.held += len(term) + 96
	}
	before := len(p.bytes)
	p.add(id, count, doc)
	b.held += len(p.bytes) - before
}

// addDoc takes one analysed document and gives its number in the segment.
func (b *builder) addDoc(d *analysed) (uint32, error) {
	t := &b.tables
	doc := uint32(len(t.FirstPassage))
	t.FirstPassage = append(t.FirstPassage, uint32(len(t.PassageLen)))
	for f, words := range d.fields {
		for _, w := range words {
			b.add(f, w.term, doc, w.count, doc)
		}
		t.FieldLen = append(t.FieldLen, uint16(min(d.fieldLen[f], 1<<16-1)))
	}
	own := uint32(0)
	for i, words := range d.passages {
		p := uint32(len(t.PassageLen))
		for _, w := range words {
			b.add(b.body(), w.term, p, w.count, doc)
		}
		if err := b.texts.add(d.doc.Passages[i].Text); err != nil {
			return 0, err
		}
		t.PassageLen = append(t.PassageLen, uint16(min(d.passageLen[i], 1<<16-1)))
		about := t.aboutID(d.doc.Passages[i].About)
		t.About = append(t.About, about)
		if about == 0 {
			own += uint32(d.passageLen[i])
		}
	}
	t.BodyLen = append(t.BodyLen, own)
	t.Hash = append(t.Hash, d.hash[:]...)
	for _, label := range d.labels {
		b.add(b.labels(), label, doc, 1, doc)
	}
	b.addMeta(d.doc)
	return doc, nil
}

func (b *builder) addMeta(d *Doc) {
	b.tables.MetaOff = append(b.tables.MetaOff, uint32(len(b.meta)))
	b.meta = binary.AppendUvarint(b.meta, uint64(len(d.Key)))
	b.meta = append(b.meta, d.Key...)
	b.meta = binary.AppendUvarint(b.meta, uint64(len(d.Version)))
	b.meta = append(b.meta, d.Version...)
	b.meta = append(b.meta, d.Meta...)
}

// finish writes what is held, syncs the file and closes it.
func (b *builder) finish() error {
	if err := b.write(); err != nil {
		b.abandon()
		return err
	}
	if err := b.buf.Flush(); err != nil {
		return fmt.Errorf("write segment: %w", err)
	}
	if err := b.file.Sync(); err != nil {
		return fmt.Errorf("sync segment: %w", err)
	}
	return b.file.Close()
}

// abandon gives the file up; the next opening for writing removes it.
func (b *builder) abandon() { _ = b.file.Close() }

func (b *builder) write() error {
	if err := b.texts.close(); err != nil {
		return err
	}
	var foot footer
	foot.Meta = b.out.n
	b.tables.MetaOff = append(b.tables.MetaOff, uint32(len(b.meta)))
	if _, err := b.out.Write(b.meta); err != nil {
		return fmt.Errorf("write meta: %w", err)
	}
	foot.Postings = b.out.n
	dict, err := b.writePostings()
	if err != nil {
		return err
	}
	foot.Dict = b.out.n
	if _, err := b.out.Write(dict.bytes); err != nil {
		return fmt.Errorf("write dictionary: %w", err)
	}
	foot.Tables = b.out.n
	b.tables.BlockStart, b.tables.BlockOff = b.texts.Starts, b.texts.Offs
	b.tables.DictBlock = dict.blocks
	if err := b.tables.write(b.out); err != nil {
		return err
	}
	foot.AboutKeys, foot.Fields = b.tables.aboutKeys, b.tables.fields
	return b.writeFooter(foot)
}

func (b *builder) writePostings() (*dictWriter, error) {
	var dict dictWriter
	err := b.postings(func(list int, term string, p *postingsBuffer) error {
		dict.add(list, term, entry{docs: p.docs, n: p.n, size: uint32(len(p.bytes))})
		_, err := b.out.Write(p.bytes)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("write postings: %w", err)
	}
	return &dict, nil
}

// heldLists gives the lists gathered in memory.
func (b *builder) heldLists(emit func(list int, term string, p *postingsBuffer) error) error {
	for list, terms := range b.lists {
		for _, term := range slices.Sorted(maps.Keys(terms)) {
			if err := emit(list, term, terms[term]); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeFooter ends the file: the footer, its length, and the magic number.
func (b *builder) writeFooter(foot footer) error {
	body, err := json.Marshal(foot)
	if err != nil {
		return fmt.Errorf("encode footer: %w", err)
	}
	body = binary.LittleEndian.AppendUint32(body, uint32(len(body)))
	body = append(body, magic...)
	if _, err := b.out.Write(body); err != nil {
		return fmt.Errorf("write footer: %w", err)
	}
	return nil
}
