package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Marker is how a list item begins.
type Marker struct {
	Text    string // as printed: "•", "3.", "(b)"
	Ordered bool
	Indent  float64 // where the mark stands
}

const bullets = "•◦▪▫●○■□►▶➢➤✓✔❖‣⁃∙·–—-*o§"

// markerOf finds the mark at the start of a line. It must be a word of its own,
// followed by text.
func markerOf(l Line) (Marker, bool) {
	if len(l.Words) < 2 {
		return Marker{}, false
	}
	first := l.Words[0]
	n := markerLength(first.Text)
	if n == 0 || n != len(first.Text) {
		return Marker{}, false
	}
	gap := (l.Words[1].Box.X0 - first.Box.X1) / l.Size
	r, _ := utf8.DecodeRuneInString(first.Text)
	ordered := unicode.IsDigit(r) || unicode.IsLetter(r) && r != 'o' || r == '('
	if gap < 0.1 || strings.ContainsRune("–—-*o§·", r) && len(l.Words) < 3 && gap < 0.3 {
		return Marker{}, false
	}
	return Marker{Text: first.Text, Ordered: ordered, Indent: first.Box.X0}, true
}

// joinMarks joins the mark of a list item with the text it stands before.
func joinMarks(segments []Line) []Line {
	out := segments[:0:0]
	for _, s := range segments {
		if n := len(out); n > 0 && isMarkerLine(out[n-1]) && s.Box.X0-out[n-1].Box.X1 < 5*s.Size {
			out[n-1] = lineOf(append(append([]Word(nil), out[n-1].Words...), s.Words...))
			continue
		}
		out = append(out, s)
	}
	return out
}

// markerLength is how many bytes of a word are the mark of a list item; zero:
// none.
func markerLength(s string) int {
	r, size := utf8.DecodeRuneInString(s)
	if strings.ContainsRune(bullets, r) && len(s) == size {
		return size
	}
	body := strings.TrimPrefix(s, "(")
	end := strings.TrimRight(body, ".)")
	if end == body || len(body)-len(end) > 1 || end == "" || len(end) > 4 {
		return 0
	}
	if digitsOnly(end) && len(end) <= 3 {
		return len(s)
	}
	if len(end) == 1 && unicode.IsLower(rune(end[0])) {
		return len(s)
	}
	if romanOnly(end) && (strings.HasPrefix(s, "(") || strings.HasSuffix(s, ")")) {
		return len(s)
	}
	return 0
}

func digitsOnly(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func romanOnly(s string) bool {
	return s != "" && (strings.Trim(s, "ivx") == "" || strings.Trim(s, "IVX") == "")
}
