// Package doctest is for the tests of readers: cases that are one text file
// each, with the parts of the input and the tree that should come out.
//
// A case looks like this; the first line says what it shows. The parts are put
// into a zip file under their names, except that a single part called "input"
// is the file itself.
//
//	A deleted word is gone.
//	-- word/document.xml --
//	<w:document>…</w:document>
//	-- want --
//	<p>What is left.</p>
//
// Run with -update, a test writes what came out into the wanted part.
package doctest

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/internal/document"
)

var update = flag.Bool("update", false, "write what came out into the cases")

const wantName = "want"

// Reader is a reader under test.
type Reader func(ctx context.Context, in document.Input) (*document.Doc, error)

// Cases runs every case in the folder testdata. Where the reader gives an error,
// its text is what came out.
func Cases(t *testing.T, read Reader) {
	t.Helper()
	for _, path := range paths(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			runCase(t, path, read)
		})
	}
}

// Cancelled tells whether a reader gives up when its time is over. It gets the
// files given, or else those of all cases.
func Cancelled(t *testing.T, read Reader, files ...[]byte) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if len(files) == 0 {
		files = inputs(t)
	}
	for _, body := range files {
		if _, err := read(ctx, document.Input{Body: body}); !errors.Is(err, context.Canceled) {
			t.Errorf("%.40q: err = %v, want context.Canceled", body, err)
		}
	}
}

// Cuts reads a file that was cut off at many places, which must end with what
// could be read or with an error.
func Cuts(t *testing.T, read Reader, body []byte, step int) {
	t.Helper()
	for n := 0; n < len(body); n += step {
		if err := attempt(read, body[:n]); err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
}

// attempt reads a file and gives an error only where the reader broke. One that
// recovers says "panic:".
func attempt(read Reader, body []byte) error {
	doc, err := read(context.Background(), document.Input{Body: body})
	switch {
	case err == nil && doc.Root == nil:
		return errors.New("neither a document nor an error")
	case err != nil && strings.Contains(err.Error(), "panic:"):
		return err
	}
	return nil
}

func runCase(t *testing.T, path string, read Reader) {
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	comment, parts := Split(string(raw))
	var got string
	if doc, err := read(context.Background(), document.Input{Body: Input(t, parts)}); err != nil {
		got = "error: " + err.Error() + "\n"
	} else {
		got = Render(doc.Root)
	}
	if *update {
		rewrite(t, path, comment, string(raw), got)
		return
	}
	if want := parts[wantName]; got != want {
		t.Errorf("%s\ngot:\n%s\nwant:\n%s", comment, got, want)
	}
}

// rewrite replaces the wanted part, which is the last one.
func rewrite(t *testing.T, path, comment, raw, got string) {
	t.Helper()
	head, _, _ := strings.Cut(raw, "-- "+wantName+" --\n")
	if err := os.WriteFile(path, []byte(head+"-- "+wantName+" --\n"+got), 0o644); err != nil {
		t.Fatalf("%s: %v", comment, err)
	}
}

// Render writes what is in the body of a document, a line for each block.
func Render(root *html.Node) string {
	var b strings.Builder
	for n := range root.Descendants() {
		if n.DataAtom != atom.Body {
			continue
		}
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			if err := html.Render(&b, k); err != nil {
				return "render: " + err.Error()
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
