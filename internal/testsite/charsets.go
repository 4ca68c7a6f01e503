package testsite

import (
	"net/http"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// The sentences that must come out whole, whatever the bytes were.
const (
	russianText  = "Часы на таможне отстают на одиннадцать минут."
	japaneseText = "税関の時計は十一分遅れている。"
	chineseText  = "海关的钟慢了十一分钟。"
	germanText   = "Die Uhr am Zollhaus geht elf Minuten später – für 5 €."
)

// charsetPages are the same sentence in other encodings, declared in the header,
// in the page, wrongly, or not at all.
func charsetPages() []Page {
	cyrillic, sjis, gbk, latin := charmap.Windows1251, japanese.ShiftJIS, simplifiedchinese.GBK, charmap.Windows1252
	utf16 := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	return []Page{
		{Path: "/charset/windows-1251", About: "windows-1251, said by the header", serve: encoded(cyrillic, "text/html; charset=windows-1251", "", russianText)},
		{Path: "/charset/windows-1251-meta", About: "windows-1251, said by the page only", serve: encoded(cyrillic, "text/html", "windows-1251", russianText)},
		{Path: "/charset/windows-1251-silent", About: "windows-1251, said by nobody", serve: encoded(cyrillic, "text/html", "", russianText)},
		{Path: "/charset/windows-1251-as-utf-8", About: "windows-1251, the header claims UTF-8", serve: encoded(cyrillic, "text/html; charset=utf-8", "", russianText)},
		{Path: "/charset/shift_jis", About: "Shift_JIS, said by the header", serve: encoded(sjis, "text/html; charset=Shift_JIS", "", japaneseText)},
		{Path: "/charset/shift_jis-meta", About: "Shift_JIS, said by the page only", serve: encoded(sjis, "text/html", "shift_jis", japaneseText)},
		{Path: "/charset/gbk-as-gb2312", About: "GBK, called gb2312", serve: encoded(gbk, "text/html; charset=gb2312", "", chineseText)},
		{Path: "/charset/latin-1", About: "windows-1252, called iso-8859-1", serve: encoded(latin, "text/html; charset=iso-8859-1", "", germanText)},
		{Path: "/charset/utf-16", About: "UTF-16 with a byte order mark", serve: encoded(utf16, "text/html", "", germanText)},
		{Path: "/charset/utf-8-bom", About: "UTF-8 with a byte order mark, the header claims latin-1", serve: encoded(unicode.UTF8BOM, "text/html; charset=iso-8859-1", "", germanText)},
		{Path: "/charset/utf-8-as-latin-1", About: "UTF-8, the page claims latin-1", serve: encoded(unicode.UTF8, "text/html; charset=utf-8", "iso-8859-1", germanText)},
		{Path: "/charset/unknown", About: "UTF-8, under a name that does not exist", serve: encoded(unicode.UTF8, "text/html; charset=utf-nine", "", germanText)},
		{Path: "/charset/nul", About: "NUL bytes between the letters and in a tag", serve: body("text/html; charset=utf-8",
			[]byte("<!DOCTYPE html><title>N\x00UL</title><h1>Before\x00after</h1><p cl\x00ass=\"a\">still here</p>"))},
		{Path: "/charset/invalid-utf-8", About: "UTF-8 with broken sequences", serve: body("text/html; charset=utf-8",
			[]byte("<!DOCTYPE html><title>Broken</title><p>good \xc3\x28 bad \xff\xfe end</p>"))},
	}
}

// encoded serves a page whose text is the sentence a few times over (detection
// needs some to go by), converted to enc.
func encoded(enc encoding.Encoding, contentType, meta, sentence string) http.HandlerFunc {
	head := ""
	if meta != "" {
		head = `<meta charset="` + meta + `">`
	}
	page := "<!DOCTYPE html><html><head>" + head + "<title>" + sentence + "</title></head><body><h1>" + sentence + "</h1>"
	for range 5 {
		page += "<p>" + sentence + "</p>"
	}
	page += "</body></html>"
	content, err := enc.NewEncoder().Bytes([]byte(page))
	if err != nil {
		return func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}
	return body(contentType, content)
}
