package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/app"
	"github.com/trawlhq/trawl/internal/cli"
)

// TestMain lets the test binary be the reader of files that a command starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == app.ReadApart {
		os.Exit(cli.Run(context.Background(), os.Args[1:], cli.OS()))
	}
	os.Exit(m.Run())
}

// folder writes files, by their path below it.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestParseOneFileFromTheTerminal(t *testing.T) {
	dir := folder(t, map[string]string{"letter.rtf": `{\rtf1\ansi Dear \b reader\b0 .}`})
	code, out, errs := run(t, "parse", "--data-dir", t.TempDir(), filepath.Join(dir, "letter.rtf"))
	if code != 0 || strings.TrimSpace(out) != "Dear **reader**." {
		t.Errorf("%d %q %q", code, out, errs)
	}
}

func TestParseAFolder(t *testing.T) {
	dir := folder(t, map[string]string{"a.csv": "x,y\n1,2\n", "sub/b.txt": "words", "sub/c.zip": "PK", ".hidden/d.txt": "no"})
	out := filepath.Join(t.TempDir(), "out")
	code, _, errs := run(t, "parse", "--data-dir", t.TempDir(), "-o", out, dir)
	if code != 1 || !strings.Contains(errs, "1 of 3 failed") || !strings.Contains(errs, "sub/c.zip: Unsupported upload type.") || !strings.Contains(errs, "/3  sub/b.txt") {
		t.Errorf("%d %s", code, errs)
	}
	for name, want := range map[string]string{"a.csv.md": "| 1 | 2 |", "sub_b.txt.md": "words"} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if left, err := os.ReadDir(out); err != nil || len(left) != 2 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestParseAsJSON(t *testing.T) {
	dir := folder(t, map[string]string{"page.html": `<title>T</title><p>See <a href="https://a.test/">this</a>`})
	code, out, errs := run(t, "parse", "--data-dir", t.TempDir(), "--json", "--format", "links,markdown", filepath.Join(dir, "page.html"))
	var doc trawl.Document
	if err := json.Unmarshal([]byte(out), &doc); err != nil || code != 0 || fmt.Sprint(doc.Links) != "[https://a.test/]" || doc.Metadata.SourceFile != "page.html" {
		t.Errorf("%d %s %s %v", code, out, errs, err)
	}
}

func TestParseWhatIsNotThere(t *testing.T) {
	if code, _, errs := run(t, "parse", "--data-dir", t.TempDir(), filepath.Join(t.TempDir(), "none.pdf")); code != 1 || !strings.Contains(errs, "no such file") {
		t.Errorf("%d %s", code, errs)
	}
	if code, _, errs := run(t, "parse", "--data-dir", t.TempDir(), t.TempDir()); code != 1 || !strings.Contains(errs, "no files in") {
		t.Errorf("%d %s", code, errs)
	}
}
