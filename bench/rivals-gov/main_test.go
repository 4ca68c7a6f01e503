package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestRivalsFindThePassageAskedFor(t *testing.T) {
	for name, build := range builders {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			f, err := os.Create(filepath.Join(dir, "passages.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			enc := json.NewEncoder(f)
			for _, p := range []passage{{"a", "herons nest in tall trees"}, {"b", "storks nest on chimneys"}, {"b", "storks come back in spring"}} {
				if err := enc.Encode(p); err != nil {
					t.Fatal(err)
				}
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			r, err := build(context.Background(), dir, f.Name())
			if err != nil {
				t.Fatal(err)
			}
			defer r.close()
			found, err := r.search(t.Context(), "where do storks nest?", 10)
			if got := firstOfEach(found, 10); err != nil || !slices.Equal(got, []string{"b", "a"}) {
				t.Errorf("found %v, %v", got, err)
			}
		})
	}
}
