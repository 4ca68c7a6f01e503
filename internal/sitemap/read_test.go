package sitemap

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

const (
	declaration = `<?xml version="1.0" encoding="UTF-8"?>`
	namespace   = ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
)

func pack(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return b.String()
}

func inUTF16(text string) string {
	b := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return string(b)
}

func TestEveryShapeOfSitemap(t *testing.T) {
	set := declaration + `<urlset` + namespace + `><url><loc> https://a.test/1 </loc><lastmod>2026-01-01</lastmod></url>
		<url><loc><![CDATA[https://a.test/2?x=1&y=2]]></loc></url></urlset>`
	both := []Entry{{Page, "https://a.test/1"}, {Page, "https://a.test/2?x=1&y=2"}}
	for _, tc := range []struct {
		name, file string
		want       []Entry
		err        error
	}{
		{"set of addresses", set, both, nil},
		{"packed", pack(set), both, nil},
		{"packed twice", pack(pack(set)), both, nil},
		{"byte order mark", "\xef\xbb\xbf" + set, both, nil},
		{"UTF-16", inUTF16(strings.Replace(set, "UTF-8", "UTF-16", 1)), both, nil},
		{"blank lines first", "\n\n  " + set, both, nil},
		{"declared in another charset", strings.Replace(set, "UTF-8", "iso-8859-1", 1), both, nil},
		{"declared in a charset of no name", strings.Replace(set, "UTF-8", "klingon", 1), both, nil},
		{"index", declaration + `<sitemapindex` + namespace + `><sitemap><loc>https://a.test/s.xml.gz</loc></sitemap></sitemapindex>`, []Entry{{File, "https://a.test/s.xml.gz"}}, nil},
		{"set and index in one", `<urlset><url><loc>https://a.test/1</loc></url><sitemap><loc>https://a.test/s.xml</loc></sitemap></urlset>`, []Entry{{Page, "https://a.test/1"}, {File, "https://a.test/s.xml"}}, nil},
		{"escapes", `<urlset><url><loc>https://a.test/?a=1&amp;b=2</loc></url></urlset>`, []Entry{{Page, "https://a.test/?a=1&b=2"}}, nil},
		{"ampersands without escape", `<urlset><url><loc>https://a.test/?a=1&b=2</loc></url></urlset>`, []Entry{{Page, "https://a.test/?a=1&b=2"}}, nil},
		{"pictures and languages beside", `<urlset xmlns:image="i" xmlns:xhtml="x"><url><loc>https://a.test/1</loc><image:image><image:loc>https://a.test/p.png</image:loc></image:image><xhtml:link href="https://a.test/de"/></url></urlset>`, []Entry{{Page, "https://a.test/1"}}, nil},
		{"prefixed elements", `<ns0:urlset xmlns:ns0="x"><ns0:url><ns0:loc>https://a.test/1</ns0:loc></ns0:url></ns0:urlset>`, []Entry{{Page, "https://a.test/1"}}, nil},
		{"empty set", `<urlset></urlset>`, nil, nil},
		{"empty address", `<urlset><url><loc></loc></url></urlset>`, nil, nil},
		{"plain text", "https://a.test/1\r\n# comment\n\nhttps://a.test/2\n", []Entry{{Page, "https://a.test/1"}, {Page, "https://a.test/2"}}, nil},
		{"RSS", `<rss><channel><link>https://a.test/</link><item><link>https://a.test/post</link></item></channel></rss>`, []Entry{{FeedItem, "https://a.test/post"}}, nil},
		{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://a.test/"/><entry><link rel="self" href="https://a.test/x.atom"/><link href="https://a.test/post"/></entry></feed>`, []Entry{{FeedItem, "https://a.test/post"}}, nil},
		{"elements left open", `<urlset><url><loc>https://a.test/1</loc><url><loc>https://a.test/2</loc></url></urlset>`, []Entry{{Page, "https://a.test/1"}, {Page, "https://a.test/2"}}, nil},
		{"page instead", `<!doctype html><html><body><p>Not found</p></body></html>`, nil, ErrNotSitemap},
		{"other XML", `<?xml version="1.0"?><note><loc>https://a.test/</loc></note>`, nil, ErrNotSitemap},
		{"JSON", `{"urls":["https://a.test/"]}`, nil, ErrNotSitemap},
		{"nothing", "", nil, ErrNotSitemap},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []Entry
			err := Read(strings.NewReader(tc.file), Limits{}, func(e Entry) error { got = append(got, e); return nil })
			if !errors.Is(err, tc.err) || !slices.Equal(got, tc.want) {
				t.Errorf("Read = %v, %v; want %v, %v", got, err, tc.want, tc.err)
			}
		})
	}
}

func TestBrokenSitemapGivesWhatItHas(t *testing.T) {
	first := []Entry{{Page, "https://a.test/1"}}
	for _, tc := range []struct {
		name, file string
		want       []Entry
		fails      bool
	}{
		{"broken off in an address", `<urlset><url><loc>https://a.test/1</loc></url><url><loc>https://a.te`, first, false},
		{"broken off in a tag", `<urlset><url><loc>https://a.test/1</loc></url><ur`, first, true},
		{"no XML from there", `<urlset><url><loc>https://a.test/1</loc></url><<<`, first, true},
		{"gzip broken off", pack(`<urlset><url><loc>https://a.test/1</loc></url>`)[:20], nil, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []Entry
			err := Read(strings.NewReader(tc.file), Limits{}, func(e Entry) error { got = append(got, e); return nil })
			if !slices.Equal(got, tc.want) || (err != nil) != tc.fails {
				t.Errorf("Read = %v, %v; want %v, failing %v", got, err, tc.want, tc.fails)
			}
		})
	}
}

// endless is a sitemap that never ends.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	if e.n++; e.n == 1 {
		return copy(p, "<urlset>"), nil
	}
	return copy(p, fmt.Sprintf("<url><loc>https://a.test/%d</loc></url>", e.n)), nil
}

func TestLimitsHold(t *testing.T) {
	for _, tc := range []struct {
		name   string
		limits Limits
	}{
		{"entries", Limits{MaxEntries: 1000}},
		{"bytes", Limits{MaxBytes: 100_000}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := 0
			err := Read(&endless{}, tc.limits, func(Entry) error { n++; return nil })
			if !errors.Is(err, ErrTooLarge) || n < 500 {
				t.Errorf("%d entries, error %v; want many and ErrTooLarge", n, err)
			}
		})
	}
	bomb := pack("<urlset>" + strings.Repeat(" ", 8<<20))
	if err := Read(strings.NewReader(bomb), Limits{MaxBytes: 1 << 20}, func(Entry) error { return nil }); !errors.Is(err, ErrTooLarge) {
		t.Errorf("gzip bomb: %v, want ErrTooLarge", err)
	}
	deep := strings.Repeat("<url>", 1000)
	if err := Read(strings.NewReader(deep), Limits{}, func(Entry) error { return nil }); !errors.Is(err, ErrNotSitemap) {
		t.Errorf("deep nesting: %v, want ErrNotSitemap", err)
	}
}

func TestReadingEndsWhenTheReceiverWantsNoMore(t *testing.T) {
	enough := errors.New("enough")
	n := 0
	err := Read(&endless{}, Limits{}, func(Entry) error {
		if n++; n == 3 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || n != 3 {
		t.Errorf("%d entries, error %v", n, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`<urlset><url><loc>https://a.test/1</loc></url></urlset>`))
	f.Add([]byte("https://a.test/1\n"))
	f.Add([]byte(pack(`<rss><item><link>x</link></item></rss>`)))
	f.Fuzz(func(t *testing.T, file []byte) {
		_ = Read(bytes.NewReader(file), Limits{MaxBytes: 1 << 20, MaxEntries: 100}, func(e Entry) error {
			if e.Loc == "" || strings.TrimSpace(e.Loc) != e.Loc {
				t.Errorf("entry %q", e.Loc)
			}
			return nil
		})
	})
}
