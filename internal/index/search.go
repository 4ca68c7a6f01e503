package index

import (
	"context"
	"math"
	"slices"
	"sort"
)

// Search ranks documents for a query. The order is that of the score, then of
// the key, so it depends on nothing but what the index holds.
func (r *Reader) Search(ctx context.Context, q Query) ([]Hit, error) {
	if len(r.v.segments) == 0 || len(q.Groups) == 0 {
		return nil, nil
	}
	shape := r.v.shape()
	s := &scoring{q: q, v: r.v, shape: shape, scratch: shape.scratch.Get().(*scratch)}
	s.bodyNorm = shape.norms(shape.bodyLen, shape.bodyAvg, q.Body)
	s.aboutNorm = shape.norms(shape.aboutLen, shape.aboutAvg, q.About)
	defer func() {
		s.scratch.reset()
		shape.scratch.Put(s.scratch)
	}()
	s.passOverCommon()
	for _, g := range q.Groups {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := s.group(g); err != nil {
			return nil, err
		}
	}
	s.foldPassages()
	if err := s.boost(); err != nil {
		return nil, err
	}
	return s.hits(r)
}

// scoring is one search under way.
type scoring struct {
	q     Query
	v     *view
	shape *shape
	*scratch
	asked               float64   // sum of the groups' rarity
	bodyNorm, aboutNorm []float32 // per document: weight over evened length
	tooMany             int       // a word in more documents than this is not looked for in the body
}

// enoughRare is how many rarer words must be asked for before common ones are
// passed over in the body.
const enoughRare = 3

// passOverCommon decides whether common words are looked for in the body.
func (s *scoring) passOverCommon() {
	s.tooMany = s.shape.docs
	if s.q.Common == 0 {
		return
	}
	limit, rare := int(s.q.Common*float64(s.shape.docs)), 0
	for _, g := range s.q.Groups {
		if n := s.bodyDocs(g[0].Term); n > 0 && n <= limit {
			rare++
		}
	}
	if rare >= enoughRare {
		s.tooMany = limit
	}
}

// bodyDocs is in how many documents a term occurs in the body.
func (s *scoring) bodyDocs(term string) int {
	n := 0
	for _, seg := range s.v.segments {
		e, _ := seg.dict.find(s.shape.fields, term)
		n += int(e.docs)
	}
	return n
}

// group adds what one group gives to all documents and passages.
func (s *scoring) group(g Group) error {
	rarity := 0.0
	for _, w := range g {
		lists, docs, err := s.lists(w.Term)
		if err != nil {
			return err
		}
		if docs == 0 {
			continue
		}
		n := float64(s.shape.docs)
		idf := math.Log(1 + (n-float64(docs)+0.5)/(float64(docs)+0.5))
		rarity = max(rarity, idf*w.Weight)
		for i := range lists {
			s.count(i, lists[i], idf*w.Weight, len(g) == 1)
		}
		s.saturate(idf * w.Weight)
	}
	s.asked += rarity
	for _, g := range s.groupDocs {
		if s.groupScore[g] == 0 {
			continue
		}
		if s.total[g] == 0 {
			s.docs = append(s.docs, g)
		}
		s.total[g] += s.groupScore[g]
		s.covered[g] += float32(rarity)
		s.groupScore[g] = 0
	}
	s.groupDocs = s.groupDocs[:0]
	for _, p := range s.groupPassages {
		if s.passageScore[p] == 0 {
			s.passages = append(s.passages, p)
		}
		s.passageScore[p] += s.groupPassage[p]
		s.groupPassage[p] = 0
	}
	s.groupPassages = s.groupPassages[:0]
	return nil
}

// lists reads the postings of a term in every segment: short fields, then body.
// docs is the number of documents that have it, taken from the list with most.
func (s *scoring) lists(term string) (lists [][]postings, docs int, err error) {
	fields := s.shape.fields
	perList := make([]int, fields+1)
	perList[fields] = s.bodyDocs(term)
	for _, seg := range s.v.segments {
		found := make([]postings, fields+1)
		for f := range found {
			if f < fields && s.q.Fields[f].Times == 0 || f == fields && perList[f] > s.tooMany {
				continue
			}
			if found[f], err = seg.postings(f, term); err != nil {
				return nil, 0, err
			}
			if f < fields {
				perList[f] += int(found[f].docs)
			}
		}
		lists = append(lists, found)
	}
	return lists, slices.Max(perList), nil
}

// count adds the weighed occurrences of one term in one segment. alone says
// that the term has no alternatives, so its passages need not wait for the best
// of the group.
func (s *scoring) count(i int, lists []postings, weight float64, alone bool) {
	seg, base := s.v.segments[i], s.shape.docBase[i]
	fields := s.shape.fields
	for f := range fields {
		w := s.q.Fields[f]
		lists[f].each(func(doc, n uint32) {
			length := float64(seg.FieldLen[int(doc)*fields+f]) / s.shape.fieldAvg[f]
			tf := float64(n) / (1 - w.B + w.B*length)
			if w.Apart {
				s.occursApart(base+doc, float32(w.Times*tf*(docK1+1)/(tf+docK1)))
			} else {
				s.occurs(base+doc, float32(w.Times*tf))
			}
		})
	}
	docOf, aboutOf, passageBase := s.shape.docOf[i], s.shape.aboutDoc[i], s.shape.passageBase[i]
	norm := s.shape.passageNorm[i]
	full := float32(weight * (passageK1 + 1))
	lists[fields].each(func(p, n uint32) {
		tf := float32(n)
		score := full * tf / (tf + norm[p])
		if alone {
			s.addPassage(passageBase+p, score)
		} else {
			s.inPassage(passageBase+p, score)
		}
		if a := seg.About[p]; a != 0 {
			if g := aboutOf[a-1]; g != none {
				s.occurs(g, tf*s.aboutNorm[g])
			}
			return
		}
		g := base + docOf[p]
		s.occurs(g, tf*s.bodyNorm[g])
	})
}

func (s *scoring) occurs(g uint32, tf float32) {
	if tf == 0 {
		return
	}
	if s.tf[g] == 0 && s.apart[g] == 0 {
		s.tfDocs = append(s.tfDocs, g)
	}
	s.tf[g] += tf
}

func (s *scoring) occursApart(g uint32, score float32) {
	if s.tf[g] == 0 && s.apart[g] == 0 {
		s.tfDocs = append(s.tfDocs, g)
	}
	s.apart[g] += score
}

func (s *scoring) addPassage(p uint32, score float32) {
	if s.passageScore[p] == 0 {
		s.passages = append(s.passages, p)
	}
	s.passageScore[p] += score
}

func (s *scoring) inPassage(p uint32, score float32) {
	if s.groupPassage[p] == 0 {
		s.groupPassages = append(s.groupPassages, p)
	}
	s.groupPassage[p] = max(s.groupPassage[p], score)
}

// saturate turns the occurrences of one term into a score.
func (s *scoring) saturate(weight float64) {
	for _, g := range s.tfDocs {
		tf := float64(s.tf[g])
		score := weight * (tf*(docK1+1)/(tf+docK1) + float64(s.apart[g]))
		s.tf[g], s.apart[g] = 0, 0
		if s.groupScore[g] == 0 {
			s.groupDocs = append(s.groupDocs, g)
		}
		s.groupScore[g] = max(s.groupScore[g], float32(score))
	}
	s.tfDocs = s.tfDocs[:0]
}

// foldPassages finds the best passage of each document and the best about it.
func (s *scoring) foldPassages() {
	for _, p := range s.passages {
		score := s.passageScore[p]
		i := s.shape.segmentOf(p)
		local := p - s.shape.passageBase[i]
		if a := s.v.segments[i].About[local]; a != 0 {
			if g := s.shape.aboutDoc[i][a-1]; g != none {
				s.about[g] = max(s.about[g], score)
			}
			continue
		}
		g := s.shape.docBase[i] + s.shape.docOf[i][local]
		s.best[g] = max(s.best[g], score)
	}
	for _, g := range s.docs {
		s.total[g] += float32(s.q.BestPassage)*s.best[g] + float32(s.q.BestAbout)*s.about[g]
	}
}

func (s *scoring) boost() error {
	for _, b := range s.q.Boosts {
		for i, seg := range s.v.segments {
			p, err := seg.postings(s.shape.fields+1, b.Label)
			if err != nil {
				return err
			}
			p.each(func(doc, _ uint32) { s.total[s.shape.docBase[i]+doc] *= float32(b.Times) })
		}
	}
	return nil
}

// hits gives the best documents, filled in.
func (s *scoring) hits(r *Reader) ([]Hit, error) {
	limit := s.q.Limit
	if limit == 0 {
		limit = 100
	}
	top := s.top(limit)
	out := make([]Hit, 0, len(top))
	for _, g := range top {
		i := s.shape.segmentOfDoc(g)
		h, err := r.hit(i, g-s.shape.docBase[i])
		if err != nil {
			return nil, err
		}
		h.Score, h.Best, h.About = float64(s.total[g]), float64(s.best[g]), float64(s.about[g])
		h.Fielded = h.Score - s.q.BestPassage*h.Best - s.q.BestAbout*h.About
		if s.asked > 0 {
			h.Covered = float64(s.covered[g]) / s.asked
		}
		s.pickPassages(&h)
		out = append(out, h)
	}
	sort.SliceStable(out, func(a, b int) bool {
		if out[a].Score != out[b].Score {
			return out[a].Score > out[b].Score
		}
		return out[a].Key < out[b].Key
	})
	return out, nil
}

// top gives the living documents with the best totals, and those that tie with
// the last of them, so that a cut never depends on the numbering.
func (s *scoring) top(limit int) []uint32 {
	alive := s.docs[:0:0]
	for _, g := range s.docs {
		i := s.shape.segmentOfDoc(g)
		if s.total[g] > 0 && !s.v.dead[i].has(g-s.shape.docBase[i]) {
			alive = append(alive, g)
		}
	}
	if len(alive) <= limit {
		return alive
	}
	floor := s.kthTotal(alive, limit)
	kept := alive[:0]
	for _, g := range alive {
		if s.total[g] >= floor {
			kept = append(kept, g)
		}
	}
	return kept[:min(len(kept), 2*limit)]
}

// kthTotal gives the k-th greatest total.
func (s *scoring) kthTotal(docs []uint32, k int) float32 {
	least := make([]float32, 0, k) // a heap, the least on top
	for _, g := range docs {
		x := s.total[g]
		switch {
		case len(least) < k:
			least = append(least, x)
			siftUp(least)
		case x > least[0]:
			least[0] = x
			siftDown(least)
		}
	}
	return least[0]
}

func siftUp(h []float32) {
	for i := len(h) - 1; i > 0 && h[i] < h[(i-1)/2]; i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
}

func siftDown(h []float32) {
	for i := 0; 2*i+1 < len(h); {
		c := 2*i + 1
		if c+1 < len(h) && h[c+1] < h[c] {
			c++
		}
		if h[i] <= h[c] {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

// passagesPerHit is how many passages a hit names, the best first.
const passagesPerHit = 3

func (s *scoring) pickPassages(h *Hit) {
	seg, base := s.v.segments[h.segment], s.shape.passageBase[h.segment]
	from, to := seg.passagesOf(h.doc)
	for p := from; p < to; p++ {
		score := float64(s.passageScore[base+p])
		if score == 0 || seg.About[p] != 0 {
			continue
		}
		h.Passages = append(h.Passages, PassageHit{Score: score, segment: h.segment, passage: p})
	}
	sort.SliceStable(h.Passages, func(a, b int) bool { return h.Passages[a].Score > h.Passages[b].Score })
	h.Passages = h.Passages[:min(len(h.Passages), passagesPerHit)]
}
