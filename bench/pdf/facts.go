package pdfbench

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/trawlhq/trawl/bench/suite"
)

// factsItem is one page with checks on what its text must hold.
type factsItem struct {
	ID    string `json:"id"`
	File  string `json:"file"`
	Tests []fact `json:"tests"`
}

// fact is one check.
type fact struct {
	Type          string `json:"type"`
	Text          string `json:"text"`
	Before        string `json:"before"`
	After         string `json:"after"`
	MaxDiffs      int    `json:"max_diffs"`
	CaseSensitive *bool  `json:"case_sensitive"`
	FirstN        int    `json:"first_n"`
	LastN         int    `json:"last_n"`
	Cell          string `json:"cell"`
	Up            string `json:"up"`
	Down          string `json:"down"`
	Left          string `json:"left"`
	Right         string `json:"right"`
	TopHeading    string `json:"top_heading"`
	LeftHeading   string `json:"left_heading"`
}

type factScore struct {
	ID     string `json:"id"`
	Type   string `json:"type"`
	Check  string `json:"check"`
	Passed bool   `json:"passed"`
	Output string `json:"output,omitempty"`
}

func factScores(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	const set = "pdf-facts-olmocr"
	items, files, out, err := openSet[factsItem](env, set)
	if err != nil {
		return nil, err
	}
	var passed mean
	err = each(ctx, items, func(it factsItem) []byte { return files[it.File] }, func(it factsItem, md string) error {
		if err := out.add(factScore{ID: it.ID, Output: md}); err != nil {
			return err
		}
		for _, f := range it.Tests {
			if f.Type == "math" {
				continue
			}
			ok := f.holds(md)
			v := 0.0
			if ok {
				v = 1
			}
			passed.add(v)
			if err := out.add(factScore{ID: it.ID, Type: f.Type, Check: fmt.Sprintf("%+v", f), Passed: ok}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return []suite.Result{{
		Name: set + ".passed", Value: passed.value(), Unit: "share",
		Note: fmt.Sprintf("%d checks; best seen without a model 0.618", passed.n),
	}}, out.close()
}

var (
	emphasis = regexp.MustCompile(`\*+|__+|</?[bi]>|</?(strong|em)>`)
	asciiFor = strings.NewReplacer("‘", "'", "’", "'", "‚", "'", "“", `"`, "”", `"`, "„", `"`, "–", "-", "—", "-", "‑", "-", "‒", "-", "−", "-")
)

func normalized(s string) string {
	s = emphasis.ReplaceAllString(unescape(s), "")
	return asciiFor.Replace(norm.NFC.String(strings.Join(strings.Fields(s), " ")))
}

func (f fact) holds(md string) bool {
	text := normalized(md)
	switch f.Type {
	case "present":
		return f.occurs(text)
	case "absent":
		return !f.occurs(text)
	case "blank":
		return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	case "order":
		before, after := ends(text, normalized(f.Before), f.MaxDiffs), starts(text, normalized(f.After), f.MaxDiffs)
		return len(before) > 0 && len(after) > 0 && before[0] <= after[len(after)-1]+1
	case "table":
		for _, rows := range htmlTables(pipesToHTML(md)) {
			if f.inTable(grid(rows)) {
				return true
			}
		}
	}
	return false
}

func (f fact) occurs(text string) bool {
	want := normalized(f.Text)
	if f.CaseSensitive != nil && !*f.CaseSensitive {
		text, want = strings.ToLower(text), strings.ToLower(want)
	}
	runes := []rune(text)
	switch {
	case f.FirstN > 0 && f.LastN > 0 && len(runes) > f.FirstN+f.LastN:
		runes = append(runes[:f.FirstN:f.FirstN], runes[len(runes)-f.LastN:]...)
	case f.FirstN > 0:
		runes = runes[:min(f.FirstN, len(runes))]
	case f.LastN > 0:
		runes = runes[max(0, len(runes)-f.LastN):]
	}
	return len(ends(string(runes), want, f.MaxDiffs)) > 0
}

// ends gives the places where a text like want ends, with at most so many edits.
func ends(text, want string, edits int) []int {
	t, w := []rune(text), []rune(want)
	column := make([]int, len(w)+1)
	for i := range column {
		column[i] = i
	}
	var out []int
	for j, r := range t {
		before := column[0]
		for i, x := range w {
			cost := before
			if r != x {
				cost = min(before, column[i], column[i+1]) + 1
			}
			before, column[i+1] = column[i+1], cost
		}
		if column[len(w)] <= edits {
			out = append(out, j)
		}
	}
	return out
}

func starts(text, want string, edits int) []int {
	t := reversed(text)
	var out []int
	for _, e := range ends(t, reversed(want), edits) {
		out = append(out, len([]rune(t))-1-e)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

func reversed(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

// inTable says whether a cell with the text has the neighbours asked for.
func (f fact) inTable(g [][]*cell) bool {
	for r, row := range g {
		for c, one := range row {
			if one == nil || normalized(one.text) != normalized(f.Cell) {
				continue
			}
			if f.neighbours(g, r, c) {
				return true
			}
		}
	}
	return false
}

func (f fact) neighbours(g [][]*cell, r, c int) bool {
	at := func(r, c int) string {
		if r < 0 || r >= len(g) || c < 0 || c >= len(g[r]) || g[r][c] == nil {
			return ""
		}
		return normalized(g[r][c].text)
	}
	for _, n := range []struct {
		want string
		r, c int
	}{{f.Up, r - 1, c}, {f.Down, r + 1, c}, {f.Left, r, c - 1}, {f.Right, r, c + 1}} {
		if n.want != "" && at(n.r, n.c) != normalized(n.want) {
			return false
		}
	}
	return f.headed(f.TopHeading, func(i int) string { return at(r-i, c) }, r) &&
		f.headed(f.LeftHeading, func(i int) string { return at(r, c-i) }, c)
}

func (f fact) headed(want string, at func(int) string, steps int) bool {
	if want == "" {
		return true
	}
	for i := 1; i <= steps; i++ {
		if at(i) == normalized(want) {
			return true
		}
	}
	return false
}
