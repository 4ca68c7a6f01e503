// Package codepage decodes text of the time before Unicode, by the numbers that
// Windows gives to code pages and to the character sets of fonts.
package codepage

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// Western is the code page of files that name none.
const Western = 1252

// Decode turns bytes of a code page into text. An unknown page is taken for
// Western.
func Decode(page int, raw []byte) string {
	text, err := encodingOf(page).NewDecoder().Bytes(raw)
	if err != nil {
		return string(raw)
	}
	return string(text)
}

func encodingOf(page int) encoding.Encoding {
	switch page {
	case 437:
		return charmap.CodePage437
	case 850:
		return charmap.CodePage850
	case 852:
		return charmap.CodePage852
	case 866:
		return charmap.CodePage866
	case 874:
		return charmap.Windows874
	case 932:
		return japanese.ShiftJIS
	case 936:
		return simplifiedchinese.GBK
	case 949:
		return korean.EUCKR
	case 950:
		return traditionalchinese.Big5
	case 1250:
		return charmap.Windows1250
	case 1251:
		return charmap.Windows1251
	case 1253:
		return charmap.Windows1253
	case 1254:
		return charmap.Windows1254
	case 1255:
		return charmap.Windows1255
	case 1256:
		return charmap.Windows1256
	case 1257:
		return charmap.Windows1257
	case 1258:
		return charmap.Windows1258
	case 10000:
		return charmap.Macintosh
	case 10007:
		return charmap.MacintoshCyrillic
	case 20866:
		return charmap.KOI8R
	case 54936:
		return simplifiedchinese.GB18030
	case 65001:
		return unicode.UTF8
	case 1200:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	}
	return charmap.Windows1252
}

// OfCharset gives the code page of a font's character set; 0 for sets that say
// nothing about it.
func OfCharset(charset int) int {
	switch charset {
	case 0:
		return Western
	case 77:
		return 10000
	case 128:
		return 932
	case 129:
		return 949
	case 134:
		return 936
	case 136:
		return 950
	case 161:
		return 1253
	case 162:
		return 1254
	case 163:
		return 1258
	case 177:
		return 1255
	case 178:
		return 1256
	case 186:
		return 1257
	case 204:
		return 1251
	case 222:
		return 874
	case 238:
		return 1250
	}
	return 0
}
