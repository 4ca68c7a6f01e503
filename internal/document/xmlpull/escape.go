package xmlpull

import (
	"bytes"
	"io"
	"strconv"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/unicode"
)

// unescape resolves character references. Bytes without any come back as they
// are, without a copy.
func unescape(raw []byte) []byte {
	amp := bytes.IndexByte(raw, '&')
	if amp < 0 {
		return raw
	}
	out := append(make([]byte, 0, len(raw)), raw[:amp]...)
	for raw = raw[amp:]; len(raw) > 0; {
		semi := bytes.IndexByte(raw, ';')
		if raw[0] != '&' || semi < 0 || semi > 12 {
			next := nextAmp(raw)
			out, raw = append(out, raw[:next]...), raw[next:]
			continue
		}
		out = appendEntity(out, raw[:semi+1])
		raw = raw[semi+1:]
	}
	return out
}

func nextAmp(raw []byte) int {
	if i := bytes.IndexByte(raw[1:], '&'); i >= 0 {
		return i + 1
	}
	return len(raw)
}

// appendEntity resolves one reference such as "&lt;" or "&#x41;". EPUB pages
// use the names of HTML, so those are known too; others stay as written.
func appendEntity(out, ref []byte) []byte {
	body := ref[1 : len(ref)-1]
	switch string(body) {
	case "lt":
		return append(out, '<')
	case "gt":
		return append(out, '>')
	case "amp":
		return append(out, '&')
	case "quot":
		return append(out, '"')
	case "apos":
		return append(out, '\'')
	}
	if len(body) < 2 || body[0] != '#' {
		return append(out, html.UnescapeString(string(ref))...)
	}
	digits, base := body[1:], 10
	if digits[0] == 'x' || digits[0] == 'X' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(string(digits), base, 32)
	if err != nil || n == 0 || !utf8.ValidRune(rune(n)) {
		return out
	}
	return utf8.AppendRune(out, rune(n))
}

// decoded turns a document in another encoding into UTF-8, going by its byte
// order mark or its XML declaration.
func decoded(r io.Reader) io.Reader {
	head := make([]byte, 256)
	n, err := io.ReadFull(r, head)
	head = head[:n]
	whole := io.MultiReader(bytes.NewReader(head), r)
	if err != nil {
		whole = io.MultiReader(bytes.NewReader(head), failed{err})
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		_, _ = io.CopyN(io.Discard, whole, 3) // held in memory: cannot fail
		return whole
	case hasUTF16Start(head):
		order := unicode.BigEndian
		if head[0] == 0xff || head[1] == 0 {
			order = unicode.LittleEndian
		}
		return unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(whole)
	}
	label := declaredEncoding(head)
	if label == "" {
		return whole
	}
	if other, err := charset.NewReaderLabel(label, whole); err == nil {
		return other
	}
	return whole
}

func hasUTF16Start(head []byte) bool {
	return len(head) >= 2 && (head[0] == 0xff && head[1] == 0xfe || head[0] == 0xfe && head[1] == 0xff ||
		head[0] == '<' && head[1] == 0 || head[0] == 0 && head[1] == '<')
}

// declaredEncoding reads the encoding of an XML declaration; UTF-8 and none at
// all both give "".
func declaredEncoding(head []byte) string {
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	decl, _, _ := bytes.Cut(head, []byte("?>"))
	_, after, ok := bytes.Cut(decl, []byte("encoding="))
	if !ok || len(after) < 2 {
		return ""
	}
	label, _, _ := bytes.Cut(after[1:], after[:1])
	if bytes.EqualFold(label, []byte("utf-8")) || bytes.EqualFold(label, []byte("utf-16")) {
		return ""
	}
	return string(label)
}

// failed ends a reader with the error that was met while looking ahead.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) {
	if f.err == io.ErrUnexpectedEOF {
		return 0, io.EOF
	}
	return 0, f.err
}
