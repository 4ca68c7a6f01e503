package api

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"hash/crc32"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
)

func packed(t *testing.T, text string) *trawl.Packed {
	t.Helper()
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return &trawl.Packed{Deflate: out.Bytes(), Size: len(text), Sum: crc32.ChecksumIEEE([]byte(text))}
}

func TestTextAroundCompressedDocumentsIsOneGzipFile(t *testing.T) {
	long := strings.Repeat("a long text, ", 20_000)
	for _, tc := range []struct{ name, head, middle, tail string }{
		{"short ends", `{"data":[`, `{"markdown":"# A"},{"markdown":"# B"}`, "]}\n"},
		{"nothing in the middle", `{"data":[`, ``, "]}\n"},
		{"ends longer than a block", long, long, long},
		{"no end", "a", "b", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			file := bytes.Join(gzipAround([]byte(tc.head), packed(t, tc.middle), []byte(tc.tail)), nil)
			r, err := gzip.NewReader(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			r.Multistream(false)
			text, err := io.ReadAll(r) // checks sum and length
			if err != nil {
				t.Fatal(err)
			}
			if want := tc.head + tc.middle + tc.tail; string(text) != want {
				t.Errorf("unpacked to %d bytes, want %d", len(text), len(want))
			}
		})
	}
}

func TestGzipIsSentToThoseWhoTakeIt(t *testing.T) {
	for header, want := range map[string]bool{
		"": false, "gzip": true, "gzip, compress, deflate, br": true, "br, GZIP;q=0.5": true, "gzip;q=0": false, "gzip; q=0.0, br": false, "identity": false,
	} {
		r := &http.Request{Header: http.Header{"Accept-Encoding": {header}}}
		if got := takesGzip(r); got != want {
			t.Errorf("%q takes gzip: %v, want %v", header, got, want)
		}
	}
}

func FuzzSumsOfPartsGiveTheSumOfTheWhole(f *testing.F) {
	f.Add([]byte("head"), []byte("middle"))
	f.Add([]byte{}, []byte{0})
	f.Fuzz(func(t *testing.T, first, second []byte) {
		want := crc32.ChecksumIEEE(append(bytes.Clone(first), second...))
		if got := joinSums(crc32.ChecksumIEEE(first), crc32.ChecksumIEEE(second), len(second)); got != want {
			t.Errorf("sum is %x, want %x", got, want)
		}
	})
}
