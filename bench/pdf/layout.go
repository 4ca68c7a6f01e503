package pdfbench

import (
	"context"
	"fmt"
	"strings"

	"github.com/trawlhq/trawl/bench/suite"
)

// layoutItem is one page with the Markdown it should give.
type layoutItem struct {
	ID       string `json:"id"`
	File     string `json:"file"`
	Markdown string `json:"markdown"`
}

// layoutScore is what one page got; a number that does not apply is nil.
type layoutScore struct {
	ID      string   `json:"id"`
	Overall float64  `json:"overall"`
	NID     float64  `json:"nid"`
	TEDS    *float64 `json:"teds,omitempty"`
	MHS     *float64 `json:"mhs,omitempty"`
	Output  string   `json:"output"`
}

func layoutScores(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	const set = "pdf-layout-dpbench"
	items, files, out, err := openSet[layoutItem](env, set)
	if err != nil {
		return nil, err
	}
	var overall, nid, teds, mhs mean
	err = each(ctx, items, func(it layoutItem) []byte { return files[it.File] }, func(it layoutItem, md string) error {
		s := scoreLayout(it, md)
		overall.add(s.Overall)
		nid.add(s.NID)
		if s.TEDS != nil {
			teds.add(*s.TEDS)
		}
		if s.MHS != nil {
			mhs.add(*s.MHS)
		}
		return out.add(s)
	})
	if err != nil {
		return nil, err
	}
	note := fmt.Sprintf("%d pages", len(items))
	return []suite.Result{
		{Name: set + ".overall", Value: overall.value(), Unit: "score", Note: note + "; best seen without a model 0.945"},
		{Name: set + ".nid", Value: nid.value(), Unit: "score", Note: "reading order; 0.979"},
		{Name: set + ".teds", Value: teds.value(), Unit: "score", Note: "tables; 0.727"},
		{Name: set + ".mhs", Value: mhs.value(), Unit: "score", Note: "headings; 0.926"},
	}, out.close()
}

type mean struct {
	sum float64
	n   int
}

func (m *mean) add(v float64) { m.sum += v; m.n++ }

func (m *mean) value() float64 { return m.sum / float64(max(m.n, 1)) }

func scoreLayout(it layoutItem, md string) layoutScore {
	want, got := pipesToHTML(it.Markdown), pipesToHTML(md)
	s := layoutScore{ID: it.ID, NID: similarity(want, got), Output: md}
	all := mean{}
	all.add(s.NID)
	if wanted := htmlTables(want); len(wanted) > 0 {
		v := 0.0
		if found := htmlTables(got); len(found) > 0 {
			v = treeScore(tableTree(wanted[0]), tableTree(found[0]), 1)
		}
		s.TEDS = &v
		all.add(v)
	}
	if a, n := headingTree(want); n > 0 {
		v := 0.0
		if b, m := headingTree(got); m > 0 {
			v = treeScore(a, b, 0)
		}
		s.MHS = &v
		all.add(v)
	}
	s.Overall = all.value()
	return s
}

// similarity is twice the common subsequence over both lengths.
func similarity(a, b string) float64 {
	x, y := []rune(strings.Join(strings.Fields(a), " ")), []rune(strings.Join(strings.Fields(b), " "))
	if len(x)+len(y) == 0 {
		return 1
	}
	return 2 * float64(commonSubsequence(x, y)) / float64(len(x)+len(y))
}

// treeScore is one minus the distance over the size of the larger tree, counted
// without so many nodes at the top.
func treeScore(a, b *tree, without int) float64 {
	n := max(a.size(), b.size()) - without
	if n <= 0 {
		return 1
	}
	return max(0, 1-distance(a, b)/float64(n))
}

func tableTree(rows [][]cell) *tree {
	root := &tree{tag: "table"}
	for _, row := range rows {
		tr := &tree{tag: "tr"}
		for _, c := range row {
			tr.children = append(tr.children, &tree{tag: fmt.Sprintf("td %d %d", c.colSpan, c.rowSpan), text: c.text, compared: true})
		}
		root.children = append(root.children, tr)
	}
	return root
}

// headingTree hangs the text under each heading onto it, and counts headings.
func headingTree(md string) (*tree, int) {
	root := &tree{tag: "document"}
	parent := root
	var text []string
	flush := func() {
		if joined := strings.Join(strings.Fields(strings.Join(text, " ")), " "); joined != "" {
			parent.children = append(parent.children, &tree{tag: "content", text: joined, compared: true})
		}
		text = nil
	}
	headings := 0
	for line := range strings.Lines(md) {
		trimmed := strings.TrimLeft(line, "#")
		if n := len(line) - len(trimmed); n >= 1 && n <= 6 && strings.HasPrefix(trimmed, " ") {
			flush()
			headings++
			parent = &tree{tag: "heading", text: strings.Join(strings.Fields(trimmed), " "), compared: true}
			root.children = append(root.children, parent)
			continue
		}
		text = append(text, line)
	}
	flush()
	return root, headings
}
