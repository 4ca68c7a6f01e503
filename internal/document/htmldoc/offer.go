package htmldoc

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl"
)

// unseparated writes a word of schema.org without what people put between its parts.
var unseparated = strings.NewReplacer(" ", "", "_", "", "-", "")

// offerPrice reads the price of an offer: its own, that of its specification,
// or the lower end of a range.
func offerPrice(offer thing) *trawl.Price {
	currency := offer.text("priceCurrency")
	if p := readPrice(offer.text("price"), currency); p != nil {
		return p
	}
	for _, spec := range offer.things("priceSpecification") {
		if isListPrice(spec) {
			continue
		}
		if p := readPrice(spec.text("price", "minPrice"), first(spec.text("priceCurrency"), currency)); p != nil {
			return p
		}
	}
	return readPrice(offer.text("lowPrice", "highPrice"), currency)
}

// listPrice reads what an offer cost before.
func listPrice(offer thing) *trawl.Price {
	for _, spec := range offer.things("priceSpecification") {
		if isListPrice(spec) {
			return readPrice(spec.text("price"), first(spec.text("priceCurrency"), offer.text("priceCurrency")))
		}
	}
	return nil
}

func isListPrice(spec thing) bool {
	kind := spec.text("priceType")
	return strings.HasSuffix(kind, "ListPrice") || strings.HasSuffix(kind, "StrikethroughPrice") || strings.HasSuffix(kind, "SRP")
}

// readPrice reads an amount as shops write it: 1,299.00 or 1.299,00 or 1 299.
// It gives nil where there is no number or nothing to pay.
func readPrice(s, currency string) *trawl.Price {
	s = strings.TrimSpace(s)
	number := priceNumber(s)
	if number == "" {
		return nil
	}
	amount, err := strconv.ParseFloat(number, 64)
	if err != nil || amount <= 0 {
		return nil
	}
	if currency == "" {
		currency = currencyIn(s)
	}
	p := &trawl.Price{Amount: amount, Currency: currency}
	if s != number {
		p.Formatted = s
	}
	return p
}

// priceNumber takes the first number out of a text and writes it with a dot.
func priceNumber(s string) string {
	start := strings.IndexAny(s, "0123456789")
	if start < 0 {
		return ""
	}
	end := start
	for end < len(s) {
		c := s[end]
		if c >= '0' && c <= '9' {
			end++
			continue
		}
		size := groupMark(s[end:])
		if size == 0 || end+size >= len(s) || s[end+size] < '0' || s[end+size] > '9' {
			break
		}
		end += size
	}
	return decimal(s[start:end])
}

// groupMark is the length of a mark that can stand inside a number.
func groupMark(s string) int {
	switch {
	case s[0] == '.' || s[0] == ',' || s[0] == '\'' || s[0] == ' ':
		return 1
	case strings.HasPrefix(s, "\u00a0"), strings.HasPrefix(s, "\u202f"), strings.HasPrefix(s, "\u2009"), strings.HasPrefix(s, "’"):
		return strings.IndexAny(s, "0123456789")
	}
	return 0
}

// decimal tells the mark before cents from the marks between thousands: it is
// the last one, it stands alone, and one or two digits follow it.
func decimal(s string) string {
	last := strings.LastIndexAny(s, ".,")
	point := -1
	if last >= 0 {
		after := len(s) - last - 1
		same := strings.Count(s, s[last:last+1])
		if after != 3 && same == 1 || after == 3 && s[:last] == "0" {
			point = last
		}
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] >= '0' && s[i] <= '9':
			b.WriteByte(s[i])
		case i == point:
			b.WriteByte('.')
		}
	}
	return b.String()
}

// currencyIn finds the sign or code of a currency in a price.
func currencyIn(s string) string {
	for _, c := range currencies {
		if strings.Contains(s, c.sign) {
			return c.code
		}
	}
	return ""
}

var currencies = []struct{ sign, code string }{
	{"US$", "USD"}, {"R$", "BRL"}, {"C$", "CAD"}, {"A$", "AUD"}, {"NT$", "TWD"}, {"HK$", "HKD"}, {"€", "EUR"}, {"£", "GBP"}, {"¥", "JPY"},
	{"₹", "INR"}, {"₽", "RUB"}, {"₩", "KRW"}, {"₺", "TRY"}, {"₴", "UAH"}, {"zł", "PLN"}, {"Kč", "CZK"}, {"CHF", "CHF"}, {"EUR", "EUR"},
	{"USD", "USD"}, {"GBP", "GBP"}, {"kr", "SEK"}, {"Ft", "HUF"}, {"lei", "RON"}, {"Rs", "INR"}, {"руб", "RUB"}, {"$", "USD"},
}

// readAvailability reads a schema.org availability or words to the same end.
// Without any, a thing that is offered is taken as in stock.
func readAvailability(s string) trawl.Availability {
	text := s[strings.LastIndexByte(s, '/')+1:]
	flat := strings.ToLower(unseparated.Replace(text))
	switch flat {
	case "outofstock", "soldout", "discontinued", "oos", "unavailable", "notavailable", "outstock":
		return trawl.Availability{Text: text}
	}
	return trawl.Availability{InStock: true, Text: text}
}

// plainText drops the markup that descriptions in structured data often carry.
func plainText(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	root, err := html.Parse(strings.NewReader(s))
	if err != nil {
		return s
	}
	return collapse(shownText(root))
}
