package ppt

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document/flow"
)

// raw writes a record as it stands in the stream.
func raw(kind, instance int, box bool, data ...[]byte) []byte {
	body := slices.Concat(data...)
	head := instance << 4
	if box {
		head |= 0xF
	}
	return slices.Concat(u16(head), u16(kind), u32(len(body)), body)
}

func u16(v int) []byte { return []byte{byte(v), byte(v >> 8)} }
func u32(v int) []byte { return append(u16(v), u16(v>>16)...) }

func chars(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, u16(int(u))...)
	}
	return b
}

func TestLinksLeadOutOfTheShow(t *testing.T) {
	link := func(id int, target string) []byte {
		return raw(recHyperlink, 0, true, raw(recHyperlinkID, 0, false, u32(id)), raw(recString, 0, false, chars("name")), raw(recString, 1, false, chars(target)))
	}
	show, _ := next(raw(recDocument, 0, true, raw(recObjects, 0, true,
		link(1, "https://harbour.test/"), link(2, "256,1,Slide: 1"), link(3, "mailto:a@sea.test"), raw(recHyperlink, 0, true))))
	links := readLinks(show)
	if len(links) != 2 || links[1] != "https://harbour.test/" || links[3] != "mailto:a@sea.test" {
		t.Errorf("links = %v, want the addresses of 1 and 3", links)
	}
}

func TestLinksCoverTheirStretch(t *testing.T) {
	click := func(id int) []byte { return raw(recClick, 0, true, raw(recClickInfo, 0, false, u32(0), u32(id))) }
	span := func(from, to int) []byte { return raw(recClickText, 0, false, u32(from), u32(to)) }
	for _, tc := range []struct {
		name    string
		records [][]byte
		want    string
	}{
		{"in the middle", [][]byte{click(1), span(4, 8)}, `<p>See <a href="https://a.test/">this</a> one</p>`},
		{"two", [][]byte{click(1), span(0, 3), click(2), span(4, 12)}, `<p><a href="https://a.test/">See</a> <a href="https://b.test/">this one</a></p>`},
		{"beyond the end", [][]byte{click(1), span(9, 99)}, `<p>See this <a href="https://a.test/">one</a></p>`},
		{"nothing known by that number", [][]byte{click(9), span(4, 8)}, `<p>See this one</p>`},
		{"no stretch", [][]byte{click(1)}, `<p>See this one</p>`},
		{"a stretch of its own", [][]byte{span(4, 8)}, `<p>See this one</p>`},
		{"backwards", [][]byte{click(1), span(8, 4)}, `<p>See this one</p>`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := textReader{links: map[uint32]string{1: "https://a.test/", 2: "https://b.test/"}}
			stream := slices.Concat(raw(recTextHeader, 0, false, u32(textOther)), raw(recChars, 0, false, chars("See this one")), slices.Concat(tc.records...))
			for _, rec := range children(stream) {
				r.add(rec)
			}
			w := flow.New()
			r.finish()[0].write(w)
			var b strings.Builder
			for _, n := range w.Nodes() {
				if err := html.Render(&b, n); err != nil {
					t.Fatal(err)
				}
			}
			if b.String() != tc.want {
				t.Errorf("got %s, want %s", b.String(), tc.want)
			}
		})
	}
}
