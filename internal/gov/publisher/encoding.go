package publisher

import (
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// toUTF8 reads bytes that are not UTF-8 as Windows-1252, the encoding of the
// older files of cities and legislatures.
func toUTF8(body []byte) string {
	if utf8.Valid(body) {
		return string(body)
	}
	out, err := charmap.Windows1252.NewDecoder().Bytes(body)
	if err != nil {
		return string(body)
	}
	return string(out)
}
