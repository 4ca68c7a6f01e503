package web

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/bench/suite"
	"github.com/trawlhq/trawl/internal/document/htmldoc"
)

// markup scores struct-markup: the embedded data of a page, read exactly.
func markup(ctx context.Context, env suite.Env) ([]suite.Result, error) {
	type item struct {
		ID, Syntax, HTML string
		Expected         any
	}
	items, err := readJSONL[item](env, "struct-markup", "items.jsonl.gz")
	if err != nil {
		return nil, err
	}
	out, err := newDetails(env, "struct-markup")
	if err != nil {
		return nil, err
	}
	var all mean
	bySyntax := map[string]*mean{"json-ld": {}, "microdata": {}, "opengraph": {}}
	for _, it := range items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		got, err := embedded(it.HTML, it.Syntax)
		if err != nil {
			return nil, err
		}
		want := it.Expected
		if m, ok := want.(map[string]any); ok && m["items"] != nil {
			want = m["items"]
		}
		same := one(reflect.DeepEqual(normalJSON(got), normalJSON(want)))
		all.add(same)
		bySyntax[it.Syntax].add(same)
		if err := out.add(map[string]any{"id": it.ID, "score": same, "got": got}); err != nil {
			return nil, err
		}
	}
	return []suite.Result{
		{Name: "struct-markup.equal", Value: all.value(), Unit: "share"},
		{Name: "struct-markup.json-ld", Value: bySyntax["json-ld"].value(), Unit: "share"},
		{Name: "struct-markup.microdata", Value: bySyntax["microdata"].value(), Unit: "share"},
		{Name: "struct-markup.opengraph", Value: bySyntax["opengraph"].value(), Unit: "share"},
	}, out.close()
}

// embedded reads the data of one syntax, in the shape the set uses.
func embedded(src, syntax string) (any, error) {
	root, err := html.Parse(strings.NewReader(src))
	if err != nil {
		return nil, err
	}
	var value any
	switch syntax {
	case "json-ld":
		value = htmldoc.JSONLD(root)
	case "microdata":
		list := []any{}
		for _, it := range htmldoc.Microdata(root) {
			list = append(list, itemJSON(it))
		}
		value = list
	default:
		og := htmldoc.ReadOpenGraph(root)
		value = []any{map[string]any{"namespace": og.Namespaces, "properties": og.Properties}}
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var plain any
	err = json.Unmarshal(text, &plain)
	return plain, err
}

func itemJSON(it *htmldoc.Item) map[string]any {
	props := map[string]any{}
	for name, values := range it.Props {
		list := []any{}
		for _, v := range values {
			if sub, ok := v.(*htmldoc.Item); ok {
				v = itemJSON(sub)
			}
			list = append(list, v)
		}
		props[name] = list
	}
	m := map[string]any{"properties": props}
	if len(it.Types) > 0 {
		m["type"] = it.Types
	}
	if it.ID != "" {
		m["id"] = it.ID
	}
	return m
}

// normalJSON takes a list of one as its member and collapses white space.
func normalJSON(v any) any {
	switch v := v.(type) {
	case []any:
		if len(v) == 1 {
			return normalJSON(v[0])
		}
		list := make([]any, len(v))
		for i := range v {
			list[i] = normalJSON(v[i])
		}
		return list
	case map[string]any:
		m := map[string]any{}
		for k := range v {
			m[k] = normalJSON(v[k])
		}
		return m
	case string:
		return collapse(v)
	}
	return v
}
