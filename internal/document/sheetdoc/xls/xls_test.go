package xls

import (
	"context"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/document"
	"github.com/trawlhq/trawl/internal/document/doctest"
	"github.com/trawlhq/trawl/internal/document/sheetdoc/book"
)

// duties.xls was written with an office program from a table of our own.
func duties(t testing.TB) []byte {
	t.Helper()
	body, err := os.ReadFile("testdata/duties.xls")
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func read(body []byte) (*document.Doc, error) {
	return Read(context.Background(), document.Input{Body: body, Name: "a.xls"})
}

func TestWorkbookShowsValuesAsTheirFormatsSay(t *testing.T) {
	doc, err := read(duties(t))
	if err != nil {
		t.Fatal(err)
	}
	want := `<h2>Dues</h2>
<table><tbody><tr><th colspan="2">Ship</th><th>Paid</th><th>Share</th></tr><tr><td>Möwe</td><td>1234.5</td><td>2024-02-29</td><td>12.5%</td></tr><tr><td>Tern</td><td>2469</td><td>TERN</td></tr></tbody></table>
<h2>Remarks</h2>
<table><tbody><tr><th><a href="https://office.test/">Ask at the office</a></th></tr></tbody></table>
`
	if got := doctest.Render(doc.Root); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if doc.Meta["sheetCount"] != 2 {
		t.Errorf("sheetCount = %v, want 2", doc.Meta["sheetCount"])
	}
}

func TestStringsMayBeCutAnywhere(t *testing.T) {
	// Two texts, the second of two bytes a character and cut inside, where the
	// next record says anew how wide its characters are.
	parts := [][]byte{
		{2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 'a', 'b', 3, 0, 1, 'x', 0},
		{0, 'y', 'z'},
	}
	got := readStrings(parts)
	if strings.Join(got, ",") != "ab,xyz" {
		t.Errorf("strings = %q, want ab and xyz", got)
	}
}

func TestPackedNumbers(t *testing.T) {
	for _, tc := range []struct {
		name string
		raw  uint32
		want float64
	}{
		{"a whole number", 42<<2 | 2, 42},
		{"a whole number of hundredths", 1234<<2 | 3, 12.34},
		{"the upper half of a float", uint32(math.Float64bits(1.5) >> 32), 1.5},
		{"a negative one", 0xFFFFFFFC | 2, -1},
	} {
		if got := book.RK(tc.raw); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestReadingStopsWithItsContext(t *testing.T) { doctest.Cancelled(t, Read, duties(t)) }

func TestEveryCutOfTheWorkbookEndsWell(t *testing.T) { doctest.Cuts(t, Read, duties(t), 97) }

func FuzzRead(f *testing.F) { doctest.Fuzz(f, Read, duties(f)) }
