package govbench

import (
	"context"
	"maps"
	"slices"
	"sort"
	"time"

	"github.com/trawlhq/trawl/internal/gov"
)

// searcher answers a query with addresses.
type searcher func(ctx context.Context, query string, k int) ([]string, error)

func serviceSearcher(s *gov.Service) searcher {
	return func(ctx context.Context, q string, k int) ([]string, error) {
		results, err := s.Search(ctx, q, k)
		if err != nil {
			return nil, err
		}
		out := make([]string, len(results))
		for i, r := range results {
			out[i] = r.URL
		}
		return out, nil
	}
}

// answered is one query with what came back.
type answered struct {
	ID        string        `json:"id"`
	Type      string        `json:"type"`
	Query     string        `json:"query"`
	Marks     marks         `json:"marks"`
	Took      time.Duration `json:"took"`
	Addresses []string      `json:"addresses"`
}

// ask runs all queries through a searcher.
func ask(ctx context.Context, s searcher, queries []query, address map[string]string) ([]answered, error) {
	return judgeAll(queries, address, func(q query) ([]string, time.Duration, error) {
		began := time.Now()
		found, err := s(ctx, q.Query, 10+len(q.Exclude))
		return found, time.Since(began), err
	})
}

// judgeAll has all queries answered and marks the answers.
func judgeAll(queries []query, address map[string]string, reply func(query) ([]string, time.Duration, error)) ([]answered, error) {
	var out []answered
	for _, q := range queries {
		excluded := make(map[string]bool)
		for _, id := range q.Exclude {
			excluded[sameAddress(address[id])] = true
		}
		found, took, err := reply(q)
		if err != nil {
			return nil, err
		}
		out = append(out, answered{ID: q.ID, Type: q.Type, Query: q.Query, Took: took, Addresses: found, Marks: judge(q, excluded, found)})
	}
	return out, nil
}

// sortedTypes gives the types of queries in order.
func sortedTypes(by map[string]marks) []string { return slices.Sorted(maps.Keys(by)) }

// byType gives the mean marks per type and, under "all", over everything.
func byType(answers []answered) map[string]marks {
	sums, counts := make(map[string]marks), make(map[string]float64)
	for _, a := range answers {
		for _, t := range []string{a.Type, "all"} {
			m := sums[t]
			m.NDCG += a.Marks.NDCG
			m.Hit += a.Marks.Hit
			m.MRR += a.Marks.MRR
			m.First += a.Marks.First
			sums[t] = m
			counts[t]++
		}
	}
	for t, n := range counts {
		m := sums[t]
		sums[t] = marks{m.NDCG / n, m.Hit / n, m.MRR / n, m.First / n}
	}
	return sums
}

// percentile gives the p-th percentile of how long the answers took.
func percentile(answers []answered, p float64) time.Duration {
	took := make([]time.Duration, len(answers))
	for i, a := range answers {
		took[i] = a.Took
	}
	sort.Slice(took, func(a, b int) bool { return took[a] < took[b] })
	if len(took) == 0 {
		return 0
	}
	return took[min(len(took)-1, int(p*float64(len(took))))]
}
