package htmldoc

import (
	"bytes"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// sampleSize is how much of a page is looked at to guess its charset.
const sampleSize = 64 << 10

// decode gives the page as UTF-8. In order of trust: a byte order mark, bytes
// that are valid UTF-8 whatever was declared, the declared charset (header,
// then <meta>), a guess from the bytes.
func decode(body []byte, contentType string) []byte {
	if rest, ok := bytes.CutPrefix(body, []byte("\xef\xbb\xbf")); ok {
		return rest
	}
	if !hasUTF16Mark(body) && utf8.Valid(body) {
		return body
	}
	enc, name, certain := charset.DetermineEncoding(body, contentType)
	if name == "utf-8" {
		if mostlyUTF8(body) {
			return bytes.ToValidUTF8(body, []byte("\uFFFD"))
		}
		certain = false
	}
	if !certain {
		if guess := guessEncoding(body); guess != nil {
			enc = guess
		}
	}
	out, err := enc.NewDecoder().Bytes(body)
	if err != nil {
		return bytes.ToValidUTF8(body, []byte("\uFFFD"))
	}
	return bytes.TrimPrefix(out, []byte("\uFEFF")) // what is left of a UTF-16 mark
}

func hasUTF16Mark(body []byte) bool {
	return bytes.HasPrefix(body, []byte{0xFE, 0xFF}) || bytes.HasPrefix(body, []byte{0xFF, 0xFE})
}

// mostlyUTF8 reports whether a page that says it is UTF-8 is just broken in
// places, as opposed to being something else altogether.
func mostlyUTF8(body []byte) bool {
	good, bad := 0, 0
	for len(body) > 0 {
		if body[0] < utf8.RuneSelf {
			body = body[1:]
			continue
		}
		r, size := utf8.DecodeRune(body)
		if r == utf8.RuneError && size == 1 {
			bad++
		} else {
			good++
		}
		body = body[size:]
	}
	return good > 4*bad
}

// guessEncoding looks at the bytes outside ASCII. They are few on most pages,
// so the sample begins where the first of them stands.
func guessEncoding(body []byte) encoding.Encoding {
	start := bytes.IndexFunc(body, func(r rune) bool { return r >= utf8.RuneSelf })
	if start < 0 {
		return nil
	}
	sample := body[start:min(len(body), start+sampleSize)]
	result := chardet.Detect(sample)
	if result.Confidence < 0.5 {
		return nil
	}
	enc, _ := charset.Lookup(result.Encoding)
	return enc
}
