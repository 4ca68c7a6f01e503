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
	"archive/zip"
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/internal/document"
)

var update = flag.Bool("update", false, "write what came out into the cases")

const wantName = "want"

// Cases runs every case in the folder testdata. Read gets the file and gives
// what was read, or an error, whose text then is what came out.
func Cases(t *testing.T, read func(body []byte) (*document.Doc, error)) {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			runCase(t, path, read)
		})
	}
}

func runCase(t *testing.T, path string, read func([]byte) (*document.Doc, error)) {
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	comment, parts := Split(string(raw))
	var got string
	if doc, err := read(Input(t, parts)); err != nil {
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

// Split takes a case apart into its first lines and its parts.
func Split(raw string) (comment string, parts map[string]string) {
	parts = map[string]string{}
	name := ""
	for line := range strings.Lines(raw) {
		if n, ok := marker(line); ok {
			name = n
			parts[name] = ""
			continue
		}
		if name == "" {
			comment += line
			continue
		}
		parts[name] += line
	}
	return strings.TrimSpace(comment), parts
}

func marker(line string) (name string, ok bool) {
	line = strings.TrimRight(line, "\n")
	if strings.HasPrefix(line, "-- ") && strings.HasSuffix(line, " --") && len(line) > 6 {
		return line[3 : len(line)-3], true
	}
	return "", false
}

// Input makes the file of a case.
func Input(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	if text, ok := parts["input"]; ok {
		return []byte(text)
	}
	return Zip(t, parts)
}

// Zip puts parts into a zip file, in the order of their names.
func Zip(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var names []string
	for name := range parts {
		if name != wantName {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range names {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(parts[name]))
		}
		if err != nil {
			t.Fatalf("zip %s: %v", name, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatalf("zip: %v", err)
	}
	return out.Bytes()
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

// Seeds adds the inputs of all cases to a fuzz test.
func Seeds(f *testing.F) {
	f.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		_, parts := Split(string(raw))
		f.Add(Input(f, parts))
	}
}

// FuzzPart fuzzes one part of the files of all cases, where mutated bytes reach
// further than those of a whole zip file do. Read must not panic; a reader that
// recovers says "panic:" in its error.
func FuzzPart(f *testing.F, part string, read func(body []byte) (*document.Doc, error)) {
	f.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	others := map[string]string{}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		_, parts := Split(string(raw))
		text, ok := parts[part]
		if !ok {
			continue
		}
		f.Add(text)
		for name, body := range parts {
			others[name] = body
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		parts := map[string]string{}
		for name, body := range others {
			parts[name] = body
		}
		parts[part] = text
		if _, err := read(Zip(t, parts)); err != nil && strings.Contains(err.Error(), "panic:") {
			t.Error(err)
		}
	})
}
