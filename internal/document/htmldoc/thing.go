package htmldoc

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
)

// thing is something described by schema.org terms, whichever syntax it was
// written in: property → values, each a string, a number, a bool or a thing.
type thing map[string][]any

// ldThing turns a JSON-LD object into a thing.
func ldThing(m map[string]any) thing {
	t := thing{}
	for key, value := range m {
		name := strings.TrimPrefix(strings.TrimPrefix(key, "http://schema.org/"), "schema:")
		t[name] = ldValues(value)
	}
	return t
}

func ldValues(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		var list []any
		for _, e := range v {
			list = append(list, ldValues(e)...)
		}
		return list
	case map[string]any:
		return []any{ldThing(v)}
	}
	return []any{v}
}

// microThing turns an item of microdata into a thing.
func microThing(it *Item) thing {
	t := thing{}
	for _, typ := range it.Types {
		t["@type"] = append(t["@type"], typ[strings.LastIndexByte(typ, '/')+1:])
	}
	for name, values := range it.Props {
		for _, v := range values {
			if sub, ok := v.(*Item); ok {
				v = microThing(sub)
			}
			t[name] = append(t[name], v)
		}
	}
	return t
}

// is reports whether the thing has one of the types.
func (t thing) is(types ...string) bool {
	for _, v := range t["@type"] {
		s, _ := v.(string)
		s = s[strings.LastIndexAny(s, "/:")+1:]
		for _, typ := range types {
			if s == typ {
				return true
			}
		}
	}
	return false
}

// text is the first value of a property as text.
func (t thing) text(names ...string) string {
	for _, name := range names {
		for _, v := range t[name] {
			if s := scalar(v); s != "" {
				return s
			}
		}
	}
	return ""
}

// name is the first value of a property, which may be a thing with a name.
func (t thing) name(property string) string {
	for _, v := range t[property] {
		if sub, ok := v.(thing); ok {
			if s := sub.text("name"); s != "" {
				return s
			}
			continue
		}
		if s := scalar(v); s != "" {
			return s
		}
	}
	return ""
}

// things are the values of a property that are things.
func (t thing) things(names ...string) []thing {
	var list []thing
	for _, name := range names {
		for _, v := range t[name] {
			if sub, ok := v.(thing); ok {
				list = append(list, sub)
			}
		}
	}
	return list
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return collapse(html.UnescapeString(v))
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// ldProducts finds the products in JSON-LD, however deep.
func ldProducts(values []any) []thing {
	var found []thing
	var look func(v any, depth int)
	look = func(v any, depth int) {
		if depth > 8 {
			return
		}
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				look(e, depth+1)
			}
		case map[string]any:
			if t := ldThing(v); t.is(productTypes...) {
				found = append(found, t)
				return
			}
			for _, key := range []string{"@graph", "mainEntity", "mainEntityOfPage", "itemListElement", "item", "about", "hasVariant"} {
				if sub, ok := v[key]; ok {
					look(sub, depth+1)
				}
			}
		}
	}
	look(values, 0)
	return found
}

var productTypes = []string{"Product", "ProductGroup", "IndividualProduct", "ProductModel", "SomeProducts", "Vehicle", "Car", "Book"}

// microProducts finds the products in microdata.
func microProducts(items []*Item) []thing {
	var found []thing
	var look func(t thing, depth int)
	look = func(t thing, depth int) {
		if t.is("Product", "IndividualProduct", "ProductModel", "ProductGroup") {
			found = append(found, t)
			return
		}
		if depth > 6 {
			return
		}
		for _, values := range t {
			for _, v := range values {
				if sub, ok := v.(thing); ok {
					look(sub, depth+1)
				}
			}
		}
	}
	for _, it := range items {
		look(microThing(it), 0)
	}
	return found
}

// variants are the offers of a product, one each.
func (t thing) variants(doc *document.Doc) []trawl.Variant {
	var list []trawl.Variant
	for _, sub := range t.things("hasVariant") {
		list = append(list, sub.variants(doc)...)
	}
	for _, offer := range flattenOffers(t.things("offers")) {
		list = append(list, t.variant(offer, doc))
	}
	if len(list) == 0 && (t.text("sku", "productID", "mpn") != "" || t.text("price") != "") {
		list = append(list, t.variant(t, doc))
	}
	return list
}

// flattenOffers takes the offers out of the groups they come in.
func flattenOffers(offers []thing) []thing {
	var list []thing
	for _, o := range offers {
		inner := o.things("offers", "itemOffered")
		if o.is("AggregateOffer") && o.text("price") == "" && o.text("lowPrice") == "" && len(inner) > 0 {
			list = append(list, inner...)
			continue
		}
		list = append(list, o)
	}
	return list
}

func (t thing) variant(offer thing, doc *document.Doc) trawl.Variant {
	v := trawl.Variant{
		ID:           first(offer.text("productID"), t.text("productID")),
		SKU:          first(offer.text("sku"), t.text("sku"), t.text("productID"), offer.text("mpn")),
		Title:        offer.text("name"),
		Price:        offerPrice(offer),
		Availability: readAvailability(offer.text("availability")),
	}
	if before := listPrice(offer); before != nil && v.Price != nil && before.Amount > v.Price.Amount {
		v.Sale = &trawl.Sale{OriginalPrice: *before}
	}
	for _, values := range t["image"] {
		src := scalar(values)
		if sub, ok := values.(thing); ok {
			src = sub.text("url", "contentUrl")
		}
		if src != "" {
			v.Images = append(v.Images, trawl.ProductImage{URL: absolute(doc.Base, src)})
		}
	}
	for _, name := range []string{"color", "size", "material", "pattern"} {
		if s := first(offer.name(name), t.name(name)); s != "" {
			if v.Values == nil {
				v.Values = map[string]string{}
			}
			v.Values[name] = s
		}
	}
	return v
}

// choose picks the product the page is about among those it describes: others
// are recommendations. Its name stands in the headline, and it has an offer.
func choose(things []thing, shown *shownOffer) thing {
	var best thing
	bestScore := -1
	for _, t := range things {
		score := 0
		if len(t.things("offers")) > 0 {
			score += 2
		}
		if t.text("sku", "productID") != "" {
			score++
		}
		if name := strings.ToLower(t.text("name")); name != "" && strings.Contains(shown.headline(), name) {
			score += 4
		}
		if score > bestScore {
			best, bestScore = t, score
		}
	}
	return best
}
