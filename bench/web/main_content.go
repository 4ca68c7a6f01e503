package web

import (
	"context"
	"slices"
	"strings"

	"github.com/trawlhq/trawl/bench/suite"
)

// articles scores web-main-articles: 4-word shingles of the article body.
func articles(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	type truth struct{ ID, URL, Text string }
	var precision, recall, exact mean
	err := eachPage(ctx, env, "web-main-articles", func(t truth) (string, string) { return t.ID, t.URL },
		func(t truth, a *answer) any {
			got, want := words(plainText(a.markdown)), words(t.Text)
			c := overlap(shingles(got, 4), shingles(want, 4))
			if c.tp+c.fp > 0 {
				precision.add(c.precision())
			}
			if c.tp+c.fn > 0 {
				recall.add(c.recall())
			}
			same := 0.0
			if slices.Equal(got, want) {
				same = 1
			}
			exact.add(same)
			return item{ID: t.ID, URL: t.URL, Score: c.f1(), Precision: c.precision(), Recall: c.recall(), Why: a.view.Why}
		})
	return []suite.Result{
		{Name: "web-main-articles.f1", Value: harmonic(precision.value(), recall.value()), Unit: "F1", Note: "4-word shingles"},
		{Name: "web-main-articles.precision", Value: precision.value(), Unit: "share"},
		{Name: "web-main-articles.recall", Value: recall.value(), Unit: "share"},
		{Name: "web-main-articles.exact", Value: exact.value(), Unit: "share", Note: "all words the same"},
	}, err
}

// pageKinds scores web-main-wcxb: words of the main content, by kind of page.
func pageKinds(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	type truth struct {
		ID, URL, Text string
		PageType      string `json:"page_type"`
		With, Without []string
		Title, Date   string
		Author        names
	}
	var all, with, without mean
	kinds := map[string]*mean{}
	var meta metaScore
	err := eachPage(ctx, env, "web-main-wcxb", func(t truth) (string, string) { return t.ID, t.URL },
		func(t truth, a *answer) any {
			text := plainText(a.markdown)
			f1, p, r := wordF1(text, t.Text)
			all.add(f1)
			if kinds[t.PageType] == nil {
				kinds[t.PageType] = &mean{}
			}
			kinds[t.PageType].add(f1)
			with.add(shareFound(text, t.With))
			without.add(shareFound(text, t.Without))
			meta.add(a.doc, metaTruth{t.Title, string(t.Author), t.Date})
			return item{ID: t.ID, URL: t.URL, Kind: t.PageType, Score: f1, Precision: p, Recall: r, Why: a.view.Why}
		})
	results := []suite.Result{
		{Name: "web-main-wcxb.f1", Value: all.value(), Unit: "F1", Note: "words"},
		{Name: "web-main-wcxb.with", Value: with.value(), Unit: "share"},
		{Name: "web-main-wcxb.without", Value: without.value(), Unit: "share", Lower: true},
	}
	for _, kind := range []string{"article", "documentation", "service", "forum", "listing", "collection", "product"} {
		if kinds[kind] != nil {
			results = append(results, suite.Result{Name: "web-main-wcxb.f1." + kind, Value: kinds[kind].value(), Unit: "F1"})
		}
	}
	return append(results, meta.results("web-main-wcxb")...), err
}

func shareFound(text string, snippets []string) float64 {
	if len(snippets) == 0 {
		return 1
	}
	text = strings.ToLower(collapse(text))
	found := 0.0
	for _, s := range snippets {
		if strings.Contains(text, strings.ToLower(collapse(s))) {
			found++
		}
	}
	return found / float64(len(snippets))
}

// multilingual scores web-main-multilingual: segments that must and must not
// be in the text.
func multilingual(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	type truth struct {
		ID, URL       string
		With, Without []string
		Title, Date   string
		Author        names
	}
	var total counts
	var meta metaScore
	err := eachPage(ctx, env, "web-main-multilingual", func(t truth) (string, string) { return t.ID, t.URL },
		func(t truth, a *answer) any {
			text := collapse(plainText(a.markdown))
			var c counts
			var missed, extra []string
			for _, s := range t.With {
				if strings.Contains(text, collapse(s)) {
					c.tp++
				} else {
					c.fn++
					missed = append(missed, s)
				}
			}
			for _, s := range t.Without {
				if strings.Contains(text, collapse(s)) {
					c.fp++
					extra = append(extra, s)
				}
			}
			total = total.plus(c)
			meta.add(a.doc, metaTruth{t.Title, string(t.Author), t.Date})
			return item{ID: t.ID, URL: t.URL, Score: c.f1(), Precision: c.precision(), Recall: c.recall(), Why: a.view.Why,
				Missed: missed, Extra: extra}
		})
	return append([]suite.Result{
		{Name: "web-main-multilingual.f1", Value: total.f1(), Unit: "F1", Note: "segments"},
		{Name: "web-main-multilingual.precision", Value: total.precision(), Unit: "share"},
		{Name: "web-main-multilingual.recall", Value: total.recall(), Unit: "share"},
	}, meta.results("web-main-multilingual")...), err
}

// item is the line kept about a page.
type item struct {
	ID        string   `json:"id"`
	URL       string   `json:"url,omitempty"`
	Kind      string   `json:"kind,omitempty"`
	Score     float64  `json:"score"`
	Precision float64  `json:"p"`
	Recall    float64  `json:"r"`
	Why       string   `json:"why,omitempty"`
	Missed    []string `json:"missed,omitempty"`
	Extra     []string `json:"extra,omitempty"`
}

// eachPage scrapes the pages of a set and hands each with its truth to score.
func eachPage[T any](ctx context.Context, env suite.Env, set string, key func(T) (id, url string), score func(T, *answer) any) error {
	truths, err := readJSONL[T](env, set, "truth.jsonl.gz")
	if err != nil {
		return err
	}
	pages, err := readPages(env, set)
	if err != nil {
		return err
	}
	out, err := newDetails(env, set)
	if err != nil {
		return err
	}
	for _, t := range truths {
		if err := ctx.Err(); err != nil {
			return err
		}
		id, url := key(t)
		a, err := scrape(pages[id], url)
		if err != nil {
			return err
		}
		if err := out.add(score(t, a)); err != nil {
			return err
		}
	}
	return out.close()
}
