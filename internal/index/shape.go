package index

import (
	"sort"
	"sync"
)

// shape is what scoring needs to know of a view beside its segments: numbering
// across them, average lengths, and which document each passage about another
// one belongs to. It is made once per view, at the first search.
type shape struct {
	fields      int
	docs        int
	docBase     []uint32 // per segment: number of its first document among all
	passageBase []uint32
	docOf       [][]uint32 // per segment and passage: its document in the segment
	aboutDoc    [][]uint32 // per segment and about-key: the document meant among all, or none
	fieldAvg    []float64
	bodyAvg     float64
	passageAvg  float64
	aboutAvg    float64
	bodyLen     []uint32    // per document among all
	aboutLen    []uint32    // per document among all: words said about it elsewhere
	passageNorm [][]float32 // per segment and passage: what dampens its occurrences
	kept        sync.Map    // of norms
	scratch     sync.Pool
}

func (v *view) shape() *shape {
	v.shapeOnce.Do(func() { v.shaped = newShape(v) })
	return v.shaped
}

func newShape(v *view) *shape {
	s := &shape{fields: v.segments[0].tables.fields}
	passages := 0
	for _, seg := range v.segments {
		s.docBase = append(s.docBase, uint32(s.docs))
		s.passageBase = append(s.passageBase, uint32(passages))
		s.docs += int(seg.docCount())
		passages += len(seg.PassageLen)
		s.bodyLen = append(s.bodyLen, seg.BodyLen...)
		s.docOf = append(s.docOf, docOfPassage(seg))
	}
	s.averages(v, passages)
	for _, seg := range v.segments {
		norm := make([]float32, len(seg.PassageLen))
		for p, length := range seg.PassageLen {
			norm[p] = float32(passageK1 * (1 - passageB + passageB*float64(length)/s.passageAvg))
		}
		s.passageNorm = append(s.passageNorm, norm)
	}
	s.resolveAbout(v)
	docs := s.docs
	s.scratch.New = func() any { return newScratch(docs, passages) }
	return s
}

func docOfPassage(seg *segment) []uint32 {
	docOf := make([]uint32, len(seg.PassageLen))
	for doc := range seg.docCount() {
		from, to := seg.passagesOf(doc)
		for p := from; p < to; p++ {
			docOf[p] = doc
		}
	}
	return docOf
}

func (s *shape) averages(v *view, passages int) {
	s.fieldAvg = make([]float64, s.fields)
	var body, text uint64
	for _, seg := range v.segments {
		for f, n := range seg.fieldWords {
			s.fieldAvg[f] += float64(n)
		}
		body += seg.bodyWords
		text += seg.textWords
	}
	for f := range s.fieldAvg {
		s.fieldAvg[f] = max(s.fieldAvg[f]/float64(max(s.docs, 1)), 1)
	}
	s.bodyAvg = max(float64(body)/float64(max(s.docs, 1)), 1)
	s.passageAvg = max(float64(text)/float64(max(passages, 1)), 1)
}

// resolveAbout finds the documents meant by about-keys: by key first, then by
// alias. A key no document has stays unresolved until one comes.
func (s *shape) resolveAbout(v *view) {
	s.aboutLen = make([]uint32, s.docs)
	known := make(map[string]uint32)
	for i, seg := range v.segments {
		docs := make([]uint32, len(seg.aboutKeys))
		for a, key := range seg.aboutKeys {
			g, ok := known[key]
			if !ok {
				g = s.locate(v, key)
				known[key] = g
			}
			docs[a] = g
		}
		s.aboutDoc = append(s.aboutDoc, docs)
		for p, a := range seg.About {
			if a != 0 && docs[a-1] != none && !v.dead[i].has(s.docOf[i][p]) {
				s.aboutLen[docs[a-1]] += uint32(seg.PassageLen[p])
			}
		}
	}
	total, n := uint64(0), 0
	for _, length := range s.aboutLen {
		if length > 0 {
			total += uint64(length)
			n++
		}
	}
	s.aboutAvg = max(float64(total)/float64(max(n, 1)), 1)
}

func (s *shape) locate(v *view, key string) uint32 {
	for _, label := range []string{keyLabel(key), AliasLabel(key)} {
		for i, seg := range v.segments {
			p, err := seg.postings(s.fields+1, label)
			if err != nil {
				continue // a damaged list is reported by the search that needs it
			}
			found := none
			p.each(func(doc, _ uint32) {
				if found == none && !v.dead[i].has(doc) {
					found = doc
				}
			})
			if found != none {
				return s.docBase[i] + found
			}
		}
	}
	return none
}

// AliasLabel is the label that lets passages about an alias count for the
// document that bears it.
func AliasLabel(alias string) string { return "\x01" + alias }

// norms gives what one occurrence counts in each document: the weight over the
// evened length. A service asks with the same few weights all the time, so they
// are kept.
func (s *shape) norms(lengths []uint32, avg float64, w Weight) []float32 {
	key := normKey{w, &lengths[0]}
	if kept, ok := s.kept.Load(key); ok {
		return kept.([]float32)
	}
	out := make([]float32, len(lengths))
	for g, length := range lengths {
		out[g] = float32(w.Times / (1 - w.B + w.B*float64(length)/avg))
	}
	s.kept.Store(key, out)
	return out
}

type normKey struct {
	w       Weight
	lengths *uint32
}

func (s *shape) segmentOf(passage uint32) int {
	if len(s.passageBase) == 1 {
		return 0
	}
	return sort.Search(len(s.passageBase), func(i int) bool { return s.passageBase[i] > passage }) - 1
}

func (s *shape) segmentOfDoc(doc uint32) int {
	if len(s.docBase) == 1 {
		return 0
	}
	return sort.Search(len(s.docBase), func(i int) bool { return s.docBase[i] > doc }) - 1
}

// scratch is the working space of one search, kept for the next.
type scratch struct {
	total, covered, best, about []float32 // per document
	groupScore, tf, apart       []float32
	passageScore, groupPassage  []float32 // per passage
	docs, groupDocs, tfDocs     []uint32  // where they are not zero
	passages, groupPassages     []uint32
}

func newScratch(docs, passages int) *scratch {
	perDoc := func() []float32 { return make([]float32, docs) }
	return &scratch{
		total: perDoc(), covered: perDoc(), best: perDoc(), about: perDoc(), groupScore: perDoc(), tf: perDoc(), apart: perDoc(),
		passageScore: make([]float32, passages), groupPassage: make([]float32, passages),
	}
}

func (s *scratch) reset() {
	clear(s.total)
	clear(s.covered)
	clear(s.best)
	clear(s.about)
	clear(s.groupScore)
	clear(s.tf)
	clear(s.apart)
	clear(s.passageScore)
	clear(s.groupPassage)
	s.docs, s.groupDocs, s.tfDocs = s.docs[:0], s.groupDocs[:0], s.tfDocs[:0]
	s.passages, s.groupPassages = s.passages[:0], s.groupPassages[:0]
}
