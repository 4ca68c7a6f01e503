package index

import (
	"sync"
	"sync/atomic"
)

// view is a set of segments as one commit left them, shared by the searches
// that began while it was current.
type view struct {
	version  uint64
	notes    map[string]string
	files    []segmentFiles
	segments []*segment
	dead     []bitset // per segment, the documents deleted or replaced
	docs     uint32   // alive
	passages int
	refs     atomic.Int32

	shapeOnce sync.Once
	shaped    *shape
}

func openView(dir string, m manifest, old *view, fields int) (*view, error) {
	v := &view{version: m.Version, notes: m.Notes, files: m.Segments}
	v.refs.Store(1)
	for _, f := range m.Segments {
		if err := v.open(dir, f, old, fields); err != nil {
			v.release()
			return nil, err
		}
	}
	return v, nil
}

func (v *view) open(dir string, f segmentFiles, old *view, fields int) error {
	seg := old.find(f.Name)
	if seg != nil {
		seg.retain()
	} else {
		var err error
		if seg, err = openSegment(dir, f.Name, fields); err != nil {
			return err
		}
	}
	v.segments = append(v.segments, seg)
	dead, err := readDeleted(dir, f.Deleted, seg.docCount())
	if err != nil {
		return err
	}
	v.dead = append(v.dead, dead)
	v.docs += seg.docCount() - uint32(dead.count)
	v.passages += len(seg.PassageLen)
	return nil
}

func (v *view) find(name string) *segment {
	if v == nil {
		return nil
	}
	for _, s := range v.segments {
		if s.name == name {
			return s
		}
	}
	return nil
}

func (v *view) retain() { v.refs.Add(1) }

func (v *view) release() {
	if v.refs.Add(-1) == 0 {
		for _, s := range v.segments {
			s.release()
		}
	}
}
