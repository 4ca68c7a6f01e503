package index

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

// segment is an open segment file. It never changes.
type segment struct {
	name string
	file *os.File
	size int64
	foot footer
	tables
	dict
	texts blockReader
	refs  atomic.Int32

	fieldWords []uint64 // sum of FieldLen, per field
	bodyWords  uint64   // sum of BodyLen
	textWords  uint64   // sum of PassageLen
}

func openSegment(dir, name string, fields int) (*segment, error) {
	file, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return nil, fmt.Errorf("open segment: %w", err)
	}
	s := &segment{name: name, file: file}
	if err := s.load(fields); err != nil {
		_ = file.Close() // read-only
		return nil, fmt.Errorf("read segment %s: %w", name, err)
	}
	s.refs.Store(1)
	return s, nil
}

func (s *segment) load(fields int) error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	s.size = info.Size()
	end, err := s.readFooter()
	if err != nil {
		return err
	}
	if s.foot.Fields != fields {
		return fmt.Errorf("%w: made with %d fields, opened with %d", errDamaged, s.foot.Fields, fields)
	}
	s.tables.fields, s.aboutKeys = fields, s.foot.AboutKeys
	if s.dict.bytes, err = s.section(s.foot.Dict, s.foot.Tables); err != nil {
		return err
	}
	r := bufio.NewReaderSize(io.NewSectionReader(s.file, s.foot.Tables, end-s.foot.Tables), 256<<10)
	if err := s.tables.read(r, s.size); err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	if err := s.dict.open(s.DictBlock); err != nil {
		return err
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0))
	if err != nil {
		return fmt.Errorf("make decompressor: %w", err)
	}
	s.texts = blockReader{r: s.file, starts: s.BlockStart, offs: s.BlockOff, dec: dec}
	s.sum()
	return nil
}

// readFooter gives the offset at which the footer begins.
func (s *segment) readFooter() (int64, error) {
	tailLen := int64(4 + len(magic))
	if s.size < tailLen {
		return 0, errDamaged
	}
	tail, err := s.section(s.size-tailLen, s.size)
	if err != nil {
		return 0, err
	}
	n := int64(binary.LittleEndian.Uint32(tail))
	if string(tail[4:]) != magic || n > s.size-tailLen {
		return 0, errDamaged
	}
	begin := s.size - tailLen - n
	body, err := s.section(begin, begin+n)
	if err != nil {
		return 0, err
	}
	if err := json.Unmarshal(body, &s.foot); err != nil {
		return 0, fmt.Errorf("%w: %w", errDamaged, err)
	}
	return begin, nil
}

func (s *segment) section(from, to int64) ([]byte, error) {
	if from < 0 || to < from || to > s.size {
		return nil, errDamaged
	}
	b := make([]byte, to-from)
	if _, err := s.file.ReadAt(b, from); err != nil {
		return nil, err
	}
	return b, nil
}

// check makes sure the arrays fit together, so that nothing is read outside them.
func (s *segment) check() error {
	docs, passages := len(s.FirstPassage), len(s.PassageLen)
	ok := len(s.BodyLen) == docs && len(s.FieldLen) == docs*s.tables.fields && len(s.MetaOff) == docs+1 &&
		len(s.Hash) == 16*docs && len(s.About) == passages && len(s.BlockOff) == len(s.BlockStart)+1
	if !ok {
		return errDamaged
	}
	if !slices.IsSorted(s.FirstPassage) || docs > 0 && int(s.FirstPassage[docs-1]) > passages || !slices.IsSorted(s.MetaOff) {
		return errDamaged
	}
	for _, a := range s.About {
		if int(a) > len(s.aboutKeys) {
			return errDamaged
		}
	}
	return nil
}

func (s *segment) sum() {
	s.fieldWords = make([]uint64, s.tables.fields)
	for i, n := range s.FieldLen {
		s.fieldWords[i%s.tables.fields] += uint64(n)
	}
	for _, n := range s.BodyLen {
		s.bodyWords += uint64(n)
	}
	for _, n := range s.PassageLen {
		s.textWords += uint64(n)
	}
}

func (s *segment) docCount() uint32 { return uint32(len(s.FirstPassage)) }

// passagesOf gives the range of passages of a document.
func (s *segment) passagesOf(doc uint32) (from, to uint32) {
	if doc+1 < s.docCount() {
		return s.FirstPassage[doc], s.FirstPassage[doc+1]
	}
	return s.FirstPassage[doc], uint32(len(s.PassageLen))
}

// postings reads the list of a term; an unknown term has an empty one.
func (s *segment) postings(list int, term string) (postings, error) {
	e, ok := s.dict.find(list, term)
	if !ok {
		return postings{}, nil
	}
	return s.read(list, e)
}

// read reads the postings of a dictionary entry of a list.
func (s *segment) read(list int, e entry) (postings, error) {
	from := s.foot.Postings + e.off
	b, err := s.section(from, from+int64(e.size))
	if err != nil {
		return postings{}, fmt.Errorf("read postings: %w", err)
	}
	limit := s.docCount()
	if list == s.tables.fields { // the body: ids are passages
		limit = uint32(len(s.PassageLen))
	}
	return postings{bytes: b, docs: e.docs, n: e.n, limit: limit}, nil
}

// record reads key, version and meta of a document.
func (s *segment) record(doc uint32) (key, version string, meta []byte, err error) {
	from := s.foot.Meta + int64(s.MetaOff[doc])
	b, err := s.section(from, s.foot.Meta+int64(s.MetaOff[doc+1]))
	if err != nil {
		return "", "", nil, fmt.Errorf("read record: %w", err)
	}
	k, rest, ok := cutItem(b)
	if !ok {
		return "", "", nil, errDamaged
	}
	v, rest, ok := cutItem(rest)
	if !ok {
		return "", "", nil, errDamaged
	}
	return string(k), string(v), rest, nil
}

func (s *segment) hash(doc uint32) [16]byte { return [16]byte(s.Hash[16*doc:]) }

func (s *segment) retain() { s.refs.Add(1) }

func (s *segment) release() {
	if s.refs.Add(-1) == 0 {
		s.texts.dec.Close()
		_ = s.file.Close() // read-only
	}
}

// none marks the absence of a document or passage number.
const none = uint32(math.MaxUint32)
