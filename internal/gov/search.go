package gov

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/trawlhq/trawl/internal/index"
)

// Result is one document found.
type Result struct {
	URL          string
	Title        string
	Description  string // the passage that answers, at most 500 characters
	Position     int    // from 1
	Citation     string
	Jurisdiction string
	Type         string
	Date         string
	Score        float64
}

// Search answers a query with up to k documents, the best first. Nothing found
// is an empty answer, not an error.
func (s *Service) Search(ctx context.Context, query string, k int) ([]Result, error) {
	if err := s.ix.Refresh(); err != nil {
		return nil, fmt.Errorf("search government index: %w", err)
	}
	rd, err := s.ix.Reader()
	if err != nil {
		return nil, fmt.Errorf("search government index: %w", err)
	}
	defer rd.Close()
	a := s.analyzers.Get().(*index.Analyzer)
	defer s.analyzers.Put(a)

	u := s.ranker.understand(query, a, func(label string) bool { return rd.Count(label) > 0 })
	found, err := s.find(ctx, rd, a, u, k)
	if err != nil {
		return nil, fmt.Errorf("search government index: %w", err)
	}
	return s.results(rd, a, u, found[:min(k, len(found))])
}

// find gathers the documents cited, named and matching, and ranks them.
func (s *Service) find(ctx context.Context, rd *index.Reader, a *index.Analyzer, u *understood, k int) ([]scored, error) {
	q := s.ranker.query(u)
	q.Limit = max(q.Limit, 2*k)
	hits, err := rd.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	hits, err = s.addPointedAt(rd, u, hits)
	if err != nil {
		return nil, err
	}
	ranked, err := s.ranker.rerank(rd, a, u, hits)
	if err != nil {
		return nil, err
	}
	return fold(ranked), nil
}

// addPointedAt adds the documents a citation or a name points at, where the
// words of the query alone did not bring them up.
func (s *Service) addPointedAt(rd *index.Reader, u *understood, hits []index.Hit) ([]index.Hit, error) {
	have := make(map[string]bool)
	for _, h := range hits {
		have[h.Key] = true
	}
	point := func(found []index.Hit, strength float64) {
		for _, h := range found {
			u.pointed[h.Key] = max(u.pointed[h.Key], strength)
			if !have[h.Key] {
				have[h.Key] = true
				hits = append(hits, h)
			}
		}
	}
	for i, keys := range u.cites {
		key, found, err := lookUpFirst(rd, keys)
		if err != nil {
			return nil, err
		}
		strength := citedFirst - float64(i)
		if u.inPassing(key) {
			strength = s.ranker.weights.named * u.brevity()
		}
		point(found, strength)
	}
	for _, n := range u.names {
		found, err := rd.Labeled(nameLabel(n.name), namesakes)
		if err != nil {
			return nil, err
		}
		point(found, s.ranker.nameStrength(n, u))
		for _, key := range n.keys {
			found, err := lookUp(rd, key)
			if err != nil {
				return nil, err
			}
			point(found, s.ranker.listedStrength(n, u))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(u.asked)) {
		found, err := lookUp(rd, key)
		if err != nil {
			return nil, err
		}
		point(found, 0)
		for _, h := range found { // its key may be another of its citations
			u.asked[h.Key] = max(u.asked[h.Key], u.asked[key])
		}
	}
	return hits, nil
}

// namesakes is how many documents of one name are looked at.
const namesakes = 20

// lookUp finds the documents of a key or alias.
func lookUp(rd *index.Reader, key string) ([]index.Hit, error) {
	h, ok, err := rd.ByKey(key)
	if err != nil || ok {
		return []index.Hit{h}, err
	}
	return rd.Labeled(index.AliasLabel(key), 4)
}

// fold keeps one entry per address, the best.
func fold(ranked []scored) []scored {
	seen := make(map[string]bool)
	out := ranked[:0]
	for _, c := range ranked {
		if !seen[c.URL] {
			seen[c.URL] = true
			out = append(out, c)
		}
	}
	return out
}

func (s *Service) results(rd *index.Reader, a *index.Analyzer, u *understood, found []scored) ([]Result, error) {
	out := make([]Result, 0, len(found))
	for i := range found {
		c := &found[i]
		text, err := describe(rd, a, u, c)
		if err != nil {
			return nil, fmt.Errorf("describe %s: %w", c.Key, err)
		}
		out = append(out, Result{
			URL: c.URL, Title: c.Title, Description: text, Position: i + 1, Citation: c.Citation,
			Jurisdiction: c.Jurisdiction, Type: c.Type, Date: c.Date, Score: c.final,
		})
	}
	return out, nil
}
