package doctest

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// paths are the cases of the package under test.
func paths(t testing.TB) []string {
	t.Helper()
	list, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(list) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	return list
}

// all are the parts of each case.
func all(t testing.TB) []map[string]string {
	t.Helper()
	var list []map[string]string
	for _, path := range paths(t) {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, parts := Split(string(raw))
		list = append(list, parts)
	}
	return list
}

// inputs are the files of all cases.
func inputs(t testing.TB) [][]byte {
	t.Helper()
	var list [][]byte
	for _, parts := range all(t) {
		list = append(list, Input(t, parts))
	}
	return list
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
