package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/document/fault"
)

func pack(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, body := range files {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(body))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func limitOf(err error) string {
	var own *trawl.Error
	if !errors.As(err, &own) {
		return ""
	}
	d, _ := own.Details.(fault.Details)
	return d.Limit
}

func TestNamesAreFoundWhateverTheirCase(t *testing.T) {
	a, err := Open(pack(t, map[string]string{`Word\Document.XML`: "x", "../escape": "y", "/abs": "z"}), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"word/document.xml": true, "/word/document.xml": true, "abs": true, "escape": false, "../escape": false} {
		if got := a.Has(name); got != want {
			t.Errorf("Has(%q) = %v, want %v", name, got, want)
		}
	}
	if _, err := a.Read("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("err = %v, want fs.ErrNotExist", err)
	}
}

func TestLimits(t *testing.T) {
	bomb := pack(t, map[string]string{"a": strings.Repeat("0", 40<<20)})
	many := map[string]string{}
	for i := range 20 {
		many[fmt.Sprint(i)] = "x"
	}
	for _, tc := range []struct {
		name   string
		body   []byte
		limits Limits
		want   string
	}{
		{"more bytes than allowed", bomb, Limits{Bytes: 1 << 20, Ratio: 1 << 40}, "decompressed size"},
		{"a part too large to be read whole", bomb, Limits{Whole: 1 << 20}, "size of a part"},
		{"packed too well", bomb, Limits{}, "compression ratio"},
		{"more entries than allowed", pack(t, many), Limits{Entries: 10}, "archive entries"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, err := Open(tc.body, tc.limits)
			if err == nil {
				_, err = a.Read("a")
			}
			if got := limitOf(err); got != tc.want {
				t.Errorf("limit = %q (%v), want %q", got, err, tc.want)
			}
		})
	}
}

func TestEntriesOfACutFileAreFound(t *testing.T) {
	body := pack(t, map[string]string{"word/document.xml": strings.Repeat("The sea is wide. ", 500)})
	cut := body[:len(body)-60] // the directory at the end is gone
	a, err := Open(cut, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := a.Read("word/document.xml")
	if err != nil || !strings.HasPrefix(string(got), "The sea is wide.") {
		t.Errorf("read %.40q, %v", got, err)
	}
}

func TestBytesThatAreNoArchive(t *testing.T) {
	for _, body := range []string{"", "x", "PK", "%PDF-1.4"} {
		if _, err := Open([]byte(body), Limits{}); err == nil {
			t.Errorf("%q opened", body)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(pack(f, map[string]string{"a": "b", "c/d": "e"}))
	f.Add([]byte("PK\x03\x04\x14\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, body []byte) {
		a, err := Open(body, Limits{Bytes: 1 << 20})
		if err != nil {
			return
		}
		for _, name := range a.Names() {
			_, _ = a.Read(name) // only that it ends
		}
	})
}
