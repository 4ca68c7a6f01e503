package doctest

import (
	"maps"
	"testing"
)

// Fuzz fuzzes a reader, from the files given or else from those of all cases.
func Fuzz(f *testing.F, read Reader, seeds ...[]byte) {
	f.Helper()
	if len(seeds) == 0 {
		seeds = inputs(f)
	}
	for _, body := range seeds {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if err := attempt(read, body); err != nil {
			t.Error(err)
		}
	})
}

// FuzzPart fuzzes one part of the files of all cases, where mutated bytes reach
// further than those of a whole zip file do.
func FuzzPart(f *testing.F, part string, read Reader) {
	f.Helper()
	others := map[string]string{}
	for _, parts := range all(f) {
		if text, ok := parts[part]; ok {
			f.Add(text)
			maps.Copy(others, parts)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		parts := maps.Clone(others)
		parts[part] = text
		if err := attempt(read, Zip(t, parts)); err != nil {
			t.Error(err)
		}
	})
}
