package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document"
)

// shownOffer is what a page shows of an offer to a person, read off the names
// of elements and the words shops use.
type shownOffer struct {
	title   string // the first headline
	names   string // all names of the page, lower case
	price   *trawl.Price
	sku     string
	soldOut string // the words that say so
	buyable bool   // there is a button that puts it into a basket

	priceScore int
}

// readShown looks over the page once.
func readShown(doc *document.Doc) *shownOffer {
	s := &shownOffer{}
	body := find(doc.Root, atom.Body)
	if body == nil {
		return s
	}
	s.walk(body, 0)
	s.names = strings.ToLower(s.title + "\n" + doc.Title)
	if s.sku == "" {
		s.sku = skuInAddress(doc)
	}
	return s
}

// headline is what the page calls itself.
func (s *shownOffer) headline() string { return s.names }

// sells reports whether the page offers one thing.
func (s *shownOffer) sells() bool {
	return s.buyable && s.price != nil || s.sku != "" && (s.buyable || s.price != nil || s.soldOut != "")
}

func (s *shownOffer) walk(n *html.Node, depth int) {
	if depth > maxDepth {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode || isInvisible(c) && c.DataAtom != atom.Input {
			continue
		}
		s.look(c)
		if isBuyButton(c) {
			s.buyable = true
			continue // what else is written on it are its other states: "sold out", "choose a size"
		}
		s.walk(c, depth+1)
	}
}

// look reads one element.
func (s *shownOffer) look(n *html.Node) {
	switch n.DataAtom {
	case atom.H1:
		if s.title == "" {
			s.title = collapse(textOf(n))
		}
	}
	name := strings.ToLower(attr(n, "class") + " " + attr(n, "id") + " " + attr(n, "itemprop") + " " + attr(n, "data-testid"))
	if strings.Contains(name, "price") || strings.Contains(name, "preis") || strings.Contains(name, "precio") || strings.Contains(name, "prix") || strings.Contains(name, "cena") {
		s.lookAtPrice(n, name)
	}
	if s.sku == "" {
		s.lookAtSKU(n, name)
	}
	if s.soldOut == "" && (strings.Contains(name, "stock") || strings.Contains(name, "avail")) {
		s.lookAtStock(n)
	}
}

// isBuyButton reports whether an element puts the thing into a basket.
func isBuyButton(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Button, atom.A, atom.Input:
	default:
		return false
	}
	text := strings.ToLower(shortText(n, 60) + " " + attr(n, "value") + " " + attr(n, "name") + " " + attr(n, "id") + " " + attr(n, "class"))
	for _, word := range []string{"add to cart", "add to bag", "add to basket", "addtocart", "add-to-cart", "add_to_cart", "add-to-basket", "buy now", "in den warenkorb",
		"ajouter au panier", "añadir al carrito", "agregar al carrito", "adicionar ao carrinho", "comprar", "aggiungi al carrello", "do koszyka",
		"в корзину", "do košíku", "toevoegen", "sepete ekle", "カートに入れる", "加入购物车", "加入購物車"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// lookAtPrice keeps the price that most looks like the one to pay: a small
// element called price, not an old, a unit or somebody else's price.
func (s *shownOffer) lookAtPrice(n *html.Node, name string) {
	text := first(attr(n, "content"), attr(n, "data-price"), shortText(n, 40))
	price := readPrice(text, "")
	if price == nil {
		return
	}
	score := 1
	for _, word := range []string{"old", "was", "list", "regular", "strike", "compare", "before", "original", "msrp", "rrp", "unit", "ship", "saving", "discount", "related", "recommend", "cross", "total", "filter"} {
		if strings.Contains(name, word) {
			score -= 2
		}
	}
	for _, word := range []string{"sale", "current", "final", "now", "product", "special", "our", "main", "offer", "sell"} {
		if strings.Contains(name, word) {
			score++
		}
	}
	if strings.TrimSpace(attr(n, "itemprop")) == "price" {
		score += 3
	}
	if currencyIn(text) != "" {
		score++
	}
	if n.DataAtom == atom.Del || n.DataAtom == atom.S {
		score -= 4
	}
	if s.price == nil || score > s.priceScore {
		s.price, s.priceScore = price, score
	}
}

// lookAtSKU reads an element that is called sku, or a line such as "Art. No. 4711".
func (s *shownOffer) lookAtSKU(n *html.Node, name string) {
	for _, key := range []string{"data-sku", "data-product-sku", "data-product_sku"} {
		if v := collapse(attr(n, key)); isSKU(v) {
			s.sku = v
			return
		}
	}
	if n.DataAtom == atom.Input && strings.EqualFold(attr(n, "name"), "sku") && isSKU(attr(n, "value")) {
		s.sku = attr(n, "value")
		return
	}
	text := shortText(n, 60)
	if hasWord(name, "sku") && text != "" {
		if v := afterLabel(text); isSKU(v) {
			s.sku = v
		}
		return
	}
	lower := strings.ToLower(text)
	for _, label := range skuLabels {
		if strings.HasPrefix(lower, label) {
			if v := afterLabel(text[len(label):]); isSKU(v) {
				s.sku = v
				return
			}
		}
	}
}

var skuLabels = []string{"sku", "art. no", "art.-nr", "art.nr", "artikelnummer", "artikel-nr", "artikelnr", "item no", "item number", "item #", "item code", "item id", "product code",
	"product id", "product no", "product number", "model no", "style no", "article number", "article no", "ref.", "ref:", "référence", "referencia", "referência", "código", "cod.", "codice", "kod produktu", "kód", "артикул",
	"код товара", "bestellnummer", "bestell-nr", "best.-nr", "model:", "asin", "ebay item number", "商品番号", "품번"}

// afterLabel takes the value off "No.: 4711 (more)".
func afterLabel(s string) string {
	s = strings.TrimLeft(s, " .:#-–°º\t")
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		s = s[i+1:]
	}
	s = strings.TrimSpace(s)
	for _, label := range []string{"sku", "SKU", "Sku", "#"} {
		s = strings.TrimSpace(strings.TrimPrefix(s, label))
	}
	value, _, _ := strings.Cut(s, " ")
	return strings.Trim(value, "()[],;")
}

// isSKU reports whether a text can be the number of an article.
func isSKU(s string) bool {
	if len(s) < 3 || len(s) > 40 || !strings.ContainsAny(s, "0123456789") {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '-' || c == '_' || c == '.' || c == '/') {
			return false
		}
	}
	return true
}

// skuInAddress reads the number of the article off the address of the page.
func skuInAddress(doc *document.Doc) string {
	query := doc.Base.Query()
	for _, key := range []string{"sku", "childSku", "pid", "productId", "product_id", "itemId", "variant"} {
		if v := query.Get(key); isSKU(v) {
			return v
		}
	}
	return longestCode(doc.Base.Path)
}

// longestCode finds the part of a path that looks most like a number given to
// one article among many: five digits or more, capital letters allowed.
func longestCode(path string) string {
	best := ""
	for _, part := range strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '.' || r == '-' || r == '_' || r == ',' }) {
		digits := 0
		for i := 0; i < len(part); i++ {
			switch c := part[i]; {
			case c >= '0' && c <= '9':
				digits++
			case c >= 'A' && c <= 'Z':
			default:
				digits = -100
			}
		}
		if (digits >= 5 || digits >= 3 && len(part) >= 8) && len(part) > len(best) {
			best = part
		}
	}
	return best
}

func (s *shownOffer) lookAtStock(n *html.Node) {
	text := shortText(n, 200)
	lower := strings.ToLower(text[:min(len(text), 60)]) // the words come first, what may be done about it after them
	for _, word := range []string{"out of stock", "sold out", "currently unavailable", "not available", "unavailable", "ausverkauft", "nicht verfügbar", "nicht lieferbar",
		"agotado", "sin stock", "esgotado", "indisponível", "rupture", "épuisé", "indisponible", "non disponibile", "esaurito", "uitverkocht", "niet op voorraad",
		"niedostępny", "brak w magazynie", "нет в наличии", "vyprodáno", "tükendi", "売り切れ", "在庫切れ", "缺货"} {
		if strings.Contains(lower, word) {
			s.soldOut = text
			return
		}
	}
}

// shortText is the text below n if it is no longer than limit, else "".
func shortText(n *html.Node, limit int) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode && (d.Parent.DataAtom != atom.Script && d.Parent.DataAtom != atom.Style) {
			b.WriteString(d.Data)
			b.WriteByte(' ')
		}
		if b.Len() > 6*limit {
			return ""
		}
	}
	s := collapse(b.String())
	if len(s) > limit {
		return ""
	}
	return s
}

// hasWord reports whether name, split at everything but letters, has the word.
func hasWord(name, word string) bool {
	for _, w := range strings.FieldsFunc(name, func(r rune) bool { return r < 'a' || r > 'z' }) {
		if w == word {
			return true
		}
	}
	return false
}
