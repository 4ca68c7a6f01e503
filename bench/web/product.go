package web

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/document/htmldoc"
)

// products scores struct-product: price, sku and availability of shop pages.
func products(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	type truth struct {
		ID, URL                  string
		Price, SKU, Availability []string
	}
	truths, err := readJSONL[truth](env, "struct-product", "truth.jsonl.gz")
	if err != nil {
		return nil, err
	}
	pages, err := readPages(env, "struct-product")
	if err != nil {
		return nil, err
	}
	out, err := newDetails(env, "struct-product")
	if err != nil {
		return nil, err
	}
	var price, sku, stock counts
	for _, t := range truths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		doc, err := htmldoc.Read(pages[t.ID], "text/html", t.URL)
		if err != nil {
			return nil, err
		}
		p, _ := htmldoc.FindProduct(doc)
		got := firstOffer(p)
		price = price.plus(judge(got.price, t.Price, sameAmount))
		sku = sku.plus(judge(got.sku, t.SKU, slices.Contains[[]string]))
		stock = stock.plus(judge(got.stock, t.Availability, slices.Contains[[]string]))
		if err := out.add(map[string]any{"id": t.ID, "url": t.URL, "price": []any{got.price, t.Price}, "sku": []any{got.sku, t.SKU},
			"availability": []any{got.stock, t.Availability}}); err != nil {
			return nil, err
		}
	}
	return []suite.Result{
		{Name: "struct-product.price", Value: price.f1(), Unit: "F1"},
		{Name: "struct-product.sku", Value: sku.f1(), Unit: "F1"},
		{Name: "struct-product.availability", Value: stock.f1(), Unit: "F1"},
	}, out.close()
}

// offer is what is judged of a product; empty: not found.
type offer struct{ price, sku, stock string }

func firstOffer(p *trawl.Product) offer {
	o := offer{stock: "InStock"} // the set lets an empty answer stand for it
	if p == nil {
		return o
	}
	o.sku, o.stock = p.SKU, "OutOfStock"
	for _, v := range p.Variants {
		if v.Price != nil && o.price == "" {
			o.price = strconv.FormatFloat(v.Price.Amount, 'f', -1, 64)
		}
		if v.Availability.InStock {
			o.stock = "InStock"
		}
	}
	return o
}

// judge counts one answer: right, wrong, missing.
func judge(got string, accepted []string, same func([]string, string) bool) counts {
	switch {
	case got == "" && len(accepted) == 0:
		return counts{}
	case got == "":
		return counts{fn: 1}
	case len(accepted) == 0:
		return counts{fp: 1}
	case same(accepted, got):
		return counts{tp: 1}
	}
	return counts{fp: 1, fn: 1}
}

func sameAmount(accepted []string, got string) bool {
	g, err := strconv.ParseFloat(got, 64)
	if err != nil {
		return false
	}
	for _, a := range accepted {
		if v, err := strconv.ParseFloat(strings.TrimSpace(a), 64); err == nil && math.Abs(v-g) < 0.005 {
			return true
		}
	}
	return false
}
