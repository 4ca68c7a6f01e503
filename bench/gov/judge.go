package govbench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"os"
	"slices"
	"strings"
)

// query is one line of the developer queries.
type query struct {
	ID       string     `json:"id"`
	Query    string     `json:"query"`
	Type     string     `json:"type"`
	Relevant []judgment `json:"relevant"`
	Exclude  []string   `json:"exclude"`
}

// judgment says that a unit is wanted, and how much.
type judgment struct {
	ID      string   `json:"id"`
	URL     string   `json:"url"`
	AltURLs []string `json:"alt_urls"`
	Grade   int      `json:"grade"`
}

func readQueries(path string) ([]query, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open queries: %w", err)
	}
	defer f.Close()
	var out []query
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var q query
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("read query: %w", err)
		}
		out = append(out, q)
	}
	return out, lines.Err()
}

// sameAddress brings an address to the form in which results and judgments are
// compared: no scheme, no slash at the end, host in small letters.
func sameAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	rest := strings.ToLower(u.Host) + strings.TrimSuffix(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		rest += "?" + u.RawQuery
	}
	if u.Fragment != "" {
		rest += "#" + u.Fragment
	}
	return rest
}

// marks are the measures of one answer.
type marks struct {
	NDCG, Hit, MRR, First float64
}

// judge scores a list of addresses against a query.
func judge(q query, excluded map[string]bool, addresses []string) marks {
	grades := make(map[string]int)
	unit := make(map[string]string)
	var ideal []float64
	for _, j := range q.Relevant {
		for _, a := range append([]string{j.URL}, j.AltURLs...) {
			grades[sameAddress(a)], unit[sameAddress(a)] = j.Grade, j.ID
		}
		ideal = append(ideal, math.Pow(2, float64(j.Grade))-1)
	}
	slices.SortFunc(ideal, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
	best := 0.0
	for i, gain := range ideal[:min(10, len(ideal))] {
		best += gain / math.Log2(float64(i)+2)
	}
	var m marks
	rank := 0
	seen := make(map[string]bool)
	for _, address := range addresses {
		a := sameAddress(address)
		if excluded[a] {
			continue
		}
		if rank == 10 {
			break
		}
		rank++
		grade := grades[a]
		if grade == 0 || seen[unit[a]] {
			continue
		}
		seen[unit[a]] = true
		m.NDCG += (math.Pow(2, float64(grade)) - 1) / math.Log2(float64(rank)+1) / best
		if grade < 2 {
			continue
		}
		m.Hit = 1
		if m.MRR == 0 {
			m.MRR = 1 / float64(rank)
		}
		if rank == 1 {
			m.First = 1
		}
	}
	return m
}
