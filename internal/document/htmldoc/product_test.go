package htmldoc_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document/htmldoc"
)

func TestFindProduct(t *testing.T) {
	for _, tc := range []struct {
		name, page string
		want       trawl.Product
	}{
		{"from JSON-LD", `<h1>Hose</h1><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Hose","sku":"H-1","brand":{"name":"Acme"},
			"offers":{"@type":"Offer","price":"19.90","priceCurrency":"EUR","availability":"https://schema.org/OutOfStock"},}</script>`,
			trawl.Product{Title: "Hose", URL: address, Brand: "Acme", SKU: "H-1", Variants: []trawl.Variant{{SKU: "H-1",
				Price: &trawl.Price{Amount: 19.9, Currency: "EUR"}, Availability: trawl.Availability{Text: "OutOfStock"}}}}},
		{"from microdata", `<div itemscope itemtype="http://schema.org/Product"><b itemprop="name">Rake</b><i itemprop="sku">R2</i>
			<div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="price" content="5"><meta itemprop="priceCurrency" content="USD"></div></div>`,
			trawl.Product{Title: "Rake", URL: address, SKU: "R2", Variants: []trawl.Variant{{SKU: "R2",
				Price: &trawl.Price{Amount: 5, Currency: "USD"}, Availability: trawl.Availability{InStock: true}}}}},
		{"from Open Graph", `<head><meta property="og:type" content="product"><meta property="og:title" content="Spade"><meta property="product:price:amount" content="7.50">
			<meta property="product:price:currency" content="GBP"></head>`,
			trawl.Product{Title: "Spade", URL: address, Variants: []trawl.Variant{{Price: &trawl.Price{Amount: 7.5, Currency: "GBP"},
				Availability: trawl.Availability{InStock: true}}}}},
		{"from what the page shows", `<h1>Bucket</h1><span class="old-price">€ 12,00</span><span class="product-price">€ 9,50</span><p>SKU: BK-77</p><button>Add to cart</button>`,
			trawl.Product{Title: "Bucket", URL: address, SKU: "BK-77", Variants: []trawl.Variant{{SKU: "BK-77",
				Price: &trawl.Price{Amount: 9.5, Currency: "EUR", Formatted: "€ 9,50"}, Availability: trawl.Availability{InStock: true}}}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc, err := htmldoc.Read([]byte(tc.page), "", address)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := htmldoc.FindProduct(doc)
			if !ok {
				t.Fatal("no product found")
			}
			if diff := cmp.Diff(tc.want, *got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAPageThatSellsNothingHasNoProduct(t *testing.T) {
	doc, err := htmldoc.Read([]byte(`<h1>News</h1><p>The price of bread rose to 3 euros.</p>`), "", address)
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := htmldoc.FindProduct(doc); ok {
		t.Errorf("found %+v", p)
	}
}

func TestAvailability(t *testing.T) {
	sized := func(size, state string) string {
		return `<script type="application/ld+json">{"@type":"Product","name":"Boot","sku":"B-` + size + `","offers":{"@type":"Offer","price":"70","availability":"` + state + `"}}</script>`
	}
	for _, tc := range []struct {
		name, page string
		want       bool
	}{
		{"a thing is in stock if one of its sizes is", `<h1>Boot</h1>` + sized("36", "OutOfStock") + sized("37", "InStock"), true},
		{"a thing is sold out if all of its sizes are", `<h1>Boot</h1>` + sized("36", "OutOfStock") + sized("37", "SoldOut"), false},
		{"what a button says in another state is not the state", `<h1>Boot</h1><i class="price">$70</i><a class="buy"><b>Add to cart</b><b class="unavailable-label">Sold out</b></a>`, true},
		{"sold out is believed with advice after it", `<h1>Boot</h1><p>SKU: B-77</p><div id="availability"><b>Currently unavailable.</b> We do not know when, or if at all, this item will come back to our shelves.</div>`, false},
		{"words far behind the state are advice", `<h1>Boot</h1><i class="price">$70</i><button>Add to cart</button><div class="stock">In stock, and on its way to you tomorrow if ordered before noon; gift wrap is not available.</div>`, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc, err := htmldoc.Read([]byte(tc.page), "", address)
			if err != nil {
				t.Fatal(err)
			}
			p, ok := htmldoc.FindProduct(doc)
			if !ok {
				t.Fatal("no product found")
			}
			got := false
			for _, v := range p.Variants {
				got = got || v.Availability.InStock
			}
			if got != tc.want {
				t.Errorf("in stock: %v, want %v (%+v)", got, tc.want, p.Variants)
			}
		})
	}
}

func TestPricesAsShopsWriteThem(t *testing.T) {
	for text, want := range map[string]float64{
		"1,299.00": 1299, "1.299,00 €": 1299, "1 299 Kč": 1299, "$1,299": 1299, "12,5": 12.5, "0.999": 0.999, "CHF 1'299.50": 1299.5, "19": 19, "1.234.567": 1234567,
	} {
		page := `<h1>x</h1><span class="price">` + text + `</span><button>Buy now</button>`
		doc, err := htmldoc.Read([]byte(page), "", address)
		if err != nil {
			t.Fatal(err)
		}
		p, ok := htmldoc.FindProduct(doc)
		if !ok || p.Variants[0].Price == nil || p.Variants[0].Price.Amount != want {
			t.Errorf("%q is read as %+v, want %v", text, p, want)
		}
	}
}

func TestJSONLDAsPeopleWriteIt(t *testing.T) {
	for _, tc := range []struct{ name, script, want string }{
		{"plain", `{"a":1}`, `[{"a":1}]`},
		{"a list gives its members", `[{"a":1},{"b":2}]`, `[{"a":1},{"b":2}]`},
		{"comments and trailing commas", "// note\n{\"a\":[1,2,],/* x */\"u\":\"http://x\",}", `[{"a":[1,2],"u":"http://x"}]`},
		{"control characters in strings", "{\"a\":\"x\ny\"}", `[{"a":"x\ny"}]`},
		{"hidden from old browsers", "<!--\n{\"a\":1}\n-->", `[{"a":1}]`},
		{"a semicolon at the end", `{"a":1};`, `[{"a":1}]`},
		{"broken beyond repair", `{"a":`, `null`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root, err := html.Parse(strings.NewReader(`<script type="application/ld+json">` + tc.script + `</script>`))
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(htmldoc.JSONLD(root))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tc.want {
				t.Errorf("%s, want %s", got, tc.want)
			}
		})
	}
}

func TestMicrodata(t *testing.T) {
	root, err := html.Parse(strings.NewReader(`<div id="x"><p itemprop="a">1</p></div>
		<div itemscope itemtype="http://t.test/A http://t.test/B" itemref="x" itemid="urn:1"><p itemprop="b c">v</p>
		<div itemprop="sub" itemscope><img itemprop="i" src="p.png"><time itemprop="t" datetime="2020">then</time></div></div>
		<div itemscope itemref="loop" id="loop2"></div><div id="loop" itemprop="l" itemscope itemref="loop"></div>`))
	if err != nil {
		t.Fatal(err)
	}
	items := htmldoc.Microdata(root)
	if len(items) != 2 {
		t.Fatalf("%d items", len(items))
	}
	want := &htmldoc.Item{Types: []string{"http://t.test/A", "http://t.test/B"}, ID: "urn:1", Props: map[string][]any{
		"a": {"1"}, "b": {"v"}, "c": {"v"}, "sub": {&htmldoc.Item{Types: []string{}, Props: map[string][]any{"i": {"p.png"}, "t": {"2020"}}}},
	}}
	if diff := cmp.Diff(want, items[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func FuzzJSONLD(f *testing.F) {
	for _, seed := range []string{`{"a":1,}`, "//x\n[1]", `"\`, "{\"a\":\"\x01\"}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, script string) {
		root := &html.Node{Type: html.DocumentNode}
		s := &html.Node{Type: html.ElementNode, Data: "script", DataAtom: atom.Script, Attr: []html.Attribute{{Key: "type", Val: "application/ld+json"}}}
		s.AppendChild(&html.Node{Type: html.TextNode, Data: script})
		root.AppendChild(s)
		htmldoc.JSONLD(root)
	})
}
