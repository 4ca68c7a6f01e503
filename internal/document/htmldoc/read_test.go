package htmldoc_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"github.com/trawlhq/trawl/internal/document/htmldoc"
)

func TestCharsets(t *testing.T) {
	encoded := func(enc interface{ String(string) (string, error) }, s string) []byte {
		t.Helper()
		out, err := enc.String(s)
		if err != nil {
			t.Fatal(err)
		}
		return []byte(out)
	}
	const german = "Über Größe und Maß"
	for _, tc := range []struct {
		name, contentType string
		body              []byte
		want              string
	}{
		{"named in the header", "text/html; charset=iso-8859-1", encoded(charmap.ISO8859_1.NewEncoder(), "<title>"+german+"</title>"), german},
		{"named in the page", "text/html", encoded(charmap.Windows1252.NewEncoder(), `<meta charset="windows-1252"><title>`+german+`</title>`), german},
		{"UTF-8 although the header says otherwise", "text/html; charset=iso-8859-1", []byte("<title>" + german + "</title>"), german},
		{"byte order mark", "text/html", []byte("\xef\xbb\xbf<title>" + german + "</title>"), german},
		{"UTF-16", "text/html", encoded(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder(), "<title>"+german+"</title>"), german},
		{"guessed", "text/html", encoded(japanese.ShiftJIS.NewEncoder(), "<title>日本語の題名</title><p>これは日本語で書かれた文章です。文字コードは宣言されていません。</p>"), "日本語の題名"},
		{"UTF-8 with a broken byte", "text/html; charset=utf-8", []byte("<title>" + german + " \xff</title>"), german + " \uFFFD"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc, err := htmldoc.Read(tc.body, tc.contentType, address)
			if err != nil {
				t.Fatal(err)
			}
			if doc.Title != tc.want {
				t.Errorf("title %q, want %q", doc.Title, tc.want)
			}
		})
	}
}

func TestMetadata(t *testing.T) {
	doc, err := htmldoc.Read([]byte(`<html lang="de"><head><title> A  title </title><base href="https://base.test/x/">
		<meta name="description" content="one"><meta name="description" content="two"><meta name="Keywords" content="k">
		<meta property="og:title" content="OG"><meta property="og:locale:alternate" content="fr"><meta property="og:locale:alternate" content="it">
		<meta property="article:published_time" content="2024-01-02"><meta name="DCTERMS.created" content="c">
		<meta name="custom" content="1"><meta name="custom" content="2"><meta itemprop="thing" content="t"><meta name="empty" content="">
		<link rel="shortcut icon" href="icon.png"></head><body><a rel="author">Ann</a></body></html>`), "", address)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"title": "A title", "language": "de", "description": "one, two", "keywords": "k", "ogTitle": "OG", "ogLocaleAlternate": []string{"fr", "it"},
		"publishedTime": "2024-01-02", "dcTermsCreated": "c", "custom": []string{"1", "2"}, "thing": "t", "favicon": "https://base.test/x/icon.png", "author": "Ann",
	}
	if diff := cmp.Diff(want, doc.Meta); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	if got := doc.Base.String(); got != "https://base.test/x/" {
		t.Errorf("base %s", got)
	}
}

func TestDatesAndAuthorFromStructuredData(t *testing.T) {
	doc, err := htmldoc.Read([]byte(`<script type="application/ld+json">{"@graph":[{"@type":"NewsArticle","headline":"H","datePublished":"2023-05-06","author":[{"name":"Bo"}]}]}</script>`), "", address)
	if err != nil {
		t.Fatal(err)
	}
	if doc.Meta["publishedTime"] != "2023-05-06" || doc.Meta["author"] != "Bo" {
		t.Errorf("metadata %v", doc.Meta)
	}
}
