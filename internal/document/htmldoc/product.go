package htmldoc

import (
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
)

// FindProduct reads the product a page is about: from its structured data
// (JSON-LD, then microdata, then Open Graph), and what is missing there from
// what the page shows. It reports false when the page sells nothing.
func FindProduct(doc *document.Doc) (*trawl.Product, bool) {
	shown := readShown(doc)
	things := append(ldProducts(JSONLD(doc.Root)), microProducts(Microdata(doc.Root))...)
	main := choose(things, shown)
	og := ReadOpenGraph(doc.Root)
	if main == nil && !sellsByOpenGraph(og) && !shown.sells() {
		return nil, false
	}
	if main == nil {
		main = thing{}
	}
	p := &trawl.Product{
		Title:       first(main.text("name"), og.get("og:title"), shown.title, doc.Title),
		URL:         first(absoluteOrEmpty(doc, main.text("url")), absoluteOrEmpty(doc, og.get("og:url")), doc.Base.String()),
		Brand:       first(main.name("brand"), main.name("manufacturer"), og.get("product:brand", "og:brand")),
		Category:    first(main.name("category"), og.get("product:category")),
		Description: first(plainText(main.text("description")), og.get("og:description")),
		Variants:    variantsOf(main, things, doc),
		SKU:         main.text("sku", "productID"),
	}
	fill(p, og, shown, doc)
	return p, true
}

// variantsOf lists the offers of the product, and those of things with the very
// same name: some shops describe each size as a product of its own.
func variantsOf(main thing, all []thing, doc *document.Doc) []trawl.Variant {
	list := main.variants(doc)
	name := main.text("name")
	if name == "" {
		return list
	}
	seen := map[string]bool{main.text("sku", "productID"): true}
	for _, t := range all {
		if sku := t.text("sku", "productID"); t.text("name") == name && !seen[sku] {
			seen[sku] = true
			list = append(list, t.variants(doc)...)
		}
	}
	return list
}

// fill completes the variants with what Open Graph and the page itself say.
func fill(p *trawl.Product, og OpenGraph, shown *shownOffer, doc *document.Doc) {
	if len(p.Variants) == 0 {
		p.Variants = []trawl.Variant{{}}
		p.Variants[0].Availability = readAvailability(og.get("product:availability", "og:availability"))
	}
	v := &p.Variants[0]
	if v.Availability.Text == "" && shown.soldOut != "" {
		v.Availability = trawl.Availability{Text: shown.soldOut}
	}
	settlePrice(v, og, shown, len(p.Variants) == 1)
	if v.SKU == "" {
		v.SKU = first(og.get("product:retailer_item_id", "product:sku"), shown.sku)
	}
	if p.SKU == "" {
		p.SKU = v.SKU
	}
	if len(v.Images) == 0 {
		if src := og.get("og:image:secure_url", "og:image"); src != "" {
			v.Images = []trawl.ProductImage{{URL: absolute(doc.Base, src)}}
		}
	}
}

// settlePrice weighs what the three sources say. Structured data comes first,
// unless the other two agree on something else, or the page plainly shows a
// lower price: structured data often keeps the one from before a sale.
func settlePrice(v *trawl.Variant, og OpenGraph, shown *shownOffer, single bool) {
	meta := readPrice(og.get("product:price:amount", "og:price:amount", "product:sale_price:amount"), og.get("product:price:currency", "og:price:currency"))
	now := shown.price
	switch {
	case v.Price == nil && meta != nil:
		v.Price = meta
	case v.Price == nil:
		v.Price = now
	case !single || now == nil || now.Amount == v.Price.Amount:
	case meta != nil && meta.Amount == now.Amount:
		v.Price = meta
	case shown.priceScore >= sureScore && now.Amount < v.Price.Amount && now.Amount*4 > v.Price.Amount:
		v.Sale = &trawl.Sale{OriginalPrice: *v.Price}
		v.Price = &trawl.Price{Amount: now.Amount, Currency: first(v.Price.Currency, now.Currency), Formatted: now.Formatted}
	}
}

// sureScore is how many of the marks of a price to pay an element must have for
// it to be believed over structured data.
const sureScore = 3

func sellsByOpenGraph(og OpenGraph) bool {
	kind := strings.ToLower(og.get("og:type"))
	return strings.HasPrefix(kind, "product") || strings.HasSuffix(kind, ":product") || og.get("product:price:amount", "og:price:amount") != ""
}

func absoluteOrEmpty(doc *document.Doc, ref string) string {
	if ref == "" {
		return ""
	}
	return absolute(doc.Base, ref)
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
