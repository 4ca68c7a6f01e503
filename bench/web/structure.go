package web

import (
	"context"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/document/htmldoc"
	"github.com/trawlhq/trawl/internal/format/markdown"
)

// structure scores web-structure-readability: words and blocks of an article
// against its cleaned HTML.
func structure(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	type truth struct{ ID, HTML string }
	var text, shape mean
	var failed error
	err := eachPage(ctx, env, "web-structure-readability", func(t truth) (string, string) { return t.ID, "http://fakehost/test/page.html" },
		func(t truth, a *answer) any {
			root, err := html.Parse(strings.NewReader(t.HTML))
			if err != nil {
				failed = err
				return nil
			}
			f1, p, r := wordF1(plainText(a.markdown), treeText(root))
			text.add(f1)
			doc := htmldoc.FromTree(root, "http://fakehost/test/page.html")
			whole, err := htmldoc.Clean(doc, htmldoc.Options{})
			if err != nil {
				failed = err
				return nil
			}
			want := markdown.Convert(whole.Root, markdown.Options{})
			shape.add(overlap(blocks(a.markdown), blocks(want)).f1())
			return item{ID: t.ID, Score: f1, Precision: p, Recall: r, Why: a.view.Why}
		})
	if err == nil {
		err = failed
	}
	return []suite.Result{
		{Name: "web-structure-readability.f1", Value: text.value(), Unit: "F1", Note: "words"},
		{Name: "web-structure-readability.blocks", Value: shape.value(), Unit: "F1", Note: "blocks"},
	}, err
}

// pages scores md-pages-defuddle: characters and blocks of the Markdown.
func pages(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	type truth struct{ ID, Category, URL, HTML, Markdown string }
	truths, err := readJSONL[truth](env, "md-pages-defuddle", "pages.jsonl.gz")
	if err != nil {
		return nil, err
	}
	out, err := newDetails(env, "md-pages-defuddle")
	if err != nil {
		return nil, err
	}
	var text, shape mean
	for _, t := range truths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		a, err := scrape([]byte(t.HTML), t.URL)
		if err != nil {
			return nil, err
		}
		got, want := blocks(a.markdown), blocks(t.Markdown)
		s := similarity(joined(got), joined(want))
		f1 := overlap(got, want).f1()
		if len(got)+len(want) == 0 {
			f1 = 1
		}
		text.add(s)
		shape.add(f1)
		if err := out.add(item{ID: t.ID, Kind: t.Category, Score: s, Precision: f1, Why: a.view.Why}); err != nil {
			return nil, err
		}
	}
	return []suite.Result{
		{Name: "md-pages-defuddle.text", Value: text.value(), Unit: "similarity", Note: "characters"},
		{Name: "md-pages-defuddle.structure", Value: shape.value(), Unit: "F1", Note: "blocks"},
	}, out.close()
}

func joined(list []block) string {
	var b strings.Builder
	for i, bl := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(bl.text)
	}
	return b.String()
}
