package ppt

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/doctest"
	"github.com/trawlhq/trawl/internal/document/flow"
)

// show.ppt was written with an office program from a text of our own. It is
// mostly empty, hence packed.
func show(t testing.TB) []byte {
	t.Helper()
	packed, err := os.ReadFile("testdata/show.ppt.gz")
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func read(body []byte) (*document.Doc, error) {
	return Read(context.Background(), document.Input{Body: body, Name: "a.ppt"})
}

func TestShowKeepsTitleBulletsAndNotes(t *testing.T) {
	doc, err := read(show(t))
	if err != nil {
		t.Fatal(err)
	}
	want := "<h2>Weather at sea</h2>\n<ul><li>Wind from the west</li><li>Rain by night</li></ul>\n" +
		"<p>Plain remark.</p>\n<p>Speak slowly.</p>\n"
	if got := doctest.Render(doc.Root); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if doc.Meta["slideCount"] != 1 {
		t.Errorf("slideCount = %v, want 1", doc.Meta["slideCount"])
	}
}

func TestCellsAreLaidOutByTheirEdges(t *testing.T) {
	say := func(s string, a area) shape {
		return shape{text: text{kind: textOther, known: true, chars: s}, area: a}
	}
	tbl := &table{cells: []shape{
		say("Sea", area{0, 0, 20, 10}), say("West", area{0, 10, 10, 20}), say("East", area{10, 10, 20, 20}),
	}}
	var b strings.Builder
	for k := tbl.node().FirstChild.FirstChild; k != nil; k = k.NextSibling {
		for c := k.FirstChild; c != nil; c = c.NextSibling {
			b.WriteString(c.FirstChild.Data)
			for _, a := range c.Attr {
				b.WriteString(" " + a.Key + "=" + a.Val)
			}
			b.WriteByte(';')
		}
	}
	if got, want := b.String(), "Sea colspan=2;West;East;"; got != want {
		t.Errorf("cells = %q, want %q", got, want)
	}
}

func TestReadingStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, document.Input{Body: show(t)}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context.Canceled", err)
	}
}

func TestEveryCutOfTheShowEndsWell(t *testing.T) {
	body := show(t)
	for n := 0; n < len(body); n += 9973 {
		if _, err := read(body[:n]); err != nil && strings.Contains(err.Error(), "panic:") {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(show(f))
	f.Fuzz(func(t *testing.T, body []byte) {
		if _, err := read(body); err != nil && strings.Contains(err.Error(), "panic:") {
			t.Error(err)
		}
	})
}

func TestNumbersAreKeptApartFromTheText(t *testing.T) {
	entries := []byte{
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // says nothing
		0, 0, 0, 3, 1, 0, 3, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, // numbered, from 4
	}
	txt := text{kind: textBody, known: true, chars: "a\rb\rc", numbers: readNumbers(entries),
		spans: []charRun{{from: 0, to: 4, number: 1}, {from: 4, to: 6}}}
	w := flow.New()
	txt.write(w)
	var b strings.Builder
	for _, n := range w.Nodes() {
		if err := html.Render(&b, n); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := b.String(), `<ol start="4"><li>a</li><li>b</li></ol><ul><li>c</li></ul>`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
