package pdfbench

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/trawlhq/trawl/bench/corpus"
	"github.com/trawlhq/trawl/bench/suite"
)

// hostileItem is a broken file; where two other readers agreed on its text, that
// text is given.
type hostileItem struct {
	ID      string `json:"id"`
	File    string `json:"file"`
	Kind    string `json:"kind"`
	Agreed  bool   `json:"agreed"`
	RefText string `json:"ref_text"`
}

type hostileScore struct {
	ID     string  `json:"id"`
	Took   float64 `json:"seconds"`
	Error  string  `json:"error,omitempty"`
	Agreed bool    `json:"agreed"`
	Share  float64 `json:"share"`
	Output string  `json:"output"`
}

// The time a file may take, what of it the reader is given, and the part of a
// file's words that must arrive.
const (
	hostileLimit = 10 * time.Second
	readerLimit  = 9 * time.Second
	enoughWords  = 0.8
)

func hostileScores(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	all, err := readTruth[hostileItem](suite.Env{Data: env.Data}, "hostile-files")
	if err != nil {
		return nil, err
	}
	files, err := corpus.Files(env.Path("hostile-files", "files.tar.zst"))
	if err != nil {
		return nil, err
	}
	reader, err := open(ctx, 1)
	if err != nil {
		return nil, err
	}
	out, err := openDetails(env, "pdf-hostile")
	if err != nil {
		return nil, err
	}
	var safe, recovered mean
	for _, it := range all {
		if it.Kind != "pdf" || env.Quick && safe.n >= quickItems {
			continue
		}
		limited, cancel := context.WithTimeout(ctx, readerLimit)
		began := time.Now()
		md, err := markdownOf(limited, reader, files[it.File])
		s := hostileScore{ID: it.ID, Took: time.Since(began).Seconds(), Agreed: it.Agreed, Share: wordShare(it.RefText, md), Output: md}
		cancel()
		if err != nil {
			s.Error = err.Error()
		}
		safe.add(share(s.Took < hostileLimit.Seconds()))
		if it.Agreed {
			recovered.add(share(s.Share >= enoughWords))
		}
		if err := out.add(s); err != nil {
			return nil, err
		}
	}
	if err := reader.Close(); err != nil {
		return nil, err
	}
	return []suite.Result{
		{Name: "pdf-hostile.safe", Value: safe.value(), Unit: "share", Note: fmt.Sprintf("%d files within %v", safe.n, hostileLimit)},
		{Name: "pdf-hostile.recovered", Value: recovered.value(), Unit: "share", Note: fmt.Sprintf("%d files; best seen 0.804", recovered.n)},
	}, out.close()
}

func share(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// wordShare is the part of the words of want that got holds.
func wordShare(want, got string) float64 {
	have := map[string]int{}
	for _, w := range tokens(unescape(got)) {
		have[w]++
	}
	found, all := 0, 0
	for _, w := range tokens(want) {
		all++
		if have[w] > 0 {
			have[w]--
			found++
		}
	}
	if all == 0 {
		return 1
	}
	return float64(found) / float64(all)
}

func tokens(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
}
