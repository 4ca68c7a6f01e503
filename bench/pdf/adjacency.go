package pdfbench

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/trawlhq/trawl/bench/suite"
)

// tablesItem is one file with the tables in it.
type tablesItem struct {
	ID     string `json:"id"`
	File   string `json:"file"`
	Tables []struct {
		Regions []struct {
			Page  int `json:"page"`
			Cells []struct {
				R, C, R2, C2 int
				Text         string
			} `json:"cells"`
		} `json:"regions"`
	} `json:"tables"`
}

// tablesScore is what one file got.
type tablesScore struct {
	ID        string  `json:"id"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	Output    string  `json:"output"`
}

func tableScores(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	const set = "pdf-tables-icdar13"
	items, files, out, err := openSet[tablesItem](env, set)
	if err != nil {
		return nil, err
	}
	var precision, recall mean
	err = each(ctx, items, func(it tablesItem) []byte { return files[it.File] }, func(it tablesItem, md string) error {
		s := scoreTables(it, md)
		precision.add(s.Precision)
		recall.add(s.Recall)
		return out.add(s)
	})
	if err != nil {
		return nil, err
	}
	p, r := precision.value(), recall.value()
	return []suite.Result{
		{Name: set + ".f", Value: 2 * p * r / max(p+r, 1e-9), Unit: "F", Note: fmt.Sprintf("%d files; best seen without a model 0.787", len(items))},
		{Name: set + ".precision", Value: p, Unit: "share"},
		{Name: set + ".recall", Value: r, Unit: "share"},
	}, out.close()
}

func scoreTables(it tablesItem, md string) tablesScore {
	want, got := relations{}, relations{}
	for _, t := range it.Tables {
		for _, region := range t.Regions {
			var g [][]*cell
			for _, c := range region.Cells {
				one := &cell{text: c.Text}
				for y := c.R; y <= c.R2; y++ {
					for x := c.C; x <= c.C2; x++ {
						for len(g) <= y {
							g = append(g, nil)
						}
						for len(g[y]) <= x {
							g[y] = append(g[y], nil)
						}
						g[y][x] = one
					}
				}
			}
			want.addGrid(g)
		}
	}
	for _, rows := range htmlTables(pipesToHTML(md)) {
		got.addGrid(grid(rows))
	}
	both := 0
	for k, n := range got {
		both += min(n, want[k])
	}
	return tablesScore{
		ID: it.ID, Output: md,
		Precision: float64(both) / float64(max(got.total(), 1)),
		Recall:    float64(both) / float64(max(want.total(), 1)),
	}
}

// relation is two cells beside or below each other.
type relation struct{ a, b, direction string }

type relations map[relation]int

func (r relations) total() int {
	n := 0
	for _, k := range r {
		n += k
	}
	return n
}

var marks = regexp.MustCompile(`<[^>]*>|[*_` + "`" + `]+|\s+`)

func cellKey(s string) string { return strings.ToLower(marks.ReplaceAllString(unescape(s), "")) }

// addGrid adds the relations of a table: in every row and column, each cell with
// text and the next one with text. A pair counts once per direction.
func (r relations) addGrid(g [][]*cell) {
	type pair struct {
		a, b      *cell
		direction string
	}
	seen := map[pair]bool{}
	width := 0
	for _, row := range g {
		width = max(width, len(row))
	}
	var before *cell
	visit := func(c *cell, direction string) {
		if c == nil || cellKey(c.text) == "" {
			return
		}
		if before != nil && before != c && !seen[pair{before, c, direction}] {
			seen[pair{before, c, direction}] = true
			r[relation{cellKey(before.text), cellKey(c.text), direction}]++
		}
		before = c
	}
	for _, row := range g {
		before = nil
		for _, c := range row {
			visit(c, "right")
		}
	}
	for x := range width {
		before = nil
		for y := range g {
			if x < len(g[y]) {
				visit(g[y][x], "below")
			}
		}
	}
}
