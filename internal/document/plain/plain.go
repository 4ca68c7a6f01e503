// Package plain decodes the bytes of text files, which do not say how they are
// encoded.
package plain

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/unicode"
)

// lineFeeds writes every kind of line end as a line feed.
var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

const sample = 64 << 10

// Decode turns the bytes of a text file into text: by its byte order mark, as
// UTF-8 if it is valid, by the charset of the declared type, or by looking at
// the letters. Line ends become plain line feeds.
func Decode(body []byte, contentType string) string {
	return lines(decode(body, contentType))
}

func decode(body []byte, contentType string) string {
	switch {
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return string(bytes.ToValidUTF8(body[3:], []byte("\uFFFD")))
	case bytes.HasPrefix(body, []byte("\xff\xfe")), bytes.HasPrefix(body, []byte("\xfe\xff")):
		if text, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(body); err == nil {
			return string(text)
		}
	case isWide(body):
		order := unicode.LittleEndian
		if body[0] == 0 {
			order = unicode.BigEndian
		}
		if text, err := unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder().Bytes(body); err == nil {
			return string(text)
		}
	case utf8.Valid(body):
		return string(body)
	}
	if text, ok := as(declared(contentType), body); ok {
		return text
	}
	guess := chardet.Detect(body[:min(len(body), sample)])
	if text, ok := as(guess.Encoding, body); ok {
		return text
	}
	text, _ := as("windows-1252", body)
	return text
}

// isWide tells whether every other byte of the beginning is zero.
func isWide(body []byte) bool {
	if len(body) < 4 {
		return false
	}
	zeros := 0
	head := body[:min(len(body)&^1, 64)]
	for i := 0; i < len(head); i += 2 {
		if (head[i] == 0) != (head[i+1] == 0) {
			zeros++
		}
	}
	return zeros*2 == len(head)
}

func declared(contentType string) string {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return ""
	}
	return params["charset"]
}

func as(label string, body []byte) (string, bool) {
	enc, _ := charset.Lookup(label)
	if label == "" || enc == nil {
		return "", false
	}
	text, err := enc.NewDecoder().Bytes(body)
	if err != nil {
		return "", false
	}
	return string(text), true
}

func lines(s string) string {
	if !strings.ContainsRune(s, '\r') {
		return s
	}
	return lineFeeds.Replace(s)
}
