package ppt

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"slices"
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

func TestCellsAreLaidOutByTheirEdgesAndFillThem(t *testing.T) {
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
	if got, want := b.String(), "Sea;Sea;West;East;"; got != want {
		t.Errorf("cells = %q, want %q", got, want)
	}
}

func TestSlidesAreReadFromTopToBottom(t *testing.T) {
	at := func(left, top int) shape {
		return shape{place: area{left: left, top: top, right: left + 10, bottom: top + 10}}
	}
	for _, tc := range []struct {
		name   string
		shapes []shape
		want   []int // places in shapes
	}{
		{"one above the other", []shape{at(0, 900), at(0, 300)}, []int{1, 0}},
		{"side by side, though not quite level", []shape{at(500, 300), at(100, 320)}, []int{1, 0}},
		{"lines of two", []shape{at(0, 900), at(500, 910), at(500, 300), at(0, 310)}, []int{3, 2, 0, 1}},
		{"a shape that is nowhere", []shape{{}, at(500, 300)}, []int{1, 0}},
		{"the same place twice", []shape{at(0, 300), at(0, 300)}, []int{0, 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for i := range tc.shapes {
				tc.shapes[i].kind = i
			}
			d := &drawing{shapes: tc.shapes}
			d.arrange()
			var got []int
			for _, s := range d.shapes {
				got = append(got, s.kind)
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("order = %v, want %v", got, tc.want)
			}
		})
	}
}

func TestAnchorsHaveShortOrLongEdges(t *testing.T) {
	want := area{left: 2, top: -1, right: 3, bottom: 4}
	short := []byte{0xFF, 0xFF, 2, 0, 3, 0, 4, 0}
	long := []byte{0xFF, 0xFF, 0xFF, 0xFF, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}
	for _, b := range [][]byte{short, long} {
		if got := anchor(b); got != want {
			t.Errorf("anchor(%v) = %+v, want %+v", b, got, want)
		}
	}
	if got := anchor([]byte{1, 2}); got != (area{}) {
		t.Errorf("an anchor that is cut off = %+v, want none", got)
	}
}

func TestReadingStopsWithItsContext(t *testing.T) { doctest.Cancelled(t, Read, show(t)) }

func TestEveryCutOfTheShowEndsWell(t *testing.T) { doctest.Cuts(t, Read, show(t), 9973) }

func FuzzRead(f *testing.F) { doctest.Fuzz(f, Read, show(f)) }

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
