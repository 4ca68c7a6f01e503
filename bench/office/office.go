// Package officebench measures how well office files are read: how much of
// their text arrives, and whether headings, lists, tables and code are still
// what they were.
package officebench

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/trawlhq/trawl/bench/corpus"
	"github.com/trawlhq/trawl/bench/suite"
)

// Suites gives the measurements of this package.
func Suites() []suite.Suite {
	return []suite.Suite{
		quality("office-docling"),
		quality("office-pandoc"),
		quality("office-rendered"),
		byFormat(),
		hostile(),
		speed(),
		memory(),
	}
}

// quality measures one set.
func quality(set string) suite.Suite {
	return suite.Suite{Name: set, Data: set, Run: func(ctx context.Context, env suite.Env) ([]suite.Result, error) {
		scores, err := scoreSet(ctx, env, set)
		if err != nil {
			return nil, err
		}
		return means(set, scores), nil
	}}
}

// byFormat measures the same files by what they are, over all sets: a reader
// that fails must not hide behind the others.
func byFormat() suite.Suite {
	sets := []string{"office-docling", "office-pandoc", "office-rendered"}
	return suite.Suite{Name: "office-formats", Data: sets[0], Run: func(ctx context.Context, env suite.Env) ([]suite.Result, error) {
		formats := map[string][]score{}
		for _, set := range sets {
			scores, err := scoreSet(ctx, env, set)
			if err != nil {
				return nil, err
			}
			for _, s := range scores {
				formats[s.Format] = append(formats[s.Format], s)
			}
		}
		var names []string
		for name := range formats {
			names = append(names, name)
		}
		slices.Sort(names)
		var results []suite.Result
		for _, name := range names {
			results = append(results, means("office-formats."+name, formats[name])...)
		}
		return results, nil
	}}
}

func means(name string, scores []score) []suite.Result {
	var text, structure float64
	for _, s := range scores {
		text += s.Text
		structure += s.Structure
	}
	n := float64(max(len(scores), 1))
	note := fmt.Sprintf("%d files", len(scores))
	return []suite.Result{
		{Name: name + ".text", Value: text / n, Unit: "similarity", Note: note},
		{Name: name + ".structure", Value: structure / n, Unit: "F1", Note: note},
	}
}

// score is how one file came out.
type score struct {
	ID        string  `json:"id"`
	Format    string  `json:"format"`
	Text      float64 `json:"text"`
	Structure float64 `json:"structure"`
	Error     string  `json:"error,omitempty"`
}

func scoreSet(ctx context.Context, env suite.Env, set string) ([]score, error) {
	items, err := load(env, set)
	if err != nil {
		return nil, err
	}
	var scores []score
	for _, it := range items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := score{ID: it.ID, Format: it.Format}
		got, err := markdownOf(ctx, it.File, it.body)
		if err != nil {
			s.Error = err.Error()
		}
		wanted, found := blocks(it.Markdown), blocks(got)
		if it.Format == "epub" {
			found = withoutOptionalTitle(wanted, found)
		}
		s.Text = similarity(textOf(wanted), textOf(found))
		s.Structure = overlap(wanted, found)
		scores = append(scores, s)
	}
	return scores, corpus.Keep(filepath.Join(env.Out, set+".jsonl"), scores)
}

// withoutOptionalTitle drops the title "Document" that the writer of some books
// made up; the data set lets it appear or not.
func withoutOptionalTitle(wanted, found []block) []block {
	title := block{"h", "Document"}
	if slices.Contains(wanted, title) {
		return found
	}
	return slices.DeleteFunc(found, func(b block) bool { return b == title })
}
